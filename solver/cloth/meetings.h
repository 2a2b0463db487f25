// Meetings: which points and triangles, edges and edges of cloths and solids may meet in the small steps to come. They
// are looked for seldom: what was foreseen holds as long as nothing strays from it, and neighbours on a cloth that move
// as one are passed over. Every frame begins without foresight, so that one that is resumed goes on with the same bits.
#pragma once
#include <vector>

#include "solver/cloth/layerParts.h"
#include "solver/cloth/neighborhoods.h"
#include "solver/contact/approach.h"
#include "solver/search/boxTree.h"

namespace purl {

// Two things that may meet; see Passing.
struct Meeting {
    int v[4];
    Passing passing;
    float keep;  // m, how far apart they are to be
};

class Meetings {
  public:
    explicit Meetings(const Device& device);

    // To be called when the parts are others.
    void set(const LayerParts& parts);
    // To be called when solids are others, or anything else that was foreseen is not to hold.
    void forget() {
        searched_ = false;
        skin_ = step_ = 0;
    }

    // All points of the parts go from `from` to `to` in this small step. Whether meetings are others than before.
    bool find(const LayerParts& parts, const Buffer<Vec3>& from, const Buffer<Vec3>& to);
    // To be called when a small step is over.
    void stepEnds() { step_ += 1; }

    bool searched() const { return searched_; }
    const Buffer<Meeting>& all() const { return meetings_; }

  private:
    void foreseeAll(const LayerParts& parts, const Buffer<Vec3>& from, const Buffer<Vec3>& to);
    int foreseeStrayed(const LayerParts& parts, const Buffer<Vec3>& from, const Buffer<Vec3>& to);
    void foresee(const LayerParts& parts, const Buffer<Vec3>& from, const Buffer<Vec3>& to, float most);
    void fitTree(const LayerParts& parts);
    void listMarked(const LayerParts& parts);

    Device device_;
    Neighborhoods neighborhoods_;
    bool searched_ = false, neighborhoodsSet_ = false;
    // What was foreseen when meetings were last looked for: each point from its place on a step's way a step. As long
    // as none strays from that by half the skin, no others can meet.
    Buffer<Vec3> foreseen_, way_;
    Vec3 drift_;                    // m a step, the mean of all
    float skin_ = 0;                // m
    float steps_ = 0, step_ = 0;    // how many were foreseen, and have passed
    Buffer<Bounds> reach_, boxes_;  // of points, and of triangles
    Buffer<int> strayed_, marked_;  // of points, and of patches that are listed anew
    Buffer<int> patchStarts_;
    BoxTree tree_;                             // over patches
    std::vector<std::vector<Meeting>> lists_;  // of each patch, and each edge of a solid
    Buffer<Meeting> meetings_;
};

}  // namespace purl
