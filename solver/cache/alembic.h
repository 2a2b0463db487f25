// Alembic archives (Ogawa): fluids as points, liquids and cloths as polygon meshes, knits as Catmull-Rom curves, each
// under a transform of its name, sampled once a frame. Written from public descriptions of the format, without its
// library. Times are frame / fps; velocities are units per second; widths are diameters.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "solver/cache/file.h"
#include "solver/cache/format.h"
#include "solver/frame.h"

namespace purl {

// Writes many frames into one file. Arrays go to disk immediately; only their offsets stay in memory. All functions
// throw Error.
class AlembicWriter : public Reel {
  public:
    explicit AlembicWriter(double fps, Device device = Device::cpu());  // into memory
    // The file appears under its name in finish().
    AlembicWriter(const std::string& path, double fps, Device device = Device::cpu());
    ~AlembicWriter() override;

    // Appends the whole frame. Frames must come in ascending order; an item that a frame lacks gets an empty sample.
    void add(const Frame& frame, int number) override;
    void finish() override;
    std::string take();

  private:
    friend FileContent encodeAlembic(const Frame& frame, FileTime time, const Device& device);

    struct Archive;
    std::unique_ptr<Archive> archive_;
};

// Reads points, meshes and curves of any archive (Ogawa), placed by the transforms above them. Arrays hold their last
// sample. Widths of points that Maya exported are radii, those of other programs diameters.
class AlembicReader {
  public:
    explicit AlembicReader(ByteSource source);
    ~AlembicReader();

    std::vector<int> frames() const;
    double fps() const;
    // Throws Error if there is no such frame or the file is damaged.
    Frame read(int number) const;

  private:
    struct Archive;
    std::unique_ptr<Archive> archive_;
};

// The frame must outlive the content.
FileContent encodeAlembic(const Frame& frame, FileTime time, const Device& device = Device::cpu());
Frame decodeAlembic(const std::string& bytes, const std::string& path);

}  // namespace purl
