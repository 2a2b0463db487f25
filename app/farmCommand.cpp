// purl farm: writes a job for Slurm or Open Job Description, and hands it over.
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "app/commands.h"
#include "app/print.h"
#include "farm/doctor.h"
#include "farm/estimate.h"
#include "farm/farmJob.h"
#include "farm/playback.h"
#include "solver/cache/file.h"
#include "solver/core/error.h"
#include "solver/core/machine.h"
#include "solver/core/path.h"

namespace fs = std::filesystem;

namespace purl {
namespace {

std::string pathInJob(const std::string& path) {
    std::string text = absolutePath(path);
    while (text.size() > 1 && text.back() == '/') text.pop_back();
    // Format strings of Open Job Description.
    if (text.find("{{") != std::string::npos) throw Error(path + ": a path with \"{{\" cannot be part of a job");
    return text;
}

std::vector<Wedge> chosenWedges(const FarmCommandOptions& options) {
    return options.wedgeFile.empty() ? wedgesOf(options.wedges) : readWedges(options.wedgeFile);
}

// Sets the values of each wedge once, so that a misspelt attribute is found before anything is submitted.
Estimate checkWedges(Playback& playback, const FarmJob& job) {
    Estimate largest;
    for (const Wedge& wedge : job.wedges) {
        for (const std::string& assignment : wedge.assignments) playback.set(assignment);
        const Estimate estimate =
            estimateRun(patientOf(playback), job.frames.last(), job.cpus, std::numeric_limits<double>::infinity());
        if (estimate.megabytes >= largest.megabytes) largest = estimate;
    }
    return largest;
}

void refuseOtherJob(const FarmJob& job, bool force) {
    const std::string list = toText(toPath(job.out) / kWedgeListName);
    if (force || !fs::exists(toPath(list)) || readFile(list) == wedgeTable(job.wedges)) return;
    throw TargetExists(job.out +
                       ": holds the job of other wedges; use -o to choose another folder, or --force to "
                       "replace the job (finished caches stay)");
}

void handOver(const std::string& program, const std::string& command) {
    if (std::system(("command -v " + program + " >/dev/null").c_str()) != 0)
        throw Error(program + ": is not installed here; run on another machine: " + command);
    std::fflush(stdout);
    if (std::system(command.c_str()) != 0) throw Error(command + ": failed; the job was written but not submitted");
}

}  // namespace

int writeFarmJob(const FarmCommandOptions& options) {
    Playback playback(options.scene, {}, options.solver);
    FarmJob job;
    job.scene = pathInJob(options.scene);
    job.out = pathInJob(options.out.empty() ? defaultOutput(options.scene) : options.out);
    job.name = toText(toPath(job.scene).stem());
    const FrameRange range = playback.playbackRange();
    job.frames = options.frames.empty() ? FrameList(range.first, range.last) : FrameList::parse(options.frames);
    job.wedges = chosenWedges(options);
    job.assignments = options.assignments;
    job.solver = options.solver;
    job.formats = options.formats;
    job.meshFormats = options.meshFormats;
    job.size = options.size;
    job.program = options.program;
    job.mesh = options.mesh;
    job.render = options.render || options.movie;
    job.movie = options.movie;
    job.chunk = options.chunk;
    job.cpus = options.cpus;
    job.memory = options.memory;
    for (const InputFile& input : playback.identity().inputs) job.inputs.push_back(pathInJob(input.path));
    if (job.mesh && playback.graph().nodesOfType("purlSurface").empty())
        throw Error(options.scene + ": has no purlSurface node, whose settings --mesh needs; create one");
    for (const std::string& assignment : options.assignments) playback.set(assignment);
    const Estimate estimate = checkWedges(playback, job);
    if (job.memory > 0 && estimate.megabytes > 1000 * job.memory)
        throw Error(
            fmt::format("{}: a wedge needs {}, more than --memory {} GB", options.scene, estimate.text(), job.memory));
    refuseOtherJob(job, options.force);
    const bool slurm = options.engine == "slurm";
    writeJob(job, slurm ? slurmFiles(job) : openJdFiles(job));

    printOut("{}: {} wedge{}, frames {}; the largest: {}\n", job.out, job.wedges.size(),
             job.wedges.size() == 1 ? "" : "s", job.frames.text(), estimate.text());
    for (const Wedge& wedge : job.wedges) {
        std::string values;
        for (const std::string& assignment : wedge.assignments) values += "  " + assignment;
        printOut("  {}{}\n", wedge.name, values);
    }
    for (const FarmStep& step : stepsOf(job))
        printOut("{:<9}{:>5} task{}: {}\n", step.name, step.tasks, step.tasks == 1 ? " " : "s", step.what);
    const std::string command =
        slurm ? "bash \"" + job.folder() + "/submit.sh\"" : "deadline bundle submit \"" + job.folder() + "\"";
    if (options.submit) {
        handOver(slurm ? "sbatch" : "deadline", command);
    } else {
        printOut("submit: {}\n", command);
        if (!slurm)
            printOut("or run it here: openjd run \"{}/template.yaml\" -p Scene=\"{}\" -p OutputFolder=\"{}\"\n",
                     job.folder(), job.scene, job.out);
    }
    printOut("watch: purl status \"{}\"\n", job.out);
    return kDone;
}

}  // namespace purl
