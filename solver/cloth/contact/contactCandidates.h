// Broad phase of cloth contact: pairs of features (a vertex and a face, two edges) of cloths and solids that may touch
// in the small steps to come. Points are predicted to go on as they do; as long as a point keeps to that within the
// skin, what is listed of its patches holds. Those that do not are predicted elsewhere, and their patches listed again.
// Neighbours on a cloth that move as one are passed over. Every frame begins with an empty list, so that one that is
// resumed goes on with the same bits.
#pragma once
#include <vector>

#include "solver/cloth/contact/contactGeometry.h"
#include "solver/cloth/contact/featurePair.h"
#include "solver/cloth/contact/movingTree.h"
#include "solver/cloth/contact/neighborhoods.h"

namespace purl {

// A pair of features; see FeaturePair.
struct Candidate {
    int v[4];
    FeaturePair kind;
    float thickness;  // m, how far apart they are to be
};

// Up to eight pairs; what is missing to eight is the first again.
struct alignas(32) CandidateBlock {
    int v[4][8];
    float thickness[8];  // m
    // m and m², when they were last measured: from the second's nearest point to the first's. distance2 of 0: never, or
    // they touch.
    float separation[3][8], distance2[8];
    FeaturePair kind;
    int count, sameCloth;  // sameCloth: a bit each

    Candidate at(int l) const { return {{v[0][l], v[1][l], v[2][l], v[3][l]}, kind, thickness[l]}; }
    void add(const int (&pair)[4], float distance, bool same) {
        const int end = count ? count + 1 : 8;
        for (int l = count; l < end; ++l) {
            for (int k = 0; k < 4; ++k) v[k][l] = pair[k];
            thickness[l] = distance;
        }
        sameCloth |= same ? 1 << count : 0;
        ++count;
    }
};

// Of a group of features, and of later groups: pairs of one from each.
struct CandidateList {
    std::vector<CandidateBlock> blocks;
    std::vector<int> partners;  // the later groups that are in it
    bool measured = false;      // whether all pairs are measured, or known to be kept apart in this step
};

// Where up to eight points are predicted at the first and at the last step.
struct alignas(32) PositionBlock {
    float x[2][3][8];
};
// What a group of features takes up along its mean normal, as a moving box does along an axis.
struct Slab {
    Vec3 n;  // 0: it has no faces
    float low[2], high[2];
    float reach;  // |nₓ| + |n_y| + |n_z|: how far a point that strays by 1 along each axis gets
};

class ContactCandidates {
  public:
    explicit ContactCandidates(const Device& device);

    // To be called when the geometry are others.
    void invalidateGeometry() {
        neighborhoodsSet_ = false;
        invalidateColliders();
    }
    // To be called when solids are others.
    void invalidateColliders() {
        groupsSet_ = false;
        invalidate();
    }
    // To be called when nothing that was predicted is to hold.
    void invalidate() {
        searched_ = false;
        skin_ = step_ = 0;
        searchesSinceUpdate_ = 0;
    }

    // All points of the geometry go from `from` to `to` in this small step. `changed`: the points whose `to` is another
    // than in the last call, in the same step; null: all. Lists that are not `measured` may be others than before.
    void find(const ContactGeometry& geometry, const Buffer<MassPoint>& from, const Buffer<MassPoint>& to,
              const std::vector<int>* changed = nullptr);
    // To be called when a small step is over.
    void endStep();

    bool searched() const { return searched_; }
    // Of patches of cloths, then of groups of solids' edges.
    std::vector<CandidateList>& lists() { return lists_; }
    // Which groups have a point.
    Span<const int> groupsOf(int point) const {
        return {groupOf_.data() + groupStarts_[point], groupStarts_[point + 1] - groupStarts_[point]};
    }

  private:
    // Where the blocks of a group's features begin.
    struct Group {
        int triangles, edges, points, end;
        int corners, cornersEnd;  // blocks of all its points
        int body;
    };
    struct Lister;
    struct Pending;

    void setGroups(const ContactGeometry& geometry);
    void rebuild(const ContactGeometry& geometry, const Buffer<MassPoint>& from, const Buffer<MassPoint>& to);
    // Of the i-th point: it goes on from where it is as it does.
    void predict(int i, Vec3 from, Vec3 to);
    // m, how far a group's boxes reach beyond where its points are predicted.
    float marginOf(const ContactGeometry& geometry, int group) const;
    // The boxes of a whole group, and those of its features.
    void fitGroup(const ContactGeometry& geometry, int group);
    void fitBoxes(const ContactGeometry& geometry, int group);
    bool isSeparatedBySlab(int one, int other, float thickness) const;
    void findPartners(const ContactGeometry& geometry, int group, bool whole);
    // Which of a group's features have points that strayed.
    void markDirty(int group);
    // `whole`: not only what has points that strayed.
    void listCandidates(const ContactGeometry& geometry, bool whole);

    Device device_;
    Neighborhoods neighborhoods_;
    bool searched_ = false, neighborhoodsSet_ = false, groupsSet_ = false;
    int patches_ = 0;              // the first groups
    int searchesSinceUpdate_ = 0;  // searches since all neighbourhoods were looked at
    Buffer<Group> groups_;
    Buffer<FeatureBlock> features_;
    Buffer<int> groupStarts_, groupOf_;  // of each point
    Buffer<MassPoint> rest_;

    // Each point is predicted to go from its place by a step's displacement a step. As long as none strays from that by
    // half the skin along an axis, no others can touch.
    Buffer<MassPoint> predicted_, displacement_,
        predictedEnd_;            // predictedEnd_: where it is predicted at the end of all steps
    float skin_ = 0;              // m
    float steps_ = 0, step_ = 0;  // how many the lists are made for, and how many have passed
    Buffer<MovingBoxes> boxes_;   // of where features are predicted, and what may touch them there
    Buffer<int> dirty_;           // of each block, bits of features with points that strayed
    Buffer<MovingBox> groupBoxes_;
    Buffer<FeatureBlock> corners_;     // of each group, its points
    Buffer<PositionBlock> positions_;  // of each block of corners
    Buffer<Slab> slabs_;               // of each group
    MovingTree tree_;                  // over patches
    OrderedList<int> strayed_, overlapped_;
    std::vector<int> changedGroups_, relisted_;  // groups whose boxes are others, and groups that are listed again
    std::vector<int> groupsToFit_;
    std::vector<std::vector<int>> partners_;  // of each group that is listed again: which may touch it
    std::vector<char> isStrayed_;             // of points
    // Of groups: whether they have strayed points, neighbours that move as one no more, and boxes of their features.
    std::vector<char> isChanged_, isLost_, hasBoxes_;
    std::vector<CandidateList> lists_;
};

}  // namespace purl
