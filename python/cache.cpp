#include "solver/cache/cache.h"

#include "python/cache.h"
#include "python/frame.h"
#include "solver/cache/cacheWriter.h"
#include "solver/cache/looks.h"
#include "solver/core/error.h"
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

Look lookIn(const PyCache& cache, const std::string& kind, const std::string& name) {
    const Content content = kind == "points"   ? Content::points
                            : kind == "mesh"   ? Content::mesh
                            : kind == "curves" ? Content::curves
                                               : throw Error(kind + ": an item is points, a mesh or curves");
    return lookOf(cache.manifest(), content, name);
}

// Writes the frames of a simulation that is not a .ma scene.
class PyCacheWriter {
  public:
    PyCacheWriter(const fs::path& directory, const std::string& format, double fps, bool oneFile) {
        CacheSettings settings;
        settings.fps = fps;
        if (!format.empty()) settings.formats = splitFormats(format);
        settings.oneFile = oneFile;
        writer_.emplace(directory.string(), settings);
    }
    void write(int number, const PyFrame& frame) {
        if (!writer_) throw Error("the cache is closed; no more frames can be written");
        const nb::gil_scoped_release unlocked;
        writer_->write(number, *frame.frame);
    }
    void close() {
        if (!writer_) return;
        const nb::gil_scoped_release unlocked;
        writer_->finish();
        writer_.reset();
    }

  private:
    std::optional<CacheWriter> writer_;
};

}  // namespace

void bindCache(nb::module_& module) {
    nb::class_<Look>(module, "Look", "How USD renderers are to draw an item of a cache.")
        .def_ro("material", &Look::material, nb::sig("def material(self) -> str | None"),
                "A material of looks.usda; None: the item's displayColor.")
        .def_ro("arnold_mode", &Look::arnoldMode, nb::sig("def arnold_mode(self) -> str | None"),
                "primvars:arnold:mode; None: Arnold's default.")
        .def_ro("arnold_opaque", &Look::arnoldOpaque, "primvars:arnold:opaque")
        .def_ro("double_sided", &Look::doubleSided, "Seen from behind too.")
        .def("__repr__", [](const Look& self) {
            return std::string("<purl.Look ") + (self.material ? self.material : "displayColor") + ">";
        });
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
        .def("look", &lookIn, nb::arg("kind"), nb::arg("name"),
             nb::sig("def look(self, kind: typing.Literal['points', 'mesh', 'curves'], name: str) -> Look"),
             "The look of an item in USD.")
        .def("__len__", [](const PyCache& self) { return self.numbers().size(); })
        .def("__repr__", [](const PyCache& self) { return "<purl.Cache " + self.directory() + ">"; });
    nb::class_<PyCacheWriter>(module, "CacheWriter",
                              "Writes frames of a Simulator as a cache, for scenes that a script animates itself. Use "
                              "it in a with statement, "
                              "or call close().")
        .def(nb::init<const fs::path&, const std::string&, double, bool>(), nb::arg("directory"),
             nb::arg("format") = "", nb::arg("fps") = 24.0, nb::arg("one_file") = false,
             nb::sig(
                 "def __init__(self, directory: str | os.PathLike, format: str = '', fps: float = 24, one_file: bool = "
                 "False) -> None"),
             "Starts a new cache in the folder, in place of one that Purl wrote there. `format` is a list like "
             "\"mcx,abc\".")
        .def("write", &PyCacheWriter::write, nb::arg("number"), nb::arg("frame"), "Writes a frame under this number.")
        .def("close", &PyCacheWriter::close, "Finishes the cache.")
        .def("__enter__", [](nb::object self) { return self; })
        .def(
            "__exit__", [](PyCacheWriter& self, nb::args) { self.close(); }, nb::arg("exception"),
            nb::sig("def __exit__(self, *exception: object) -> None"));
    module.def(
        "read_cache", [](const fs::path& directory) { return std::make_unique<PyCache>(directory); },
        nb::arg("directory"), nb::sig("def read_cache(directory: str | os.PathLike) -> Cache"),
        "Opens a folder that `purl sim` or a purlCache node wrote.");
}

}  // namespace purl::python
