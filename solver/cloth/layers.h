// Layers of cloth that lie on each other, and on the edges and corners of solids: points and triangles, edges and edges
// are pushed apart to the cloth's thickness, and then no way of a step that would let them cross is gone to its end
// (repulsions and impact zones after Bridson et al. 2002, the test of ways after Li et al. 2021). From a start without
// crossings there never are any, but where points that are led, pins or solids, leave no other place.
#pragma once
#include <vector>

#include "solver/cloth/fabric.h"
#include "solver/contact/approach.h"
#include "solver/contact/colliders.h"
#include "solver/search/boxTree.h"

namespace purl {

// What a point is of: a cloth, or a solid.
struct Sheet {
    float half = 0;     // m, half of what its layers keep between them; of a solid what it keeps from cloth
    float toSolid = 0;  // m, what a cloth keeps from solids besides
    float friction = 0;
    int robust = 0;  // whether the cloth minds itself and others that do
    int solid = 0;
};

// A triangle of cloth, or an edge of a solid, and which of its points and edges it speaks for, so that each is looked
// at once.
struct Item {
    int v[3];
    int points = 0, edges = 0;  // a bit each: edge k is from corner k to the next
    int triangle = 1;
};

// Two things that may meet; see Passing.
struct Meeting {
    int v[4];
    Passing passing;
    float keep;  // m, how far apart they are to be
};

// One that has come too near: weights as in Nearest, and the way out of the first.
struct Press {
    int v[4];
    float w[4];
    Vec3 n;
    float keep;
};

class Layers {
  public:
    explicit Layers(const Device& device);

    // Takes up the cloths; `rest`: all their points without strain.
    void set(const std::vector<Fabric>& fabrics, Span<const Vec3> rest);
    // Takes up the solids for one small step.
    void moveSolids(Span<const PlacedCollider> placed);
    // Whether there is anything to keep apart.
    bool any() const { return robust_ || !solids_.empty(); }

    // Points went from `before` to x with v, all cloths' in a row. Pushes layers apart that are nearer than their
    // thickness; what approaches comes to rest, and rubs.
    void pushApart(const Buffer<Vec3>& before, Buffer<Vec3>& x, Buffer<Vec3>& v, float dt);
    // To be called last: changes what would cross on its way from `before` to x.
    void holdBack(const Buffer<Vec3>& before, Buffer<Vec3>& x, Buffer<Vec3>& v, float dt);

    // Of the last holdBack, how many points it had to move as one with others: 0 in all but the worst jams.
    int jammed() const { return jammed_; }
    int meetings() const { return meetings_.size(); }

  private:
    void setItems(const std::vector<Fabric>& fabrics, Span<const Vec3> rest);
    void setSolids(Span<const PlacedCollider> placed);
    void load(const Buffer<Vec3>& before, const Buffer<Vec3>& x, const Buffer<Vec3>& v, float dt);
    bool findMeetings();  // whether it looked anew
    void listPresses();
    int checkWays();
    void pushBack();
    void moveAsOne();

    Device device_;
    bool robust_ = false;
    int clothPoints_ = 0, clothItems_ = 0;
    float skin_ = 0;  // m
    std::vector<unsigned> versions_;
    std::vector<int> solidKinds_;  // what the solids were made from: shape and number of triangles, one a collider
    struct Solid {
        int collider, first;  // its first point
        std::vector<int> corners;
    };
    std::vector<Solid> solids_;

    Buffer<Item> items_;  // of cloth in the tree's order, then of solids
    Buffer<int> sheetOf_;
    Buffer<Sheet> sheets_;
    Buffer<float> inverseMass_;
    Buffer<Vec3> rest_, outward_;  // outward: of solids' points, or zero where there is no inside
    Buffer<Vec3> from_, to_, v_;   // of all points, solids' behind cloths'
    // What was foreseen when meetings were last looked for: each point from its place on a step's way a step. As long
    // as none strays from that by half the skin, no others can meet.
    Buffer<Vec3> foreseen_, way_;
    float steps_ = 0, step_ = 0;  // how many were foreseen, and have passed
    Buffer<Bounds> reach_;
    BoxTree tree_;
    bool searched_ = false;
    Buffer<Meeting> meetings_;
    std::vector<std::vector<Meeting>> pieces_;  // of the search
    Buffer<int> near_, starts_;
    Buffer<Press> allPresses_, presses_;
    Buffer<int> pressStarts_, pressParts_;  // of each point: 4 · press + which of its four
    Buffer<Vec3> move_, kick_;              // of each press
    Buffer<int> changed_;                   // of each point, since ways were checked; empty: all
    Buffer<float> share_;                   // of each meeting's ways
    std::vector<int> hits_;
    int jammed_ = 0;
};

}  // namespace purl
