// Broad phase of cloth contact: contact candidates are feature pairs (vertex–face, edge–edge) of cloths and colliders
// that may touch in the next substeps. Each point is predicted to keep its velocity; candidates stay valid while points
// remain within a Verlet skin around their predicted path. Points that leave it are predicted again and their patches
// relisted. Neighbouring patches that move nearly rigidly are culled. Every frame starts with an empty list, so a
// resumed simulation produces the same bits.
#pragma once
#include <vector>

#include "solver/cloth/contact/contactGeometry.h"
#include "solver/cloth/contact/featurePair.h"
#include "solver/cloth/contact/movingTree.h"
#include "solver/cloth/contact/neighborhoods.h"

namespace purl {

struct Candidate {
    int v[4];
    FeaturePair kind;
    float thickness;  // m, distance to keep
};

// Up to eight pairs; unused lanes repeat the first.
struct alignas(32) CandidateBlock {
    int v[4][8];
    float thickness[8];  // m
    // m and m², from the last measurement: vector from the second feature's closest point to the first's. distance2 of
    // 0: not measured, or touching.
    float separation[3][8], distance2[8];
    FeaturePair kind;
    int count, sameCloth;  // sameCloth: one bit per pair

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

// Candidate pairs between one feature group and itself or later groups.
struct CandidateList {
    std::vector<CandidateBlock> blocks;
    std::vector<int> partners;  // later groups with pairs in this list
    bool measured = false;      // all pairs are measured, or known to stay separated in this substep
};

// Predicted positions of up to eight points at the first and the last substep.
struct alignas(32) PositionBlock {
    float x[2][3][8];
};
// Extent of a feature group along its mean normal at the first and the last substep: a moving slab.
struct Slab {
    Vec3 n;  // unit normal; 0: the group has no faces
    float low[2], high[2];
    float reach;  // |nₓ| + |n_y| + |n_z|: largest displacement along n for a displacement of 1 along each axis
};

class ContactCandidates {
  public:
    explicit ContactCandidates(const Device& device);

    // Call when the contact geometry changed.
    void invalidateGeometry() {
        neighborhoodsSet_ = false;
        invalidateColliders();
    }
    // Call when the colliders changed.
    void invalidateColliders() {
        groupsSet_ = false;
        invalidate();
    }
    // Discards all predictions and candidates.
    void invalidate() {
        searched_ = false;
        skin_ = step_ = 0;
        searchesSinceUpdate_ = 0;
    }

    // Updates the candidates for a substep in which all points move from `from` to `to`. `changed`: points with a
    // different `to` than in the previous call of the same substep; null: all. Lists that are not `measured` may have
    // changed.
    void find(const ContactGeometry& geometry, const Buffer<MassPoint>& from, const Buffer<MassPoint>& to,
              const std::vector<int>* changed = nullptr);
    // Call at the end of each substep.
    void endStep();

    bool searched() const { return searched_; }
    // One per group: cloth patches first, then groups of collider edges.
    std::vector<CandidateList>& lists() { return lists_; }
    // Groups that contain a point.
    Span<const int> groupsOf(int point) const {
        return {groupOf_.data() + groupStarts_[point], groupStarts_[point + 1] - groupStarts_[point]};
    }

  private:
    // Block ranges of a feature group.
    struct Group {
        int triangles, edges, points, end;
        int corners, cornersEnd;  // blocks with all its points
        int body;
    };
    struct Lister;
    struct Pending;

    void setGroups(const ContactGeometry& geometry);
    void rebuild(const ContactGeometry& geometry, const Buffer<MassPoint>& from, const Buffer<MassPoint>& to);
    // Predicts point i to continue with the displacement of this substep.
    void predict(int i, Vec3 from, Vec3 to);
    // m, half the skin plus the contact thickness.
    float marginOf(const ContactGeometry& geometry, int group) const;
    // Fits the box of a whole group, or the boxes of its features.
    void fitGroup(const ContactGeometry& geometry, int group);
    void fitBoxes(const ContactGeometry& geometry, int group);
    bool isSeparatedBySlab(int one, int other, float thickness) const;
    void findPartners(const ContactGeometry& geometry, int group, bool whole);
    // Marks the features of a group that contain strayed points.
    void markDirty(int group);
    // `whole`: relist everything, not only features with strayed points.
    void listCandidates(const ContactGeometry& geometry, bool whole);

    Device device_;
    Neighborhoods neighborhoods_;
    bool searched_ = false, neighborhoodsSet_ = false, groupsSet_ = false;
    int patches_ = 0;              // the first groups are cloth patches
    int searchesSinceUpdate_ = 0;  // rebuilds since the last full neighbourhood update
    Buffer<Group> groups_;
    Buffer<FeatureBlock> features_;
    Buffer<int> groupStarts_, groupOf_;  // CSR: groups of each point
    Buffer<MassPoint> rest_;

    // Point i is predicted at predicted_ + step · displacement_. Unlisted pairs cannot touch while every point stays
    // within half the skin of its prediction along each axis.
    Buffer<MassPoint> predicted_, displacement_;
    Buffer<MassPoint> predictedEnd_;  // position at the last substep
    float skin_ = 0;                  // m, Verlet skin
    float steps_ = 0, step_ = 0;      // substeps that the lists cover, and substeps done
    Buffer<MovingBoxes> boxes_;       // boxes of the predicted features, including margins
    Buffer<int> dirty_;               // per block: bits of the features with strayed points
    Buffer<MovingBox> groupBoxes_;
    Buffer<FeatureBlock> corners_;     // per group: its points
    Buffer<PositionBlock> positions_;  // per block of corners
    Buffer<Slab> slabs_;               // per group
    MovingTree tree_;                  // over cloth patches
    OrderedList<int> strayed_, overlapped_;
    std::vector<int> changedGroups_, relisted_;  // groups with new boxes, and groups to relist
    std::vector<int> groupsToFit_;
    std::vector<std::vector<int>> partners_;  // per relisted group: groups that may touch it
    std::vector<char> isStrayed_;             // per point
    // Per group: has strayed points, lost near-rigid neighbours, has up-to-date feature boxes.
    std::vector<char> isChanged_, isLost_, hasBoxes_;
    std::vector<CandidateList> lists_;
};

}  // namespace purl
