#include "python/sim.h"

#include <nanobind/stl/pair.h>

#include "farm/playback.h"
#include "python/collect.h"
#include "python/frame.h"
#include "python/scene.h"
#include "python/watch.h"
#include "solver/core/hash.h"

namespace purl::python {
namespace {

namespace fs = std::filesystem;

// A Python value as text for an assignment: True → on, (1, 2, 3) → 1 2 3.
std::string textOf(nb::handle value) {
    if (nb::isinstance<nb::bool_>(value)) return nb::cast<bool>(value) ? "on" : "off";
    if (nb::isinstance<nb::str>(value)) return nb::cast<std::string>(value);
    if (!PySequence_Check(value.ptr())) return nb::str(value).c_str();
    std::string text;
    for (const nb::handle item : nb::iter(value)) text += (text.empty() ? "" : " ") + textOf(item);
    return text;
}

class PySim {
  public:
    PySim(const fs::path& scene, const nb::object& settings, std::optional<int> threads,
          const std::optional<std::string>& device, const std::string& solver)
        : playback_(
              scene.string(),
              [this](host::Severity severity, const std::string& text) {
                  if (severity == host::Severity::Warning) warnings_.push_back(text);
              },
              solver) {
        if (threads) set(playback_.solverName() + ".threads", nb::int_(*threads));
        if (device) set(playback_.solverName() + ".device", nb::cast(*device));
        if (settings.is_none()) return;
        for (const auto& [attribute, value] : nb::cast<nb::dict>(settings))
            set(nb::cast<std::string>(attribute), value);
    }

    void set(const std::string& attribute, nb::handle value) {
        const ExclusiveCall call(busy_, kName);
        playback_.set(attribute + "=" + textOf(value));
    }

    PyFrame frame(int number) {
        const ExclusiveCall call(busy_, kName);
        Watch watch(progress);
        playback_.solver().onCancel([&watch] { return watch.cancelRequested(); });
        playback_.solver().onProgress([&watch](const Progress& at) { watch.report(at); });
        const Unhook unhook{playback_.solver()};
        return watch.run([&] { return PyFrame{playback_.frame(number)}; });
    }

    nb::object writeCache(const fs::path& directory, std::optional<std::pair<int, int>> frames,
                          const std::string& format, bool oneFile, int checkpoints) {
        {
            const ExclusiveCall call(busy_, kName);
            const FrameRange wanted = frames ? FrameRange{frames->first, frames->second} : playback_.playbackRange();
            if (wanted.last < wanted.first) throw Error("frames: the last frame is before the first");
            CacheTarget target;
            target.directory = directory.string();
            if (!format.empty()) target.formats = splitFormats(format);
            target.oneFile = oneFile;
            target.first = wanted.first;
            target.checkpoints = checkpoints;
            Watch watch(progress);
            playback_.solver().onCancel([&watch] { return watch.cancelRequested(); });
            playback_.solver().onProgress([&watch](const Progress& at) { watch.report(at); });
            const Unhook unhook{playback_.solver()};
            watch.run([&] {
                playback_.restart();
                playback_.writeCache(target);
                const int first = std::min(playback_.startFrame(), wanted.first);
                const auto played = playback_.play({first, wanted.last}, [](int, const FrameFuture&) { return true; });
                playback_.writeNothing();
                if (played.cancelled) throw Cancelled();
            });
        }
        return nb::module_::import_("purl").attr("read_cache")(directory);
    }

    PyScene scene() {
        const ExclusiveCall call(busy_, kName);
        return pySceneOf(playback_.solver().scene());
    }
    nb::typed<nb::dict, std::string, double> timings() {
        const ExclusiveCall call(busy_, kName);
        nb::typed<nb::dict, std::string, double> seconds;
        if (const Simulator* simulator = playback_.solver().simulator())
            for (const PhaseTime& phase : simulator->timings()) seconds[phase.phase.c_str()] = phase.seconds;
        return seconds;
    }

    void save(const fs::path& path) {
        const ExclusiveCall call(busy_, kName);
        playback_.save(path.string());
    }

    std::string identity() {
        const ExclusiveCall call(busy_, kName);
        return toHex(hashOf(playback_.identity()));
    }
    double fps() const { return playback_.fps(); }
    std::pair<int, int> range() const { return {playback_.playbackRange().first, playback_.playbackRange().last}; }
    int startFrame() const { return playback_.startFrame(); }
    const std::vector<std::string>& notes() const { return playback_.loadNotes(); }
    const std::vector<std::string>& warnings() const { return warnings_; }
    const std::string& path() const { return playback_.path(); }

    nb::object progress = nb::none();

    template <class Visit>
    void held(Visit&& visit) {
        visit(progress);
    }

  private:
    static constexpr const char* kName = "sim";

    // Removes the solver's pointer to the watch, which is on the stack, however the call ends.
    struct Unhook {
        SolverNode& solver;
        ~Unhook() {
            solver.onCancel({});
            solver.onProgress({});
        }
    };

    std::vector<std::string> warnings_;  // before the playback, which writes to it
    Playback playback_;
    std::atomic<bool> busy_{false};
};

}  // namespace

nb::object writeCacheOf(const PyScene& scene, const fs::path& directory, int lastFrame, const std::string& format,
                        int threads, bool oneFile, int checkpoints) {
    fs::path path = directory;
    path += ".ma";
    if (path.has_parent_path()) fs::create_directories(path.parent_path());
    save(scene, lastFrame, path.string());
    PySim sim(path, nb::none(), threads, std::nullopt, "");
    return sim.writeCache(directory, std::nullopt, format, oneFile, checkpoints);
}

void bindSim(nb::module_& module) {
    nb::class_<PySim>(module, "Sim", collectable<PySim>(), "Plays a Maya scene without Maya, with the same nodes.")
        .def("frame", &PySim::frame, nb::arg("number"),
             "The frame with its meshes, in scene units. Simulates from the last frame, or from the start when going "
             "back, so that calls in any order give the same bits. Ctrl-C cancels.")
        .def("set", &PySim::set, nb::arg("attribute"), nb::arg("value"),
             nb::sig(
                 "def set(self, attribute: str, value: float | bool | str | collections.abc.Sequence[float]) -> None"),
             "Sets \"node.attribute\", in the scene's units.")
        .def("write_cache", &PySim::writeCache, nb::arg("directory"), nb::arg("frames") = nb::none(),
             nb::arg("format") = "", nb::arg("one_file") = false, nb::arg("checkpoints") = 24,
             nb::sig(
                 "def write_cache(self, directory: str | os.PathLike, frames: tuple[int, int] | None = None, format: "
                 "str = '', one_file: bool = False, checkpoints: int = 24) -> Cache"),
             "Simulates from the start, and caches the frames from the first to the last of `frames` as `purl sim` "
             "does: "
             "the same files and hashes. None: the playback range. `format` is a list like \"mcx,abc\"; `checkpoints` "
             "is "
             "the number of frames between states that a branch can continue from.")
        .def("save", &PySim::save, nb::arg("path"), nb::sig("def save(self, path: str | os.PathLike) -> None"),
             "Writes the scene as it is now as Maya ASCII.")
        .def_prop_ro("fps", &PySim::fps, "Frames per second.")
        .def_prop_ro("range", &PySim::range, "First and last frame of the playback range.")
        .def_prop_ro("start_frame", &PySim::startFrame, "First simulated frame.")
        .def_prop_ro("notes", &PySim::notes, "One line for everything that was skipped or replaced while loading.")
        .def_prop_ro("warnings", &PySim::warnings, "Warnings of nodes so far, one line each.")
        .def_prop_ro(
            "identity", &PySim::identity,
            "Hash of everything that determines the result: scene, input files, set attributes, solver, version of "
            "Purl. A cache with the same identity holds the same frames.")
        .def_prop_ro("path", &PySim::path, "The scene file.")
        .def_prop_ro("scene", &PySim::scene, "A copy of the solver's input for the last frame, in SI units.")
        .def_prop_ro("timings", &PySim::timings, "Seconds spent in each phase so far.")
        .def_rw(
            "on_progress", &PySim::progress, nb::arg().none(),
            nb::for_getter(
                nb::sig("def on_progress(self) -> collections.abc.Callable[[float, float, int], None] | None")),
            nb::for_setter(nb::sig("def on_progress(self, tell: collections.abc.Callable[[float, float, int], None] | "
                                   "None, /) -> None")),
            "Called after every time step with the current time, the target time and the number of particles.")
        .def("__repr__", [](const PySim& self) { return "<purl.Sim " + self.path() + ">"; });
    module.def(
        "load",
        [](const fs::path& scene, const nb::object& set, std::optional<int> threads,
           const std::optional<std::string>& device,
           const std::string& solver) { return std::make_unique<PySim>(scene, set, threads, device, solver); },
        nb::arg("scene"), nb::arg("set") = nb::none(), nb::arg("threads") = nb::none(), nb::arg("device") = nb::none(),
        nb::arg("solver") = "",
        nb::sig(
            "def load(scene: str | os.PathLike, set: collections.abc.Mapping[str, float | bool | str | "
            "collections.abc.Sequence[float]] | None = None, threads: int | None = None, device: str | None = None, "
            "solver: str = '') -> Sim"),
        "Loads a .ma scene. `set` changes attributes; `threads` and `device` override the solver's; `solver` names the "
        "purlSolver to play if there are several.");
}

}  // namespace purl::python
