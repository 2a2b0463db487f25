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

// Many frames into one file. Arrays go to disk as they come; what is kept is where they stand. All throw Error.
class AlembicWriter : public Reel {
  public:
    explicit AlembicWriter(double fps, Device device = Device::cpu());  // into memory
    // The file is there once finished.
    AlembicWriter(const std::string& path, double fps, Device device = Device::cpu());
    ~AlembicWriter() override;

    // All that the frame holds. Frames come in the order of their numbers; what one of them lacks is empty there.
    void add(const Frame& frame, int number) override;
    void finish() override;
    std::string take();

  private:
    friend FileContent encodeAlembic(const Frame& frame, FileTime time, const Device& device);

    struct Archive;
    std::unique_ptr<Archive> archive_;
};

// Reads what AlembicWriter writes, and of others' files what is named the same.
class AlembicReader {
  public:
    explicit AlembicReader(ByteSource source);
    ~AlembicReader();

    std::vector<int> frames() const;
    // Throws Error where there is no such frame, or the file is damaged.
    Frame read(int number) const;

  private:
    struct Archive;
    std::unique_ptr<Archive> archive_;
};

// The frame must outlive the content.
FileContent encodeAlembic(const Frame& frame, FileTime time, const Device& device = Device::cpu());
Frame decodeAlembic(const std::string& bytes, const std::string& path);

}  // namespace purl
