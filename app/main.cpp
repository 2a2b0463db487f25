// The `purl` command. Exit codes: 0 done, 2 wrong use or input, or output that cannot be written, 130 cancelled.
#include <CLI/CLI.hpp>
#include <csignal>
#include <functional>

#include "app/commands.h"
#include "app/memoryReserve.h"
#include "app/print.h"
#include "app/tint.h"
#include "app/view/view.h"
#include "host/host.h"
#include "nodes/solverNode.h"
#include "nodes/viewNode.h"
#include "solver/cache/format.h"
#include "solver/core/describe.h"
#include "solver/core/error.h"

namespace {

// The first Ctrl-C stops cleanly, the second one kills.
void onInterrupt(int) {
    purl::host::requestInterrupt();
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
}

// The names of an enum's values, in order.
template <class E>
std::vector<std::string> namesOf() {
    const purl::Choices names = choicesOf(E{});
    return {names.begin(), names.end()};
}

}  // namespace

// Prints one line: the command, what is wrong, and where to find help.
static int wrongUse(const CLI::App& app, int argc, char** argv, const std::string& what) {
    const std::string first = argc > 1 ? argv[1] : "";
    std::string names;
    for (const CLI::App* command : app.get_subcommands({})) {
        names += (names.empty() ? "" : ", ") + command->get_name();
        if (first != command->get_name()) continue;
        purl::printError("purl: {}: {}; see purl {} --help\n", first, what, first);
        return purl::kWrongInput;
    }
    if (first.empty() || first[0] == '-')
        purl::printError("purl: {}; see purl --help\n", what);
    else
        purl::printError("purl: unknown command \"{}\"; available commands: {}\n", first, names);
    return purl::kWrongInput;
}

// Returns the command's exit code, or 2 if its result could not be written to stdout.
static int ended(int code, bool printsResult) {
    const std::string why = printsResult ? purl::whyOutputIsMissing() : "";
    if (why.empty()) return code;
    purl::printError("purl: cannot write to standard output: {}\n", why);
    return purl::kWrongInput;
}

int main(int argc, char** argv) {
    purl::holdMemoryReserve();
    purl::holdStandardStreams();
    CLI::App app("Purl: water, cloth and knitwear simulation without Maya.");
    std::vector<std::string> shows;
    for (const purl::ShowAbout& about : purl::kShows) shows.emplace_back(about.option);
    const std::string showHelp = "Colour particles and fabrics by a quantity: " + CLI::detail::join(shows, ", ");
    app.set_version_flag("--version", PURL_VERSION);
    app.require_subcommand(1);
    std::vector<std::string> plugins;
    app.add_option("--plugin", plugins,
                   "A plug-in of your own to load first, compiled against host/include; before the command, once each")
        ->allow_extra_args(false);
    std::function<int()> run;

    purl::SimOptions sim;
    CLI::App* simCommand = app.add_subcommand("sim", "Simulate a scene and cache every frame");
    simCommand->add_option("scene", sim.scene, "Maya ASCII scene (.ma)")->required();
    simCommand->add_option("-o,--out", sim.out, "Cache folder to write [out/<scene>]");
    simCommand->add_option("--frames", sim.frames, "Frame range to cache, A-B [the scene's playback range]");
    simCommand->add_option("--format", sim.formats,
                           "Comma-separated output formats: " + purl::joinedNames(purl::formats()) +
                               "; abc:meshes writes only its meshes [" + purl::kDefaultFormats + "]");
    simCommand
        ->add_option("--threads", sim.threads, "Number of CPU threads, 0 for all cores; results do not depend on it")
        ->check(CLI::NonNegativeNumber);
    simCommand
        ->add_option("--device", sim.device,
                     "Compute device: cpu, cuda, or rehearsal: the code path of a GPU without one")
        ->check(CLI::IsMember(namesOf<purl::DeviceChoice>()));
    simCommand->add_option("--solver", sim.solver, "Name of the purlSolver node, if the scene has several");
    simCommand->add_option(
        "--set", sim.assignments,
        "Override an attribute, node.attribute=value, in scene units or with a unit (4mm); repeatable");
    simCommand->add_option("--stats", sim.stats,
                           "Write timings and statistics of every frame to this JSON file, print a timing table, and "
                           "predict the run time on 2 to 64 cores");
    simCommand->add_flag("--one-file", sim.oneFile, "Write all frames to one file, for nCache and Alembic");
    simCommand
        ->add_option("--checkpoints", sim.checkpoints,
                     "Frames between checkpoints for --resume and --branch [24; 0: last frame only]")
        ->check(CLI::NonNegativeNumber);
    CLI::Option* branchOption = simCommand->add_option(
        "--branch", sim.branch,
        "Continue an existing cache from frame --from with the changes of --set, as a branch of this name");
    branchOption->needs(simCommand->add_option("--from", sim.from, "First frame of the branch, with --branch"));
    simCommand->add_flag("--resume", sim.resume, "Continue an interrupted run from its last checkpoint");
    simCommand->add_flag("-y,--yes", sim.yes, "Do not ask for confirmation if the run may exceed the machine's memory");
    simCommand
        ->add_option("--progress", sim.progressSeconds,
                     "Seconds between progress lines within a frame, if stderr is not a terminal [10]")
        ->check(CLI::NonNegativeNumber);
    simCommand->add_flag("-q,--quiet", sim.quiet, "Do not print progress");
    simCommand->callback([&] { run = [&] { return purl::simulate(sim); }; });

    purl::RenderOptions render;
    CLI::App* renderCommand = app.add_subcommand("render", "Render preview images of a cache or a scene");
    renderCommand->add_option("source", render.source, "Cache folder or .ma scene")->required();
    renderCommand->add_option("-o,--out", render.out, "Folder for the images [<cache>/frames]");
    renderCommand->add_option("--frames", render.frames, "Frame range to render, A-B [all]");
    renderCommand->add_option("--size", render.size, "Image size in pixels, WIDTHxHEIGHT [960x540]");
    renderCommand->add_option("--camera", render.camera,
                              "Scene camera to use [the renderable one, or a camera that frames everything]");
    renderCommand->add_option("--sky", render.sky,
                              "Environment map for lighting and reflections, .hdr or .exr [studio]");
    // No type name: the choices are part of the sentence.
    renderCommand
        ->add_option("--studio", render.studio, "Background, ground and sky [the scene's purlView setting, or grey]")
        ->check(CLI::IsMember(namesOf<purl::StudioChoice>()));
    renderCommand
        ->add_option(
            "--format", render.format,
            "png, exr (linear, with depth, normal, velocity, wetness and id AOVs), png,exr, or json (no image: "
            "camera, lights and materials for other renderers) [png]")
        ->check(CLI::IsMember({"png", "exr", "png,exr", "json"}).description(""));
    renderCommand->add_option("--movie", render.movie, "Also encode the images as this MP4 movie");
    renderCommand->add_option("--solver", render.solver, "Name of the purlSolver node, if the scene has several");
    renderCommand->add_option("--samples", render.samples, "Sub-frame samples per image for motion blur [1: no blur]")
        ->check(CLI::Range(1, 256));
    renderCommand->add_option("--shutter", render.shutter, "Shutter time in frames, with --samples [0.5]")
        ->check(CLI::Range(0.0, 4.0));
    renderCommand->add_option("--sheet", render.sheet, "Also write a contact sheet of all images to this PNG");
    renderCommand->add_option("--show", render.show, showHelp)->check(CLI::IsMember(shows));
    renderCommand->add_option("--scale", render.scale,
                              "Value range of the --show colours, like 0-2.5 [taken from the frames]");
    renderCommand
        ->add_option(
            "--yarn", render.yarn,
            "Draw yarns as tubes or fibres; for comparison: fibres with one stack of quads, or with straight segments")
        ->check(CLI::IsMember({"tubes", "fibres", "oneStack", "straight"}));
    renderCommand->add_option("--without", render.without, "Skip a render pass, for comparison; repeatable")
        ->check(CLI::IsMember({"shadow", "water shadow", "cube", "fluid depth", "refraction", "thickness",
                               "environment", "fluid", "knit", "occlusion", "foam", "glass"}));
    renderCommand->add_option("--cascades", render.cascades, "Number of shadow map cascades [4]")
        ->check(CLI::Range(1, 4));
    renderCommand
        ->add_option("--sort", render.sort, "Sort fibre quads on the cpu or gpu; same result [gpu, if available]")
        ->check(CLI::IsMember({"cpu", "gpu"}));
    renderCommand->add_option("--stats", render.stats, "Write the timings of every render pass to this JSON file");
    renderCommand->add_flag("--points", render.points, "Draw particles instead of meshes");
    renderCommand->add_flag("--rays", render.rays, "Ray-march liquids from their particles instead of drawing meshes");
    renderCommand->add_flag("--wire", render.wire, "Draw mesh edges, and yarns as lines");
    renderCommand->add_flag("-q,--quiet", render.quiet, "Do not print progress");
    renderCommand->callback([&] { run = [&] { return purl::renderPictures(render); }; });

    purl::ViewOptions view;
    CLI::App* viewCommand = app.add_subcommand("view", "Open a window on a scene or a cache");
    viewCommand->add_option("source", view.source, "Cache folder or .ma scene")->required();
    viewCommand->add_option("--frame", view.frame, "Frame to show first [the first frame]");
    viewCommand->add_option("--size", view.size, "Window size in pixels, WIDTHxHEIGHT [1400x840]");
    viewCommand->add_option("--show", view.show, showHelp)->check(CLI::IsMember(shows));
    viewCommand->add_option("--select", view.select, "Node to select in the panel");
    viewCommand->add_option("--tab", view.tab, "Panel tab to open");
    viewCommand->add_option("--set", view.assignments, "Override an attribute, node.attribute=value; repeatable");
    viewCommand->add_option("--screenshot", view.screenshot, "Save a screenshot of the window to this PNG and exit");
    viewCommand->callback([&] { run = [&] { return purl::view(view); }; });

    purl::FoamOptions foam;
    CLI::App* foamCommand = app.add_subcommand("foam", "Add spray, foam and bubbles to a cache, writing a new cache");
    foamCommand->add_option("cache", foam.cache, "Cache folder")->required();
    foamCommand->add_option("-o,--out", foam.out, "Folder for the new cache")->required();
    foamCommand->add_option("--body", foam.body, "Name of the liquid [all liquids]");
    foamCommand->add_option("--set", foam.assignments, "Set a purlFoam attribute, attribute=value; repeatable");
    foamCommand
        ->add_option("--threads", foam.threads, "Number of CPU threads, 0 for all cores; results do not depend on it")
        ->check(CLI::NonNegativeNumber);
    foamCommand->add_flag("-q,--quiet", foam.quiet, "Do not print progress");
    foamCommand->callback([&] { run = [&] { return purl::addFoam(foam); }; });

    purl::EditOptions edit;
    CLI::App* editCommand = app.add_subcommand("edit", "Save a copy of a scene with changed attributes");
    editCommand->add_option("scene", edit.scene, "Maya ASCII scene (.ma)")->required();
    editCommand->add_option("-o,--out", edit.out, "Scene file to write (.ma)")->required();
    editCommand->add_option("--set", edit.assignments, "Override an attribute, node.attribute=value; repeatable");
    editCommand->add_option("--solver", edit.solver, "Name of the purlSolver node, if the scene has several");
    editCommand->callback([&] { run = [&] { return purl::editScene(edit); }; });

    purl::DoctorOptions doctor;
    CLI::App* doctorCommand = app.add_subcommand("doctor", "Diagnose likely problems of a scene, and fix them");
    doctorCommand->add_option("scene", doctor.scene, "Maya ASCII scene (.ma)")->required();
    CLI::Option* fixFlag =
        doctorCommand->add_flag("--fix", doctor.fix, "Fix what can be fixed and write the result to -o");
    CLI::Option* fixedOption = doctorCommand->add_option("-o,--out", doctor.out, "Scene file to write (.ma)");
    fixFlag->needs(fixedOption);
    fixedOption->needs(fixFlag);
    doctorCommand->add_option("--solver", doctor.solver, "Name of the purlSolver node, if the scene has several");
    doctorCommand->callback([&] { run = [&] { return purl::examineScene(doctor); }; });

    purl::MelOptions mel;
    CLI::App* melCommand =
        app.add_subcommand("mel", "Run a MEL script (the subset of MEL that Purl's own scripts use)");
    melCommand->add_option("script", mel.script, "MEL script (.mel)")->required();
    melCommand->add_option("--scene", mel.scene, "Maya ASCII scene to open first [new scene]");
    melCommand->add_option("--path", mel.paths, "Folder to search for scripts and procedures; repeatable");
    melCommand->add_flag("--windows", mel.windows, "Emulate Maya's UI commands and print the windows they build");
    melCommand->callback([&] { run = [&] { return purl::runMel(mel); }; });

    std::string source;
    CLI::App* infoCommand = app.add_subcommand("info", "Show what a cache or a scene contains");
    infoCommand->add_option("source", source, "Cache folder or .ma scene")->required();
    infoCommand->callback([&] { run = [&] { return purl::printInfo(source); }; });

    CLI::App* verifyCommand = app.add_subcommand("verify", "Check every file of a cache against its recorded hash");
    verifyCommand->add_option("cache", source, "Cache folder")->required();
    int rerun = -1;
    verifyCommand->add_option("--rerun", rerun, "Also re-simulate up to this frame and compare the results")
        ->check(CLI::NonNegativeNumber);
    verifyCommand->callback([&] { run = [&] { return purl::verify(source, rerun); }; });

    purl::ConvertOptions convert;
    CLI::App* convertCommand = app.add_subcommand("convert", "Convert a cache to other formats, or retime it");
    convertCommand->add_option("cache", convert.cache, "Cache folder")->required();
    convertCommand->add_option("out", convert.out, "Output: a file for all frames (.abc), or the folder of a new cache")
        ->required();
    convertCommand->add_option("--format", convert.formats, "Formats of the new cache, as in purl sim [unchanged]");
    convertCommand->add_option("--frames", convert.frames, "Frame range of the output, A-B [all]");
    convertCommand->add_option("--speed", convert.speed, "Playback speed; 0.5 is half speed (slow motion) [1]")
        ->check(CLI::PositiveNumber);
    convertCommand->add_option("--fps", convert.fps, "Frames per second of the output [unchanged]")
        ->check(CLI::PositiveNumber);
    convertCommand->add_flag("--one-file", convert.oneFile,
                             "Write all frames to one file, for formats that support it");
    convertCommand->add_flag("-q,--quiet", convert.quiet, "Do not print progress");
    convertCommand->callback([&] { run = [&] { return purl::convert(convert); }; });

    bool json = false, markdown = false, commands = false;
    CLI::App* describeCommand = app.add_subcommand("describe", "List all nodes and their attributes, or all commands");
    CLI::Option* jsonFlag = describeCommand->add_flag("--json", json, "As JSON");
    describeCommand->add_flag("--markdown", markdown, "As Markdown (default)")->excludes(jsonFlag);
    describeCommand->add_flag("--commands", commands, "The commands for scripts instead, as Markdown")
        ->excludes(jsonFlag);
    describeCommand->callback(
        [&] { run = [&] { return commands ? purl::describeCommands() : purl::describeNodes(json); }; });

    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return app.exit(error);  // --help and --version
        return wrongUse(app, argc, argv, error.what());
    }
    std::signal(SIGINT, onInterrupt);
    std::signal(SIGTERM, onInterrupt);
    std::signal(SIGXFSZ, SIG_IGN);  // report a file-size limit as a write error instead of being killed
    const bool printsResult =
        infoCommand->parsed() || describeCommand->parsed() || doctorCommand->parsed() || melCommand->parsed();
    try {
        for (const std::string& plugin : plugins) purl::host::loadPluginFile(plugin);
        return ended(run(), printsResult);
    } catch (const purl::Cancelled&) { return purl::kCancelled; } catch (const purl::host::Interrupted&) {
        return purl::kCancelled;
    } catch (const std::bad_alloc&) {
        purl::printError("purl: out of memory\n");
        return purl::kWrongInput;
    } catch (const std::exception& error) {
        purl::printError("purl: {}\n", error.what());
        return purl::kWrongInput;
    }
}
