// Meshes on disk as an animation: numbered OBJ or PLY files, or a cache of another program with many frames.
#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "solver/frame.h"

namespace purl {

class ForeignCache;

class MeshSequence {
  public:
    // `files` is a path in which # stand for the digits of the frame number (dancer.####.obj), one file for all frames,
    // or a cache of another program (foreignCache.h), of which `item` names the mesh; empty: its only one. A relative
    // path is looked up in `folder`, if it is not empty, then in the working directory. Throws Error if there is no
    // such file or its type is unknown.
    explicit MeshSequence(const std::string& files, const std::string& item = {}, const std::string& folder = {});
    ~MeshSequence();
    MeshSequence(MeshSequence&&) noexcept;
    MeshSequence& operator=(MeshSequence&&) noexcept;

    // The faces of geometry caches of Maya, which contain vertices only: those of the mesh that was cached.
    void setFaces(Faces faces) { faces_ = std::move(faces); }
    // The mesh at a frame, in the unit of the files: interpolated linearly between two frames, and constant before the
    // first and after the last. Throws Error if their topology differs or a file cannot be read.
    Mesh at(double frame);
    std::vector<double> frames() const;      // that exist, with samples between frames
    std::vector<std::string> files() const;  // all of them
    // The path of `files` with its folder, as it was found.
    const std::string& path() const { return path_; }

  private:
    const Mesh& load(double frame);
    void addFaces(Mesh& mesh) const;

    std::string path_, item_;
    std::map<double, std::string> paths_;  // by frame; a cache has all samples, also between frames
    std::unique_ptr<ForeignCache> cache_;
    std::map<double, Mesh> read_;  // the samples used last
    Faces faces_;
};

// All files that such a sequence reads; empty if there are none.
std::vector<std::string> sequenceFiles(const std::string& files, const std::string& folder = {});

}  // namespace purl
