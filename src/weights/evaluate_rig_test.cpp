#include "weights/evaluate_rig.h"

#include <doctest/doctest.h>
#include <glm/gtc/matrix_transform.hpp>

#include <cmath>

using namespace sinew;

namespace {

JointPoints makeJointPoints(std::vector<vec3> joints) {
  JointPoints out;
  out.joints = std::move(joints);
  for (std::size_t j = 1; j < out.joints.size(); ++j)
    out.bones.push_back({out.joints[j - 1], out.joints[j]});
  return out;
}

Influences weightsOfRows(const std::vector<std::vector<Influence>>& rows) {
  Influences out;
  for (const auto& row : rows)
    out.append(row);
  return out;
}

} // namespace

TEST_CASE("distances between skeletons are the hand-computed ones") {
  const JointPoints a = makeJointPoints({{0, 0, 0}, {1, 0, 0}});
  SUBCASE("of a skeleton to itself they are 0") {
    const SkeletonDistances same = skeletonDistances(a, a);
    CHECK(same.jointToJoint == 0.0);
    CHECK(same.jointToBone == 0.0);
    CHECK(same.boneToBone == 0.0);
  }
  SUBCASE("a parallel copy is everywhere as far") {
    const SkeletonDistances moved =
        skeletonDistances(a, makeJointPoints({{0, 0.25f, 0}, {1, 0.25f, 0}}));
    CHECK(moved.jointToJoint == 0.25);
    CHECK(moved.jointToBone == 0.25);
    CHECK(moved.boneToBone == 0.25);
  }
  SUBCASE("a joint in the middle of a bone is on the bone and far from its joints") {
    const SkeletonDistances split =
        skeletonDistances(a, makeJointPoints({{0, 0, 0}, {0.5f, 0, 0}, {1, 0, 0}}));
    // There 0 and 0; back 0, 1/2 and 0.
    CHECK(split.jointToJoint == doctest::Approx((0.0 + 0.5 / 3.0) / 2.0).epsilon(1e-12));
    CHECK(split.jointToBone == 0.0);
    CHECK(split.boneToBone == 0.0);
  }
  SUBCASE("a bone that is twice as long") {
    const SkeletonDistances longer =
        skeletonDistances(a, makeJointPoints({{0, 0, 0}, {2, 0, 0}}), 0.5);
    // Joints: 0 and 1 there, 0 and 1 back.
    CHECK(longer.jointToJoint == 0.5);
    // There both joints are on the long bone; back 0 and 1.
    CHECK(longer.jointToBone == 0.25);
    // Points at 0, 1/2, 1 lie on the long bone; those at 0, 1/2, 1, 3/2, 2 are 0, 0, 0, 1/2, 1 off.
    CHECK(longer.boneToBone == doctest::Approx(0.5 * (1.5 / 5.0)).epsilon(1e-12));
  }
  SUBCASE("a joint that is far from the mesh costs no more points than others") {
    const JointPoints far = makeJointPoints({{0, 0, 0}, {1e15f, 0, 0}});
    // As far as floats can place points on such a bone.
    CHECK(skeletonDistances(far, far).boneToBone <= 1e15 * 0x1p-24);
    CHECK(skeletonDistances(a, far).jointToJoint == doctest::Approx(0.5 * (0.5 + 0.5e15)));
  }
  SUBCASE("a single joint is a bone without length") {
    JointPoints point;
    point.joints = {{3, 4, 0}};
    JointPoints origin;
    origin.joints = {{0, 0, 0}};
    CHECK(skeletonDistances(point, origin).boneToBone == 5.0);
    CHECK(skeletonDistances(point, origin).jointToBone == 5.0);
  }
}

TEST_CASE("precision, recall and L1 are the hand-computed ones") {
  const Influences wanted = weightsOfRows({{{0, 1.0f}}, {{0, 0.5f}, {1, 0.5f}}});
  SUBCASE("of the same weights") {
    const WeightAgreement same = weightAgreement(wanted, wanted);
    CHECK(same.precision == 1.0);
    CHECK(same.recall == 1.0);
    CHECK(same.meanL1 == 0.0);
  }
  SUBCASE("an influence too many and one too few") {
    // Vertex 0 also follows joint 1, vertex 1 does not follow joint 0.
    const Influences weights = weightsOfRows({{{0, 0.75f}, {1, 0.25f}}, {{1, 1.0f}}});
    const WeightAgreement out = weightAgreement(weights, wanted);
    CHECK(out.precision == 2.0 / 3.0); // 3 influences, of which 2 are wanted
    CHECK(out.recall == 2.0 / 3.0);
    CHECK(out.meanL1 == (0.5 + 1.0) / 2.0);
  }
  SUBCASE("a weight of a ten-thousandth is no influence, but counts in L1") {
    const Influences weights = weightsOfRows({{{0, 1.0f}, {1, 0x1p-14f}}, {{0, 0.5f}, {1, 0.5f}}});
    const WeightAgreement out = weightAgreement(weights, wanted);
    CHECK(out.precision == 1.0);
    CHECK(out.meanL1 == 0x1p-15);
  }
  SUBCASE("no vertex has no measures") {
    CHECK(std::isnan(weightAgreement({}, {}).precision));
    CHECK(std::isnan(weightAgreement({}, {}).meanL1));
  }
}

TEST_CASE("posed distances are what weights times motions give") {
  const std::vector<vec3> joints{{0, 0, 0}, {1, 0, 0}};
  const std::vector<std::uint32_t> parents{0, 0};
  const std::vector<vec3> positions{{1, 1, 0}, {0, 0, 0}};
  SUBCASE("the same weights stay together") {
    const Influences weights = weightsOfRows({{{1, 1.0f}}, {{0, 1.0f}}});
    CHECK(posedDistance(positions, weights, weights, joints, parents).largest == 0.0);
  }
  SUBCASE("a vertex on the wrong joint is off by that joint's motion") {
    const Influences weights = weightsOfRows({{{0, 1.0f}}, {{0, 1.0f}}});
    const Influences wanted = weightsOfRows({{{1, 1.0f}}, {{0, 1.0f}}});
    const PosedDistance out = posedDistance(positions, weights, wanted, joints, parents);
    double sum = 0.0, largest = 0.0;
    for (std::uint32_t pose = 0; pose < kEvaluatedPoses; ++pose) {
      const auto motion = randomJointMotion(joints, parents, pose + 1, kEvaluatedDegrees);
      CHECK(motion[0] == glm::dmat4(1.0));
      const double apart =
          glm::distance(glm::dvec3(motion[1] * glm::dvec4(1, 1, 0, 1)), glm::dvec3(1, 1, 0));
      sum += apart;
      largest = std::max(largest, apart);
    }
    CHECK(largest > 0.1);
    CHECK(out.largest == doctest::Approx(largest).epsilon(1e-12));
    CHECK(out.mean == doctest::Approx(sum / 20.0).epsilon(1e-12)); // one of two vertices is off
    CHECK(out.vertex == 0);
  }
}

TEST_CASE("random motion rotates joints about their own positions, within the angle") {
  const std::vector<vec3> joints{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
  const std::vector<std::uint32_t> parents{0, 0, 1};
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto motion = randomJointMotion(joints, parents, seed, 30.0);
    CHECK(motion == randomJointMotion(joints, parents, seed, 30.0));
    for (std::size_t j = 1; j < joints.size(); ++j) {
      // Relative to its parent it fixes its own position.
      const glm::dmat4 own = glm::inverse(motion[parents[j]]) * motion[j];
      const glm::dvec4 center(glm::dvec3(joints[j]), 1.0);
      CHECK(glm::distance(own * center, center) < 1e-12);
      const double cosine = 0.5 * (own[0][0] + own[1][1] + own[2][2] - 1.0);
      CHECK(cosine >= std::cos(glm::radians(30.0)) - 1e-12);
    }
  }
  CHECK(randomJointMotion(joints, parents, 1, 30.0) != randomJointMotion(joints, parents, 2, 30.0));
}
