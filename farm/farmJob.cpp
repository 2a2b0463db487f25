#include "farm/farmJob.h"

#include <algorithm>
#include <filesystem>

#include "solver/cache/file.h"
#include "solver/core/path.h"

namespace fs = std::filesystem;

namespace purl {
namespace {

// For bash.
std::string shellQuoted(const std::string& text) {
    std::string quoted = "'";
    for (const char c : text) quoted += c == '\'' ? "'\\''" : std::string(1, c);
    return quoted + "'";
}

// For YAML: a JSON string is one.
std::string yamlQuoted(const std::string& text) {
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' || c == '\\' ? std::string{'\\', c} : std::string(1, c);
    return quoted + "\"";
}

std::string indented(const std::string& text, int spaces) {
    std::string result;
    for (size_t begin = 0, end; begin < text.size(); begin = end + 1) {
        end = std::min(text.find('\n', begin), text.size());
        if (end > begin) result += std::string(static_cast<size_t>(spaces), ' ') + text.substr(begin, end - begin);
        result += "\n";
    }
    return result;
}

std::string plainNumber(double value) {
    std::string text = std::to_string(value);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text;
}

// --- the scripts that both engines run: PROGRAM SCENE OUT FRAMES WEDGE OPTION…

constexpr const char* kScriptHead =
    "#!/bin/bash\n"
    "set -euo pipefail\n"
    "purl=$1 scene=$2 out=$3 frames=${4//:/x} wedge=$5\n"
    "shift 5\n";

// exec: signals reach purl itself.
std::string simulateScript(const FarmJob& job) {
    std::string script = kScriptHead;
    script += "values=()\ncase \"$wedge\" in\n";
    for (const Wedge& wedge : job.wedges) {
        script += wedge.name + ") values=(";
        for (const std::string& assignment : wedge.assignments) script += " --set " + shellQuoted(assignment);
        script += " ) ;;\n";
    }
    script += "*) echo \"unknown wedge: $wedge\" >&2; exit 2 ;;\nesac\nmkdir -p \"$out/$wedge\"\n";
    script += "exec \"$purl\" sim \"$scene\" -o \"$out/$wedge\" --frames \"$frames\" --resume --yes";
    if (!job.formats.empty()) script += " --format " + shellQuoted(job.formats);
    if (!job.solver.empty()) script += " --solver " + shellQuoted(job.solver);
    if (job.memory > 0) script += " --memory-limit " + plainNumber(job.memory);
    for (const std::string& assignment : job.assignments) script += " --set " + shellQuoted(assignment);
    return script + " \"${values[@]}\" \"$@\"\n";
}

std::string meshScript(const FarmJob& job) {
    std::string script =
        std::string(kScriptHead) + "exec \"$purl\" mesh \"$out/$wedge\" --scene \"$scene\" --frames \"$frames\"";
    if (!job.meshFormats.empty()) script += " --format " + shellQuoted(job.meshFormats);
    return script + " \"$@\"\n";
}

std::string renderScript(const FarmJob& job) {
    std::string script = std::string(kScriptHead) + "exec \"$purl\" render \"$out/$wedge" + (job.mesh ? "/mesh" : "") +
                         "\" --scene \"$scene\" -o \"$out/$wedge/frames\" --frames \"$frames\"";
    if (!job.size.empty()) script += " --size " + shellQuoted(job.size);
    return script + " \"$@\"\n";
}

constexpr const char* kMovieScript =
    "#!/bin/bash\n"
    "set -euo pipefail\n"
    "purl=$1 out=$2\n"
    "exec \"$purl\" sheet \"$out\" --movies\n";

// --- Open Job Description

std::string openJdRange(const FrameList& frames) {
    std::string text = frames.text();
    std::replace(text.begin(), text.end(), 'x', ':');
    return text;
}

bool isRange(const FrameList& frames) { return frames.last() - frames.first() + 1 == static_cast<int>(frames.size()); }

std::string requirements(const FarmJob& job) {
    std::string text = "  hostRequirements:\n";
    if (job.cpus > 0 || job.memory > 0) text += "    amounts:\n";
    if (job.cpus > 0) text += "    - {name: amount.worker.vcpu, min: " + std::to_string(job.cpus) + "}\n";
    // In MiB.
    if (job.memory > 0)
        text += "    - {name: amount.worker.memory, min: " + std::to_string(static_cast<long>(job.memory * 953.674)) +
                "}\n";
    return text + "    attributes:\n    - {name: attr.worker.os.family, anyOf: [linux]}\n";
}

std::string wedgeParameter(const FarmJob& job) {
    std::string text = "    - name: Wedge\n      type: STRING\n      range:\n";
    for (const Wedge& wedge : job.wedges) text += "      - " + yamlQuoted(wedge.name) + "\n";
    return text;
}

std::string chunkParameter(const FarmJob& job) {
    return "    - name: Frame\n      type: CHUNK[INT]\n      range: \"{{Param.Frames}}\"\n      chunks:\n"
           "        defaultTaskCount: " +
           std::to_string(job.chunk) +
           "\n        rangeConstraint: " + (isRange(job.frames) ? "CONTIGUOUS" : "NONCONTIGUOUS") + "\n";
}

// `arguments` follow the script's file.
std::string action(const std::vector<std::string>& arguments, const std::string& script) {
    std::string text = "  script:\n    actions:\n      onRun:\n        command: bash\n        args:\n";
    text += "        - \"{{Task.File.run}}\"\n";
    for (const std::string& argument : arguments) text += "        - " + yamlQuoted(argument) + "\n";
    // SIGTERM first: purl finishes writing, and stops between two kernels.
    text += "        cancelation: {mode: NOTIFY_THEN_TERMINATE, notifyPeriodInSeconds: 120}\n";
    text += "    embeddedFiles:\n    - name: run\n      type: TEXT\n      data: |\n";
    return text + indented(script, 8);
}

std::string openJdTemplate(const FarmJob& job) {
    std::string text = "specificationVersion: jobtemplate-2023-09\n";
    if (job.mesh || job.render) text += "extensions: [TASK_CHUNKING]\n";
    text += "name: " + yamlQuoted(job.name) + "\n";
    text +=
        "parameterDefinitions:\n"
        "- {name: Scene, type: PATH, objectType: FILE, dataFlow: IN, description: Maya ASCII scene}\n"
        "- {name: OutputFolder, type: PATH, objectType: DIRECTORY, dataFlow: OUT, description: Folder of the wedges}\n"
        "- {name: Frames, type: STRING, default: \"" +
        openJdRange(job.frames) +
        "\", description: \"Frames to cache, like 1-240\"}\n"
        "- {name: Purl, type: STRING, default: " +
        yamlQuoted(job.program) +
        ", description: The purl command of the workers}\n"
        "steps:\n";
    // openjd_progress and openjd_status lines; the rules map paths inside the scene.
    const auto with = [&](std::vector<std::string> arguments) {
        for (const char* more : {"--progress", "openjd", "--path-map", "{{Session.PathMappingRulesFile}}"})
            arguments.emplace_back(more);
        // Nothing else confines a task to what it asked for.
        if (job.cpus > 0) arguments.insert(arguments.end(), {"--threads", std::to_string(job.cpus)});
        return arguments;
    };
    const std::string program = "{{Param.Purl}}", scene = "{{Param.Scene}}", out = "{{Param.OutputFolder}}",
                      wedge = "{{Task.Param.Wedge}}", frames = "{{Task.Param.Frame}}";
    const std::string space = "  parameterSpace:\n    taskParameterDefinitions:\n";
    std::string before;
    const auto begin = [&](const std::string& name) {
        text += "- name: " + name + "\n";
        if (!before.empty()) text += "  dependencies:\n  - {dependsOn: " + before + "}\n";
        before = name;
    };
    begin("Simulate");
    text += space + wedgeParameter(job) + requirements(job) +
            action(with({program, scene, out, "{{Param.Frames}}", wedge}), simulateScript(job));
    if (job.mesh) {
        begin("Mesh");
        text += space + wedgeParameter(job) + chunkParameter(job) + requirements(job) +
                action(with({program, scene, out, frames, wedge}), meshScript(job));
    }
    if (job.render) {
        begin("Render");
        std::vector<std::string> arguments = with({program, scene, out, frames, wedge});
        if (job.cpus > 0) arguments.resize(arguments.size() - 2);  // OpenGL chooses its threads
        text += space + wedgeParameter(job) + chunkParameter(job) + requirements(job) +
                action(arguments, renderScript(job));
    }
    if (job.movie) {
        begin("Movie");
        text += requirements(job) + action({program, out}, kMovieScript);
    }
    return text;
}

// --- Slurm

std::string directives(const FarmJob& job, const std::string& step, int tasks, bool perWedge) {
    const auto line = [](const std::string& option) { return "#SBATCH --" + option + "\n"; };
    std::string text = "#!/bin/bash\n";
    text += line("job-name=" + shellQuoted(job.name + "." + step));
    if (tasks > 0) text += line("array=0-" + std::to_string(tasks - 1));
    // Log files are appended to when a requeued task comes back.
    text += line("requeue") + line("open-mode=append");
    // To the script, which passes it on: 90 s before the time limit, and at a preemption if Slurm is configured so.
    text += line("signal=B:USR1@90");
    const std::string task = perWedge ? "_%A" : "";
    text += line("output=" + shellQuoted(job.folder() + "/log/" + step + (tasks > 0 ? task + "_%a" : "") + ".log"));
    if (job.cpus > 0) text += line("cpus-per-task=" + std::to_string(job.cpus));
    if (job.memory > 0) text += line("mem=" + std::to_string(static_cast<long>(job.memory * 953.674)) + "M");
    return text;
}

std::string wedgeNames(const FarmJob& job) {
    std::string text = "wedges=(\n";
    for (const Wedge& wedge : job.wedges) text += "    " + wedge.name + "\n";
    return text + ")\n";
}

std::string chunkList(const FarmJob& job) {
    std::string text = "chunks=(\n";
    const std::vector<int>& all = job.frames.numbers();
    const size_t count = static_cast<size_t>(job.chunks());
    for (size_t i = 0; i < count; ++i) {
        FrameList frames;
        for (size_t k = i * all.size() / count; k < (i + 1) * all.size() / count; ++k) frames.add(all[k]);
        text += "    " + frames.text() + "\n";
    }
    return text + ")\n";
}

std::string fiveArguments(const FarmJob& job, const std::string& frames, const std::string& wedge) {
    return " " + shellQuoted(job.program) + " " + shellQuoted(job.scene) + " " + shellQuoted(job.out) + " " + frames +
           " " + wedge + "\n";
}

// Stays alive until Slurm ends it: a batch script that ends by itself within the grace time counts as finished.
constexpr const char* kRunTask =
    "#!/bin/bash\n"
    "# runTask.sh COMMAND...: runs a task that Slurm may stop and start again. Passes its signals on, and requeues "
    "it.\n"
    "signals=0\n"
    "trap '((++signals)); kill -USR1 \"$task\" 2>/dev/null' USR1 TERM\n"
    "\"$@\" &\n"
    "task=$!\n"
    "while :; do\n"
    "    seen=$signals\n"
    "    wait \"$task\"\n"
    "    code=$?\n"
    "    ((signals == seen)) && break  # otherwise a signal ended the wait\n"
    "done\n"
    "# 75: purl stopped after a signal. 137: it was killed, perhaps for lack of memory; try three times.\n"
    "if ((code == 75)) || ((code == 137 && ${SLURM_RESTART_COUNT:-0} < 3)); then\n"
    "    # Not SLURM_JOB_ID: the last task of an array has the id of the whole array.\n"
    "    job=${SLURM_ARRAY_JOB_ID:+${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID}\n"
    "    job=${job:-$SLURM_JOB_ID}\n"
    "    echo \"exit code $code: requeue $job\"\n"
    "    trap 'exit 0' TERM\n"
    "    scontrol requeue \"$job\" && { sleep 600 & wait $!; }\n"
    "fi\n"
    "exit \"$code\"\n";

std::string submitScript(const FarmJob& job) {
    std::string text =
        "#!/bin/bash\n"
        "# Hands the job to Slurm.\n"
        "set -euo pipefail\n"
        "cd \"$(dirname \"$0\")\"\n"
        "mkdir -p log\n"
        "# Prints the job's id; a task whose dependency failed does not wait for ever.\n"
        "submit() {\n"
        "    local id\n"
        "    id=$(sbatch --parsable --kill-on-invalid-dep=yes \"$@\")\n"
        "    echo \"${id%%;*}\"\n"
        "}\n"
        "simulate=$(submit simulate.sbatch)\n"
        "echo \"simulate: $simulate\"\n";
    if (!job.mesh && !job.render) return text;
    text += "last=\n";
    text += "for ((wedge = 0; wedge < " + std::to_string(job.wedges.size()) + "; ++wedge)); do\n";
    text += "    after=afterok:${simulate}_$wedge\n";
    const auto step = [&](const char* name) {
        text += std::string("    ") + name + "=$(submit --dependency=\"$after\" " + name + ".sbatch \"$wedge\")\n";
        text += std::string("    echo \"") + name + " of wedge $wedge: $" + name + "\"\n";
        text += std::string("    after=afterok:$") + name + "\n";
    };
    if (job.mesh) step("mesh");
    // After all meshes of the wedge: a fitted camera looks at all frames.
    if (job.render) step("render");
    text += "    last+=${after#afterok}\ndone\n";
    if (job.movie) text += "echo \"movie: $(submit --dependency=\"afterok$last\" movie.sbatch)\"\n";
    return text;
}

}  // namespace

int FarmJob::chunks() const {
    const int size = std::max(1, chunk), count = static_cast<int>(frames.size());
    return (count + size - 1) / size;
}

std::vector<FarmStep> stepsOf(const FarmJob& job) {
    const int wedges = static_cast<int>(job.wedges.size());
    std::vector<FarmStep> steps = {{"simulate", "one task per wedge", wedges}};
    const std::string chunks = "chunks of at most " + std::to_string(job.chunk) + " frames";
    if (job.mesh) steps.push_back({"mesh", chunks, wedges * job.chunks()});
    if (job.render) steps.push_back({"render", chunks, wedges * job.chunks()});
    if (job.movie) steps.push_back({"movie", "a movie of each wedge, and a contact sheet with their values", 1});
    return steps;
}

std::vector<JobFile> openJdFiles(const FarmJob& job) {
    std::string values = "parameterValues:\n";
    for (const auto& [name, value] : {std::pair<const char*, std::string>{"Scene", job.scene},
                                      {"OutputFolder", job.out},
                                      {"Frames", openJdRange(job.frames)},
                                      {"Purl", job.program}})
        values += std::string("- {name: ") + name + ", value: " + yamlQuoted(value) + "}\n";
    std::string assets = "assetReferences:\n  inputs:\n    filenames:\n";
    for (const std::string& input : job.inputs) assets += "    - " + yamlQuoted(input) + "\n";
    assets +=
        "    directories: []\n  outputs:\n    directories:\n    - " + yamlQuoted(job.out) + "\n  referencedPaths: []\n";
    return {
        {"template.yaml", openJdTemplate(job)}, {"parameter_values.yaml", values}, {"asset_references.yaml", assets}};
}

std::vector<JobFile> slurmFiles(const FarmJob& job) {
    const std::string run = "exec bash " + shellQuoted(job.folder() + "/runTask.sh") + " bash ";
    const auto script = [&](const char* name) { return shellQuoted(job.folder() + "/" + name); };
    const std::string frames = shellQuoted(job.frames.text());
    const std::string ofWedge = "\"${wedges[$1]}\"", chunk = "\"${chunks[$SLURM_ARRAY_TASK_ID]}\"";
    std::vector<JobFile> files = {{"runTask.sh", kRunTask}, {"simulate.sh", simulateScript(job)}};
    files.push_back({"simulate.sbatch", directives(job, "simulate", static_cast<int>(job.wedges.size()), false) +
                                            wedgeNames(job) + run + script("simulate.sh") +
                                            fiveArguments(job, frames, "\"${wedges[$SLURM_ARRAY_TASK_ID]}\"")});
    const auto addChunks = [&](const std::string& step, const std::string& text) {
        files.push_back({step + ".sh", text});
        files.push_back({step + ".sbatch", directives(job, step, job.chunks(), true) + wedgeNames(job) +
                                               chunkList(job) + run + script((step + ".sh").c_str()) +
                                               fiveArguments(job, chunk, ofWedge)});
    };
    if (job.mesh) addChunks("mesh", meshScript(job));
    if (job.render) addChunks("render", renderScript(job));
    if (job.movie) {
        files.push_back({"movie.sh", kMovieScript});
        files.push_back({"movie.sbatch", directives(job, "movie", 0, false) + run + script("movie.sh") + " " +
                                             shellQuoted(job.program) + " " + shellQuoted(job.out) + "\n"});
    }
    files.push_back({"submit.sh", submitScript(job)});
    return files;
}

void writeJob(const FarmJob& job, const std::vector<JobFile>& files) {
    makeFolders(job.folder());
    for (const JobFile& file : files) writeFile(toText(toPath(job.folder()) / file.name), file.text);
    writeFile(toText(toPath(job.out) / kWedgeListName), wedgeTable(job.wedges));
}

}  // namespace purl
