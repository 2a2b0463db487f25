#include "solver/cache/cache.h"

#include "python/cache.h"
#include "python/frame.h"
#include "solver/core/hash.h"

namespace purl::python {
namespace {

namespace fs = std::filesystem;

class PyCache {
  public:
    explicit PyCache(const fs::path& directory) : directory_(directory.string()), reader_(directory_) {}

    std::vector<int> numbers() const { return reader_.frames(); }
    PyFrame frame(double number) {
        const nb::gil_scoped_release unlocked;
        return {std::make_shared<Frame>(reader_.at(number))};
    }
    const Manifest& manifest() const { return reader_.manifest(); }
    std::vector<std::string> verify() const {
        const nb::gil_scoped_release unlocked;
        return verifyCache(directory_);
    }
    const std::string& directory() const { return directory_; }

  private:
    std::string directory_;
    CacheReader reader_;
};

}  // namespace

void bindCache(nb::module_& module) {
    nb::class_<PyCache>(module, "Cache", "The frames of a cache folder, read on demand.")
        .def("frame", &PyCache::frame, nb::arg("number"),
             "Reads a frame, or interpolates one such as 12.5; raises Error if it is missing or damaged.")
        .def("verify", &PyCache::verify, "Checks every file against the manifest. Returns one line per problem.")
        .def_prop_ro("numbers", &PyCache::numbers, "Numbers of the frames it holds, ascending.")
        .def_prop_ro(
            "fps", [](const PyCache& self) { return self.manifest().fps; }, "Frames per second.")
        .def_prop_ro(
            "meters_per_unit", [](const PyCache& self) { return self.manifest().metersPerUnit; },
            "Lengths in its frames times this are metres.")
        .def_prop_ro(
            "scene", [](const PyCache& self) { return self.manifest().scenePath; }, "The scene file it was made from.")
        .def_prop_ro(
            "identity", [](const PyCache& self) { return toHex(self.manifest().identity); },
            "Identity of the run that wrote it; see Sim.identity.")
        .def("__len__", [](const PyCache& self) { return self.numbers().size(); })
        .def("__repr__", [](const PyCache& self) { return "<purl.Cache " + self.directory() + ">"; });
    module.def(
        "read_cache", [](const fs::path& directory) { return std::make_unique<PyCache>(directory); },
        nb::arg("directory"), nb::sig("def read_cache(directory: str | os.PathLike) -> Cache"),
        "Opens a folder that `purl sim` or a purlCache node wrote.");
}

}  // namespace purl::python
