// purl.load and purl.Sim: play a Maya scene without Maya, with the same nodes.
#pragma once
#include "python/scene.h"

namespace purl::python {

// Saves the scene as directory.ma, simulates it up to a frame, and writes a cache; returns the purl.Cache.
nanobind::object writeCacheOf(const PyScene& scene, const std::filesystem::path& directory, int lastFrame,
                              const std::string& format, int threads, bool oneFile, int checkpoints);

void bindSim(nanobind::module_& module);

}  // namespace purl::python
