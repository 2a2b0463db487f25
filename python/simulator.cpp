#include "python/simulator.h"

#include <nanobind/stl/map.h>

#include "python/collect.h"
#include "python/frame.h"
#include "python/scene.h"
#include "python/watch.h"
#include "solver/cache/stateFile.h"
#include "solver/core/hash.h"

namespace purl::python {
namespace {

namespace fs = std::filesystem;

class PySimulator {
  public:
    PySimulator(int threads, const std::string& device) : simulator_(Device::named(device, threads)) {}

    PyFrame reset(const PyScene& scene) {
        moveTo(scene, scene.startFrame);
        return play(scene, [](Simulator& simulator, const Scene& s) -> const Frame& { return simulator.reset(s); });
    }
    PyFrame advanceTo(const PyScene& scene, double time) {
        moveTo(scene, scene.startFrame + time * scene.fps);
        return play(scene, [time](Simulator& simulator, const Scene& s) -> const Frame& {
            return simulator.advanceTo(s, time);
        });
    }
    PyFrame restore(const fs::path& path, const PyScene& scene) {
        return play(scene, [&path](Simulator& simulator, const Scene& s) -> const Frame& {
            return simulator.restore(loadState(path.string()), s);
        });
    }
    void saveState(const fs::path& path) {
        const ExclusiveCall call(busy_, kName);
        purl::saveState(simulator_.state(), path.string());
    }

    std::string stateHash() {
        const ExclusiveCall call(busy_, kName);
        return toHex(hashOf(simulator_.state()));
    }
    double time() {
        const ExclusiveCall call(busy_, kName);
        return simulator_.state().time;
    }
    nb::typed<nb::dict, std::string, double> timings() {
        const ExclusiveCall call(busy_, kName);
        nb::typed<nb::dict, std::string, double> seconds;
        for (const PhaseTime& phase : simulator_.timings()) seconds[phase.phase.c_str()] = phase.seconds;
        return seconds;
    }
    std::vector<std::string> warnings() {
        const ExclusiveCall call(busy_, kName);
        return simulator_.warnings();
    }
    std::string device() const { return simulator_.device().name(); }
    int threads() const { return simulator_.device().threads(); }

    nb::object progress = nb::none();

    template <class Visit>
    void held(Visit&& visit) {
        visit(progress);
    }

  private:
    static constexpr const char* kName = "simulator";

    // A copy, because the simulator replaces its own frame.
    template <class Work>
    PyFrame play(const PyScene& from, Work&& work) {
        const ExclusiveCall call(busy_, kName);
        const Scene scene = sceneOf(from);
        Watch watch(progress);
        simulator_.onCancel([&watch] { return watch.cancelRequested(); });
        simulator_.onProgress([&watch](const Progress& at) { watch.report(at); });
        const Unhook unhook{simulator_};
        return watch.run([&] { return PyFrame{std::make_shared<Frame>(work(simulator_, scene))}; });
    }

    // Removes the simulator's pointer to the watch, which is on the stack, however the call ends.
    struct Unhook {
        Simulator& simulator;
        ~Unhook() {
            simulator.onCancel({});
            simulator.onProgress({});
        }
    };

    Simulator simulator_;
    std::atomic<bool> busy_{false};
};

}  // namespace

void bindSimulator(nb::module_& module) {
    nb::class_<PySimulator>(module, "Simulator", collectable<PySimulator>(),
                            "Owns a device and a state, and advances it to a time.")
        .def(nb::init<int, const std::string&>(), nb::arg("threads") = 0, nb::arg("device") = "cpu",
             "Runs on the CPU with so many threads (0: all; the result is the same) or on \"cuda\".")
        .def("reset", &PySimulator::reset, nb::arg("scene"), "Fills the scene's volumes and sets the time to 0.")
        .def("advance_to", &PySimulator::advanceTo, nb::arg("scene"), nb::arg("time"),
             "Simulates up to `time`, in seconds since the start. `scene` is the scene at that time; colliders move "
             "there at "
             "constant velocity; bodies with an animation are moved first. A time at or before 0 resets. Ctrl-C "
             "cancels and restores the state before the call.")
        .def("save_state", &PySimulator::saveState, nb::arg("path"), "Writes a file to resume from.")
        .def("restore", &PySimulator::restore, nb::arg("path"), nb::arg("scene"),
             "Restores a saved state; `scene` must be the scene at that time.")
        .def_prop_ro("state_hash", &PySimulator::stateHash, "Hash of the current state.")
        .def_prop_ro("time", &PySimulator::time, "Seconds since the start.")
        .def_prop_ro("timings", &PySimulator::timings, "Seconds spent in each phase so far.")
        .def_prop_ro("warnings", &PySimulator::warnings,
                     "Settings that were changed or look questionable, one line each.")
        .def_prop_ro("device", &PySimulator::device)
        .def_prop_ro("threads", &PySimulator::threads)
        .def_rw(
            "on_progress", &PySimulator::progress, nb::arg().none(),
            nb::for_getter(
                nb::sig("def on_progress(self) -> collections.abc.Callable[[float, float, int], None] | None")),
            nb::for_setter(nb::sig("def on_progress(self, tell: collections.abc.Callable[[float, float, int], None] | "
                                   "None, /) -> None")),
            "Called after every time step with the current time, the target time and the number of particles.");
}

}  // namespace purl::python
