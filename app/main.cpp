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
#include "solver/cache/format.h"
#include "solver/core/describe.h"
#include "solver/core/error.h"

namespace {

// The first Ctrl-C asks for a clean end, the second ends at once.
void onInterrupt(int) {
    purl::host::requestInterrupt();
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
}

}  // namespace

// One line: which command, what is wrong, and where more is told.
static int wrongUse(const CLI::App& app, int argc, char** argv, const std::string& what) {
    const std::string first = argc > 1 ? argv[1] : "";
    std::string names;
    for (const CLI::App* command : app.get_subcommands({})) {
        names += (names.empty() ? "" : ", ") + command->get_name();
        if (first != command->get_name()) continue;
        purl::printError("purl: {}: {}; purl {} --help tells more\n", first, what, first);
        return purl::kWrongInput;
    }
    if (first.empty() || first[0] == '-')
        purl::printError("purl: {}; purl --help tells more\n", what);
    else
        purl::printError("purl: there is no command \"{}\"; there are: {}\n", first, names);
    return purl::kWrongInput;
}

// Ends with the command's own code, or with 2 where the result is what it prints and that cannot be.
static int ended(int code, bool printsResult) {
    const std::string why = printsResult ? purl::whyOutputIsMissing() : "";
    if (why.empty()) return code;
    purl::printError("purl: cannot write to standard output: {}\n", why);
    return purl::kWrongInput;
}

int main(int argc, char** argv) {
    purl::holdMemoryReserve();
    purl::holdStandardStreams();
    CLI::App app("Purl: water, cloth and knitwear, without Maya.");
    std::vector<std::string> shows;
    for (const purl::ShowAbout& about : purl::kShows) shows.emplace_back(about.option);
    const std::string showHelp = "Colour by what particles or fabrics have: " + CLI::detail::join(shows, ", ");
    app.set_version_flag("--version", PURL_VERSION);
    app.require_subcommand(1);
    std::function<int()> run;

    purl::SimOptions sim;
    CLI::App* simCommand = app.add_subcommand("sim", "Simulate a scene and cache every frame");
    simCommand->add_option("scene", sim.scene, "Maya ASCII scene (.ma)")->required();
    simCommand->add_option("-o,--out", sim.out, "Folder of the cache [out/<scene>]");
    simCommand->add_option("--frames", sim.frames, "Frames to keep, A-B [the scene's playback range]");
    simCommand->add_option("--format", sim.formats,
                           "Formats to write, separated by commas: " + purl::joinedNames(purl::formats()) +
                               "; abc:meshes writes only meshes [" + purl::kDefaultFormats + "]");
    simCommand->add_option("--threads", sim.threads, "CPU threads, 0 for all; the result is the same")
        ->check(CLI::NonNegativeNumber);
    simCommand->add_option("--device", sim.device, "cpu or cuda")->check(CLI::IsMember({"cpu", "cuda"}));
    simCommand->add_option("--solver", sim.solver, "Which purlSolver, where the scene has several");
    simCommand->add_option("--set", sim.assignments,
                           "node.attribute=value, any number of times; in the scene's units, or with a unit: 4mm");
    simCommand->add_option("--stats", sim.stats,
                           "Write times and numbers of every frame to this JSON file, print where time went, and "
                           "predict it on 2 to 64 cores");
    simCommand->add_flag("--one-file", sim.oneFile, "One nCache or Alembic file for all frames");
    simCommand->add_option("--checkpoints", sim.checkpoints, "Keep a whole state every so many frames [24; 0: none]")
        ->check(CLI::NonNegativeNumber);
    CLI::Option* branchOption =
        simCommand->add_option("--branch", sim.branch,
                               "Go on from the cache at frame --from with what --set says, into a branch of this name");
    branchOption->needs(simCommand->add_option("--from", sim.from, "First frame of the branch"));
    simCommand->add_flag("--resume", sim.resume, "Go on where an earlier run stopped");
    simCommand->add_flag("-y,--yes", sim.yes, "Simulate without asking what needs more memory than the machine has");
    simCommand
        ->add_option("--progress", sim.progressSeconds,
                     "Seconds between lines of progress within a frame, where stderr is no terminal [10]")
        ->check(CLI::NonNegativeNumber);
    simCommand->add_flag("-q,--quiet", sim.quiet, "No progress");
    simCommand->callback([&] { run = [&] { return purl::simulate(sim); }; });

    purl::RenderOptions render;
    CLI::App* renderCommand = app.add_subcommand("render", "Draw pictures of a cache or a scene");
    renderCommand->add_option("source", render.source, "Cache folder or .ma scene")->required();
    renderCommand->add_option("-o,--out", render.out, "Folder of the pictures [<cache>/frames]");
    renderCommand->add_option("--frames", render.frames, "Frames to draw, A-B [all]");
    renderCommand->add_option("--size", render.size, "Width x height in pixels [960x540]");
    renderCommand->add_option("--camera", render.camera, "Camera of the scene [its renderable one, or one that fits]");
    renderCommand->add_option("--sky", render.sky, "Panorama that lights it and is mirrored, .hdr or .exr [a studio]");
    // Without a type name: the choices stand in the sentence.
    renderCommand
        ->add_option("--studio", render.studio, "Backdrop, ground and sky [what the scene's purlView says, or grey]")
        ->check(CLI::IsMember({"grey", "warm", "plain"}));
    renderCommand
        ->add_option("--format", render.format,
                     "png, exr (linear light, depth, normals, velocities, wetness, ids), png,exr, or json (no picture: "
                     "camera, lights and looks for other renderers) [png]")
        ->check(CLI::IsMember({"png", "exr", "png,exr", "json"}).description(""));
    renderCommand->add_option("--movie", render.movie, "Also make this MP4");
    renderCommand->add_option("--solver", render.solver, "Which purlSolver, where the scene has several");
    renderCommand->add_option("--samples", render.samples, "Moments a picture is the mean of: motion blur [1]")
        ->check(CLI::Range(1, 256));
    renderCommand->add_option("--shutter", render.shutter, "Frames the shutter is open for, with samples [0.5]")
        ->check(CLI::Range(0.0, 4.0));
    renderCommand->add_option("--sheet", render.sheet, "Also make this PNG of all pictures side by side");
    renderCommand->add_option("--show", render.show, showHelp)->check(CLI::IsMember(shows));
    renderCommand->add_option("--scale", render.scale,
                              "What those colours go from and to, like 0-2.5 [the first picture's lowest and highest]");
    renderCommand
        ->add_option("--yarn", render.yarn,
                     "tubes or fibres; for comparison fibres by one stack of quads, or straight from point to point")
        ->check(CLI::IsMember({"tubes", "fibres", "oneStack", "straight"}));
    renderCommand
        ->add_option("--without", render.without, "A pass that draws nothing, for comparison; any number of times")
        ->check(CLI::IsMember({"shadow", "water shadow", "cube", "fluid depth", "refraction", "thickness",
                               "environment", "fluid", "knit", "occlusion", "foam", "glass"}));
    renderCommand->add_option("--cascades", render.cascades, "Shadow maps, near ones finer [4]")
        ->check(CLI::Range(1, 4));
    renderCommand
        ->add_option("--sort", render.sort, "Fibres' depths by cpu or gpu; the same order [gpu, where there is one]")
        ->check(CLI::IsMember({"cpu", "gpu"}));
    renderCommand->add_option("--stats", render.stats, "Also write this JSON: milliseconds of every pass");
    renderCommand->add_flag("--points", render.points, "Particles in place of meshes");
    renderCommand->add_flag("--rays", render.rays, "Liquids by rays through their particles in place of meshes");
    renderCommand->add_flag("--wire", render.wire, "Edges of all meshes, and yarns as lines");
    renderCommand->add_flag("-q,--quiet", render.quiet, "No progress");
    renderCommand->callback([&] { run = [&] { return purl::renderPictures(render); }; });

    purl::ViewOptions view;
    CLI::App* viewCommand = app.add_subcommand("view", "Open a window on a scene or a cache");
    viewCommand->add_option("source", view.source, "Cache folder or .ma scene")->required();
    viewCommand->add_option("--frame", view.frame, "Frame to begin with [the first]");
    viewCommand->add_option("--size", view.size, "Of the window in pixels [1400x840]");
    viewCommand->add_option("--show", view.show, showHelp)->check(CLI::IsMember(shows));
    viewCommand->add_option("--select", view.select, "Node whose settings are shown");
    viewCommand->add_option("--tab", view.tab, "Tab of the panel to open");
    viewCommand->add_option("--set", view.assignments, "node.attribute=value, any number of times");
    viewCommand->add_option("--screenshot", view.screenshot, "Save a picture of the window to this PNG and end");
    viewCommand->callback([&] { run = [&] { return purl::view(view); }; });

    purl::FoamOptions foam;
    CLI::App* foamCommand = app.add_subcommand("foam", "Add spray, foam and bubbles to a cache, into another one");
    foamCommand->add_option("cache", foam.cache, "Cache folder")->required();
    foamCommand->add_option("-o,--out", foam.out, "Folder of the new cache")->required();
    foamCommand->add_option("--body", foam.body, "Which liquid [all]");
    foamCommand->add_option("--set", foam.assignments, "attribute=value, as purlFoam has them, any number of times");
    foamCommand->add_option("--threads", foam.threads, "CPU threads, 0 for all; the result is the same")
        ->check(CLI::NonNegativeNumber);
    foamCommand->add_flag("-q,--quiet", foam.quiet, "No progress");
    foamCommand->callback([&] { run = [&] { return purl::addFoam(foam); }; });

    purl::EditOptions edit;
    CLI::App* editCommand = app.add_subcommand("edit", "Write a scene anew with some attributes changed");
    editCommand->add_option("scene", edit.scene, "Maya ASCII scene (.ma)")->required();
    editCommand->add_option("-o,--out", edit.out, "The new scene (.ma)")->required();
    editCommand->add_option("--set", edit.assignments, "node.attribute=value, any number of times");
    editCommand->add_option("--solver", edit.solver, "Which purlSolver, where the scene has several");
    editCommand->callback([&] { run = [&] { return purl::editScene(edit); }; });

    purl::DoctorOptions doctor;
    CLI::App* doctorCommand = app.add_subcommand("doctor", "Tell what is likely wrong with a scene, and put it right");
    doctorCommand->add_option("scene", doctor.scene, "Maya ASCII scene (.ma)")->required();
    CLI::Option* fixFlag = doctorCommand->add_flag("--fix", doctor.fix, "Put right what can be, into the scene of -o");
    CLI::Option* fixedOption = doctorCommand->add_option("-o,--out", doctor.out, "The new scene (.ma)");
    fixFlag->needs(fixedOption);
    fixedOption->needs(fixFlag);
    doctorCommand->add_option("--solver", doctor.solver, "Which purlSolver, where the scene has several");
    doctorCommand->callback([&] { run = [&] { return purl::examineScene(doctor); }; });

    purl::MelOptions mel;
    CLI::App* melCommand = app.add_subcommand("mel", "Run a MEL script, of the kind that Purl's own are");
    melCommand->add_option("script", mel.script, "The script (.mel)")->required();
    melCommand->add_option("--scene", mel.scene, "Maya ASCII scene to open first [a new one]");
    melCommand->add_option("--path", mel.paths,
                           "Folder that scripts and procedures are looked for in, any number of times");
    melCommand->add_flag("--windows", mel.windows, "With stand-ins for Maya's windows, and tell what they would show");
    melCommand->callback([&] { run = [&] { return purl::runMel(mel); }; });

    std::string source;
    CLI::App* infoCommand = app.add_subcommand("info", "Tell what a cache or a scene holds");
    infoCommand->add_option("source", source, "Cache folder or .ma scene")->required();
    infoCommand->callback([&] { run = [&] { return purl::printInfo(source); }; });

    CLI::App* verifyCommand = app.add_subcommand("verify", "Check every file of a cache against its receipt");
    verifyCommand->add_option("cache", source, "Cache folder")->required();
    int rerun = -1;
    verifyCommand->add_option("--rerun", rerun, "Also simulate up to this frame and compare")
        ->check(CLI::NonNegativeNumber);
    verifyCommand->callback([&] { run = [&] { return purl::verify(source, rerun); }; });

    purl::ConvertOptions convert;
    CLI::App* convertCommand = app.add_subcommand("convert", "Write a cache in other formats, or retimed");
    convertCommand->add_option("cache", convert.cache, "Cache folder")->required();
    convertCommand->add_option("out", convert.out, "A file (.abc) that takes all frames, or the folder of a new cache")
        ->required();
    convertCommand->add_option("--format", convert.formats, "Of a new cache, as in purl sim [as it was]");
    convertCommand->add_option("--frames", convert.frames, "Frames of the new one, A-B [all]");
    convertCommand->add_option("--speed", convert.speed, "0.5 is slow motion")->check(CLI::PositiveNumber);
    convertCommand->add_option("--fps", convert.fps, "Frames per second of the new one [as it was]")
        ->check(CLI::PositiveNumber);
    convertCommand->add_flag("--one-file", convert.oneFile, "One file for all frames, where a format can");
    convertCommand->add_flag("-q,--quiet", convert.quiet, "No progress");
    convertCommand->callback([&] { run = [&] { return purl::convert(convert); }; });

    bool json = false, markdown = false;
    CLI::App* describeCommand = app.add_subcommand("describe", "List every node with its attributes");
    CLI::Option* jsonFlag = describeCommand->add_flag("--json", json, "As JSON");
    describeCommand->add_flag("--markdown", markdown, "As Markdown, the default")->excludes(jsonFlag);
    describeCommand->callback([&] { run = [&] { return purl::describeNodes(json); }; });

    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return app.exit(error);  // --help and --version
        return wrongUse(app, argc, argv, error.what());
    }
    std::signal(SIGINT, onInterrupt);
    std::signal(SIGTERM, onInterrupt);
    std::signal(SIGXFSZ, SIG_IGN);  // a file-size limit is an error like a full disk, not the end
    const bool printsResult =
        infoCommand->parsed() || describeCommand->parsed() || doctorCommand->parsed() || melCommand->parsed();
    try {
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
