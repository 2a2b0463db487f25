// Meshes on disk as an animation: numbered OBJ or PLY files, or an Alembic file with many frames.
#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "solver/frame.h"

namespace purl {

class AlembicReader;

class MeshSequence {
  public:
    // `files` is a path in which # stand for the digits of the frame number (dancer.####.obj), one file for all frames,
    // or an Alembic file, of which `item` names the mesh; empty: its only one. A relative path is looked up in
    // `folder`, if it is not empty, then in the working directory. Throws Error if there is no such file or its type is
    // unknown.
    explicit MeshSequence(const std::string& files, const std::string& item = {}, const std::string& folder = {});
    ~MeshSequence();
    MeshSequence(MeshSequence&&) noexcept;
    MeshSequence& operator=(MeshSequence&&) noexcept;

    // The mesh at a frame, in the unit of the files: interpolated linearly between two frames, and constant before the
    // first and after the last. Throws Error if their topology differs or a file cannot be read.
    Mesh at(double frame);
    std::vector<int> frames() const;         // that exist
    std::vector<std::string> files() const;  // all of them
    // The path of `files` with its folder, as it was found.
    const std::string& path() const { return path_; }

  private:
    const Mesh& load(int frame);

    std::string path_, item_;
    std::map<int, std::string> paths_;  // by frame number; an Alembic file has all frames
    std::unique_ptr<AlembicReader> alembic_;
    std::map<int, Mesh> read_;  // the frames used last
};

// All files that such a sequence reads; empty if there are none.
std::vector<std::string> sequenceFiles(const std::string& files, const std::string& folder = {});

}  // namespace purl
