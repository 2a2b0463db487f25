// Caches of other programs: Maya's nCache, Alembic (Ogawa) and USD as text, with their frames by number.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "solver/frame.h"

namespace purl {

// What a reader of one kind of files offers.
class ForeignSource {
  public:
    virtual ~ForeignSource() = default;

    virtual std::string kind() const = 0;
    virtual double fps() const = 0;
    virtual std::vector<double> times() const = 0;  // of the samples, in frames, ascending
    virtual Frame read(double time) const = 0;      // at one of them
    virtual std::vector<std::string> files() const = 0;
    virtual std::vector<std::string> notes() const { return {}; }
};

class ForeignCache {
  public:
    // Whether it is one, by its name and content: an nCache description or data file, a folder with descriptions and
    // without a manifest, .abc, .usd, .usda, .usdc or .usdz.
    static bool accepts(const std::string& path);

    // `topology`: a file with meshes whose faces are given to the vertices of geometry caches, which have none; empty:
    // they stay without. Throws Error if the file is damaged or holds nothing that is read.
    explicit ForeignCache(const std::string& path, const std::string& topology = {});
    ~ForeignCache();
    ForeignCache(ForeignCache&&) noexcept;

    const std::string& path() const { return path_; }
    std::string kind() const { return source_->kind(); }
    double fps() const { return source_->fps(); }
    const std::vector<double>& times() const { return times_; }
    // The whole ones among the times.
    std::vector<int> frames() const;
    std::vector<std::string> files() const { return source_->files(); }
    // What the files contain and is not read, and other things to know.
    std::vector<std::string> notes() const { return source_->notes(); }
    // Interpolated between two samples (retime.h). Throws Error before the first and after the last.
    Frame at(double time) const;

  private:
    std::string path_;
    std::unique_ptr<ForeignSource> source_;
    std::vector<double> times_;
    std::vector<Mesh> topology_;
};

}  // namespace purl
