#include "solver/soft/matching.h"

#include <gtest/gtest.h>

#include "solver/core/error.h"
#include "tests/solver/soft/softBodies.h"

namespace purl {
namespace {

using namespace test;

// Matches a body's clusters to given positions and computes the goals.
struct Matched {
    SoftBodyModel model;
    std::vector<Match> matches;
    std::vector<Vec3> goals;

    Matched(const SoftBody& body, std::vector<Vec3> x, SoftConstants constants = {}) {
        const auto count = static_cast<int>(body.points.size());
        model = makeSoftBodyModel(body, {body.points.data(), count}, std::vector<char>(body.points.size()));
        std::vector<Chunk> chunks;
        for (size_t c = 0; c < model.clusters.size(); ++c) {
            Cluster& cluster = model.clusters[c];
            cluster.firstChunk = static_cast<int>(chunks.size());
            // Small chunks, to test their summation.
            for (int m = 0; m < cluster.members; m += 7, ++cluster.chunks)
                chunks.push_back({static_cast<int>(c), cluster.firstMember + m, std::min(7, cluster.members - m)});
        }
        constants.quadratic = !model.quadratics.empty() && constants.beta > 0;
        matches.resize(model.clusters.size());
        std::vector<ChunkSums> sums(chunks.size());
        std::vector<QuadraticTerms> quadraticSums(chunks.size()), quadraticTerms(matches.size());
        std::vector<Mat3> plastic(matches.size());
        const auto span = [](auto& v) {
            return Span<typename std::remove_reference_t<decltype(v)>::value_type>{v.data(), int(v.size())};
        };
        const SumChunks sum{span(chunks), span(model.clusters), span(model.members), {&constants, 1}, 0,
                            span(x),      span(sums),           span(quadraticSums)};
        for (size_t k = 0; k < chunks.size(); ++k) sum(static_cast<int>(k));
        const MatchClusters match{span(model.clusters),
                                  span(model.quadratics),
                                  span(model.members),
                                  {&constants, 1},
                                  0,
                                  span(x),
                                  span(sums),
                                  span(quadraticSums),
                                  false,
                                  span(plastic),
                                  span(matches),
                                  span(quadraticTerms)};
        for (size_t c = 0; c < matches.size(); ++c) match(static_cast<int>(c));
        const Goals all{span(model.membershipStarts), span(model.memberships), span(model.clusters), span(matches),
                        span(quadraticTerms)};
        for (int i = 0; i < count; ++i) goals.push_back(x[i] + all.displacementToGoal(x[i], i, constants.quadratic));
    }
};

SoftBody randomCloud(uint64_t seed, int count = 60) {
    std::vector<Vec3> points;
    for (int i = 0; i < count; ++i) points.push_back(randomPoint(seed, static_cast<uint64_t>(i)));
    return cloudOf(points, 0.1f);
}

template <class PositionOf>
std::vector<Vec3> placed(const SoftBody& body, const PositionOf& positionOf) {
    std::vector<Vec3> x;
    for (const Vec3 p : body.points) x.push_back(positionOf(p));
    return x;
}

}  // namespace

// L-27 L-28. Recovers any linear map of a point cloud.
TEST(Matching, findsTheLinearMapOfACloud) {
    for (uint64_t seed = 0; seed < 50; ++seed) {
        const SoftBody body = randomCloud(seed);
        const Mat3 map{randomPoint(100, seed) + Vec3{1.5f, 0, 0}, randomPoint(101, seed) + Vec3{0, 1.5f, 0},
                       randomPoint(102, seed) + Vec3{0, 0, 1.5f}};
        const auto x = placed(body, [&](Vec3 p) { return map * p + Vec3{3, -2, 5}; });
        SoftConstants constants;
        constants.beta = 1;
        const Matched matched(body, x, constants);
        Vec3 mean;
        for (const Vec3 p : x) mean += p / float(x.size());
        EXPECT_LT(length(matched.matches[0].origin + matched.matches[0].t - mean), 1e-5f);
        if (!(determinant(matched.matches[0].elastic) > 0.05f)) continue;
        EXPECT_LT(norm(matched.matches[0].T - map), 1e-5f * 20);  // float sums of 60 terms, 5 m from the origin
    }
}

// L-30 L-31: with one cluster and with many.
TEST(Matching, goalsOfARigidlyMovedBodyAreItsPoints) {
    for (const float clusterSize : {0.0f, 0.7f}) {
        SoftBody body = randomCloud(3, 400);
        body.params.clusterSize = clusterSize;
        const Mat3 turn = turned({1, -2, 0.5f}, 2);
        const auto x = placed(body, [&](Vec3 p) { return turn * p + Vec3{1, 2, -1}; });
        const Matched matched(body, x);
        EXPECT_EQ(matched.matches.size() > 20, clusterSize > 0);
        for (size_t i = 0; i < x.size(); ++i) EXPECT_LT(length(matched.goals[i] - x[i]), 3e-6f);
        for (const Match& match : matched.matches) EXPECT_LT(norm(match.T - turn), 1e-5f);
    }
}

// L-31. Goals conserve the centre of mass and angular momentum for any deformation, with several clusters too, because
// points are weighted by their shares.
TEST(Matching, goalsConserveMomentumAndAngularMomentum) {
    for (const SoftGoal goal : {SoftGoal::linear, SoftGoal::quadratic})
        for (const float clusterSize : {0.0f, 0.7f})
            for (const float beta : {0.0f, 0.8f}) {
                SoftBody body = randomCloud(5, 300);
                body.params.clusterSize = clusterSize;
                body.params.goal = goal;
                SoftConstants constants;
                constants.beta = beta;
                constants.keepVolume = 1;
                auto x = placed(body, [](Vec3 p) {
                    return Vec3{1.2f * p.x + 0.3f * p.y, p.y + 0.1f * p.z * p.z, 0.9f * p.z};
                });
                for (size_t i = 0; i < x.size(); ++i) x[i] += 0.1f * randomPoint(6, i);
                const Matched matched(body, x, constants);
                Vec3 momentum, turned;
                float mass = 0, amount = 0;
                for (size_t i = 0; i < x.size(); ++i) {
                    const float m = matched.model.masses[i];
                    const Vec3 move = matched.goals[i] - x[i];
                    momentum += m * move;
                    turned += m * cross(x[i], move);
                    amount += m * length(move);
                    mass += m;
                }
                EXPECT_GT(amount, 0.01f * mass);
                EXPECT_LT(length(momentum), 1e-5f * amount);
                EXPECT_LT(length(turned), 1e-5f * amount);
            }
}

// Flat and straight clouds have goals too, and beta does not collapse them.
TEST(Matching, flatAndStraightCloudsHaveGoals) {
    for (const int dimensions : {1, 2})
        for (const float beta : {0.0f, 0.5f}) {
            SoftBody body = randomCloud(9);
            for (Vec3& p : body.points) p = {p.x, dimensions == 2 ? p.y : 0, 0};
            const Mat3 turn = turned({1, 1, 1}, 1);
            SoftConstants constants;
            constants.beta = beta;
            constants.keepVolume = 1;
            const auto x = placed(body, [&](Vec3 p) { return turn * p; });
            const Matched matched(body, x, constants);
            for (size_t i = 0; i < x.size(); ++i) EXPECT_LT(length(matched.goals[i] - x[i]), 3e-6f);
        }
}

// A cloud bent into an arc is reproduced only by quadratic goals.
TEST(Matching, quadraticGoalsBend) {
    SoftBody body = cloudOf(lattice(12, 3, 3, 0.1f), 0.1f);
    const auto x = placed(body, [](Vec3 p) { return p + Vec3{0, 0.4f * square(p.x - 0.6f), 0}; });
    const auto farthest = [&](SoftGoal goal) {
        body.params.goal = goal;
        SoftConstants constants;
        constants.beta = 1;
        const Matched matched(body, x, constants);
        float most = 0;
        for (size_t i = 0; i < x.size(); ++i) most = std::max(most, length(matched.goals[i] - x[i]));
        return most;
    };
    EXPECT_GT(farthest(SoftGoal::linear), 0.03f);
    EXPECT_LT(farthest(SoftGoal::quadratic), 1e-4f);
}

TEST(Matching, keepVolumePreservesVolume) {
    SoftBody body = block(5, 0.1f);
    SoftConstants constants;
    constants.beta = 1;
    const auto x = placed(body, [](Vec3 p) { return Vec3{2 * p.x, 0.8f * p.y, p.z}; });
    EXPECT_NEAR(determinant(Matched(body, x, constants).matches[0].T), 1.6f, 1e-4);
    constants.keepVolume = 1;
    EXPECT_NEAR(determinant(Matched(body, x, constants).matches[0].T), 1, 1e-4);
}

TEST(Clusters, massesAddUpToTheBody) {
    SoftBody ball = bodyOf(sphereMesh({}, 0.5f, 3));
    ball.params.spacing = 0.08f;
    const std::vector<Vec3> inner = innerPointsOf(ball, 3);
    EXPECT_GT(inner.size(), 400u);
    TriangleTree tree;
    tree.build(ball.points, ball.faces.corners);
    for (const Vec3 p : inner) EXPECT_GE(tree.closest(p).distance, 0.49f * 0.08f);
    std::vector<Vec3> rest = ball.points;
    rest.insert(rest.end(), inner.begin(), inner.end());
    const SoftBodyModel model =
        makeSoftBodyModel(ball, {rest.data(), int(rest.size())}, std::vector<char>(rest.size()));
    double mass = 0, members = 0;
    for (const float m : model.masses) mass += double(m);
    EXPECT_NEAR(mass, 1000 * tree.volume(), 1e-3 * mass);
    for (const Cluster& cluster : model.clusters) members += double(cluster.mass);
    EXPECT_NEAR(members, mass, 1e-3 * mass);
}

TEST(Clusters, disconnectedBodyIsAnError) {
    SoftBody body = cloudOf({{0, 0, 0}, {0.1f, 0, 0}, {5, 0, 0}, {5.1f, 0, 0}}, 0.1f, "pair");
    body.params.clusterSize = 0.5f;
    try {
        makeSoftBodyModel(body, {body.points.data(), 4}, std::vector<char>(4));
        FAIL();
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("pair: with a clusterSize of 0.5 m the body falls into 2 pieces"),
                  std::string::npos);
    }
}

}  // namespace purl
