// Shape matching (Müller, Heidelberger, Teschner and Gross 2005): fits translation, rotation and stretch of each
// cluster's rest shape to its points, and computes the points' goal positions.
#pragma once
#include "solver/core/forEach.h"
#include "solver/core/math.h"
#include "solver/soft/clusters.h"
#include "solver/soft/polar.h"

namespace purl {

// Parameters of a body for the kernels, for one substep.
struct SoftConstants {
    float goalFraction = 0;  // fraction of the displacement to the goal per iteration
    float goalRate = 0;      // 1/s, velocity matching: velocity per displacement to the goal
    int iterations = 1;
    float beta = 0;
    int keepVolume = 0, quadratic = 0, planar = 0;
    float yield = 0, creep = 0, maxCreep = 0;  // creep: per substep
    float damp = 1;                            // velocity factor per substep
    float friction = 0;
    int frozen = 0;
};

// Sums over hundreds of points in double: rounding in float would make free bodies drift.
struct DoubleVec3 {
    double x = 0, y = 0, z = 0;
    PURL_HD void add(double s, Vec3 d) {
        x += s * double(d.x);
        y += s * double(d.y);
        z += s * double(d.z);
    }
    PURL_HD void add(const DoubleVec3& other) {
        x += other.x;
        y += other.y;
        z += other.z;
    }
    PURL_HD Vec3 over(double mass) const {
        return {static_cast<float>(x / mass), static_cast<float>(y / mass), static_cast<float>(z / mass)};
    }
};

// A part of a cluster's members, so that a single large cluster uses all threads.
struct Chunk {
    int cluster, first, count;
};
constexpr int kChunk = 512;

struct ChunkSums {
    DoubleVec3 s;  // Σ w d, d = x − x of the centre member
    Mat3 a;        // Σ w d qᵀ
};

// Goal of a point with rest offset q: origin + t + T q, plus Q (squares, products) for quadratic goals. Relative to the
// origin, which is one of the points, so that differences keep their precision.
struct Match {
    Vec3 origin, t;
    Mat3 T;
    Mat3 elastic;  // stretch beyond the plastic shape, without rotation
};
struct QuadraticTerms {
    Mat3 squares, products;
};

struct SumChunks {
    Span<const Chunk> chunks;
    Span<const Cluster> clusters;
    Span<const Member> members;
    Span<const SoftConstants> bodies;
    int iteration;
    Span<const Vec3> x;
    Span<ChunkSums> sums;
    Span<QuadraticTerms> quadraticTerms;  // empty without quadratic goals

    PURL_HD void operator()(int k) const {
        const Chunk chunk = chunks[k];
        const Cluster& cluster = clusters[chunk.cluster];
        if (iteration >= bodies[cluster.body].iterations) return;
        const Vec3 origin = x[members[cluster.centerMember].point];
        ChunkSums sum{{}, {{}, {}, {}}};
        for (int m = chunk.first; m < chunk.first + chunk.count; ++m) {
            const Member& member = members[m];
            const Vec3 from = x[member.point] - origin, d = member.weight * from;
            sum.s.add(double(member.weight), from);
            sum.a.x += member.q.x * d;
            sum.a.y += member.q.y * d;
            sum.a.z += member.q.z * d;
        }
        sums[k] = sum;
        if (cluster.quadratic < 0) return;
        QuadraticTerms terms{{{}, {}, {}}, {{}, {}, {}}};
        for (int m = chunk.first; m < chunk.first + chunk.count; ++m) {
            const Member& member = members[m];
            const Vec3 d = member.weight * (x[member.point] - origin);
            const Vec3 s = squaresOf(cluster, member.q), p = productsOf(cluster, member.q);
            terms.squares = terms.squares + Mat3{s.x * d, s.y * d, s.z * d};
            terms.products = terms.products + Mat3{p.x * d, p.y * d, p.z * d};
        }
        quadraticTerms[k] = terms;
    }
};

struct MatchClusters {
    Span<const Cluster> clusters;
    Span<const Quadratic> quadratics;
    Span<const Member> members;
    Span<const SoftConstants> bodies;
    int iteration;
    Span<const Vec3> x;
    Span<const ChunkSums> sums;
    Span<const QuadraticTerms> quadraticSums;
    bool updatePlastic;  // true once per substep
    Span<Mat3> plastic;  // plastic stretch
    Span<Match> matches;
    Span<QuadraticTerms> quadraticTerms;

    PURL_HD void operator()(int c) const {
        const Cluster& cluster = clusters[c];
        const SoftConstants& body = bodies[cluster.body];
        if (iteration >= body.iterations) return;
        ChunkSums sum = sums[cluster.firstChunk];
        for (int k = 1; k < cluster.chunks; ++k) {
            sum.s.add(sums[cluster.firstChunk + k].s);
            sum.a = sum.a + sums[cluster.firstChunk + k].a;
        }
        Match match;
        match.origin = x[members[cluster.centerMember].point];
        match.t = sum.s.over(double(cluster.mass));
        // A_pq = Σ w (x − t) qᵀ = Σ w d qᵀ, because Σ w q = 0. The plastic stretch S replaces q by S q; R is the
        // rotation of A_pq Sᵀ: of A_pq, not of A.
        const Mat3 rotated = sum.a * transposed(plastic[c]);
        const Mat3 r = body.planar ? nearestPlaneRotation(rotated) : nearestRotation(rotated);
        match.T = r * plastic[c];
        if (body.beta > 0 || body.yield > 0) stretch(c, sum, r, match);
        match.t -= match.T * cluster.centerOffset;
        matches[c] = match;
    }

    // Plastic flow: Sᵖ ← (I + Δt c (S − I)) Sᵖ where ‖S − I‖ exceeds the yield strain, limited to maxCreep and
    // volume-preserving (SM §4.4). Evaluated before points move: at their goals they would creep back.
    PURL_HD static void creep(const SoftConstants& body, const Mat3& beyond, Mat3& plastic) {
        const float strain = norm(beyond);
        if (!(body.yield > 0) || !(strain > body.yield)) return;
        // At most the whole deformation can become plastic, whatever the step.
        const float share = body.creep < 1 ? body.creep : 1;
        Mat3 newPlastic = (Mat3{} + share * beyond) * plastic;
        // Flattened or inverted clusters do not deform plastically.
        constexpr float kMinDeterminant = 0.1f;
        const float d = determinant(newPlastic);
        if (!(d > kMinDeterminant)) return;
        newPlastic = pow(d, -1.0f / 3) * newPlastic;
        const Mat3 deviation = newPlastic - Mat3{};
        const float size = norm(deviation);
        if (size > body.maxCreep) newPlastic = Mat3{} + (body.maxCreep / size) * deviation;
        if (determinant(newPlastic) > kMinDeterminant) plastic = newPlastic;
    }

    // T = β A/∛det A + (1 − β) R S   SM eq. 10; A = A_pq A_qq⁻¹, with R S in the null space
    PURL_HD void stretch(int c, const ChunkSums& sum, const Mat3& r, Match& match) const {
        const Cluster& cluster = clusters[c];
        const SoftConstants& body = bodies[cluster.body];
        const Mat3 a = sum.a * cluster.inverse + match.T * cluster.nullSpace;
        match.elastic = transposed(r) * a * inverted(plastic[c]);
        if (updatePlastic) creep(body, match.elastic - Mat3{}, plastic[c]);
        const Mat3 rigid = match.T = r * plastic[c];
        // Flatter or inverted clusters use the rigid match.
        constexpr float kMinElasticDeterminant = 0.05f;
        const float d = determinant(match.elastic);
        if (!(body.beta > 0)) return;
        if (cluster.quadratic >= 0) quadraticTerms[c] = {0 * Mat3{}, 0 * Mat3{}};
        if (!(d > kMinElasticDeterminant)) return;
        const float beta = body.beta;
        const float volume = body.keepVolume && cluster.rank > 0 ? pow(d, -1 / static_cast<float>(cluster.rank)) : 1;
        if (cluster.quadratic < 0) {
            match.T = beta * volume * a + (1 - beta) * rigid;
            return;
        }
        //     Ã = Ã_pq Ã_qq⁻¹, 3 × 9   SM eq. 15
        QuadraticTerms terms = quadraticSums[cluster.firstChunk];
        for (int k = 1; k < cluster.chunks; ++k) {
            terms.squares = terms.squares + quadraticSums[cluster.firstChunk + k].squares;
            terms.products = terms.products + quadraticSums[cluster.firstChunk + k].products;
        }
        const Vec3 columns[9] = {sum.a.x,         sum.a.y,          sum.a.z,          terms.squares.x, terms.squares.y,
                                 terms.squares.z, terms.products.x, terms.products.y, terms.products.z};
        const auto& inverse = quadratics[cluster.quadratic].inverse;
        Vec3 map[9];
        for (int j = 0; j < 9; ++j)
            for (int i = 0; i < 9; ++i) map[j] += inverse[i][j] * columns[i];
        const Mat3 linear = Mat3{map[0], map[1], map[2]} + rigid * cluster.nullSpace;
        match.T = beta * volume * linear + (1 - beta) * rigid;
        quadraticTerms[c] = {beta * volume * Mat3{map[3], map[4], map[5]},
                             beta * volume * Mat3{map[6], map[7], map[8]}};
    }
};

// Goal positions for the kernels.
struct Goals {
    Span<const int> membershipStarts;
    Span<const Membership> memberships;
    Span<const Cluster> clusters;
    Span<const Match> matches;
    Span<const QuadraticTerms> quadraticTerms;

    // Displacement from x to the goal of point i. Sums differences, which keep their precision far from the origin.
    PURL_HD Vec3 displacementToGoal(Vec3 x, int i, bool quadratic) const {
        Vec3 displacement;
        for (int p = membershipStarts[i]; p < membershipStarts[i + 1]; ++p) {
            const Membership& part = memberships[p];
            const Match& match = matches[part.cluster];
            Vec3 offset = (match.origin - x) + (match.t + match.T * part.q);
            if (quadratic) {
                const Cluster& cluster = clusters[part.cluster];
                offset += quadraticTerms[part.cluster].squares * squaresOf(cluster, part.q) +
                          quadraticTerms[part.cluster].products * productsOf(cluster, part.q);
            }
            displacement += part.share * offset;
        }
        return displacement;
    }
};

// x += α' (g − x). Velocities get the same change over Δt, without the rounding of (x − xBefore)/Δt.
struct MoveToGoals {
    Goals goals;
    Span<const SoftConstants> bodies;
    Span<const int> body;
    Span<const float> inverseMass;
    int iteration;
    float inverseStep;  // 1/s
    Span<Vec3> x, v;

    PURL_HD void operator()(int i) const {
        const SoftConstants& b = bodies[body[i]];
        if (!(inverseMass[i] > 0) || iteration >= b.iterations || !(b.goalFraction > 0)) return;
        const Vec3 displacement = b.goalFraction * goals.displacementToGoal(x[i], i, b.quadratic);
        x[i] += displacement;
        v[i] += inverseStep * displacement;
    }
};

// v += α (g − x)/Δt   SM eq. 9
struct AccelerateToGoals {
    Goals goals;
    Span<const SoftConstants> bodies;
    Span<const int> body;
    Span<const float> inverseMass;
    Span<const Vec3> x;
    Span<Vec3> v;

    PURL_HD void operator()(int i) const {
        const SoftConstants& b = bodies[body[i]];
        if (inverseMass[i] > 0 && b.goalRate > 0) v[i] += b.goalRate * goals.displacementToGoal(x[i], i, b.quadratic);
    }
};

}  // namespace purl
