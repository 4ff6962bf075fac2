#include "animation/random_model.h"
#include "core/random.h"
#include "core/test_effort.h"
#include "skinning/velocity_displacement.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <glm/matrix.hpp>

#include <algorithm>
#include <cmath>

using namespace sinew;

namespace {

vec3 randomPoint(Random& random, float size = 1.0f) {
  return size * vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
}

MovingNode randomNode(Random& random, const VelocityStrength& strength) {
  MovingNode node;
  node.origin = randomPoint(random);
  node.centroid = node.origin + randomPoint(random);
  node.velocity = {randomPoint(random), randomPoint(random)};
  node.strength = strength;
  node.size = 2.0f;
  return node;
}

// A random character at a moment of a motion between two poses.
struct MovingModel {
  Model model;
  Rig rig;
  VelocitySkin skin;
  std::vector<mat4> modelFromNode;
  std::vector<JointVelocity> velocities;
  SkinnedMesh posed; // positions alone, by linear blending

  explicit MovingModel(std::uint64_t seed, double seconds = 1.0) : model(randomModel(seed)) {
    rig = buildRig(model);
    skin = makeVelocitySkin(rig, model.hierarchy);
    const Pose before = randomPose(model, seed + 1);
    const Pose after = blend(before, randomPose(model, seed + 2), 0.2f);
    const Pose middle = blend(before, after, 0.5f);
    modelFromNode = modelFromNodes(model.hierarchy, middle);
    jointVelocities(model.hierarchy, before, after, seconds, modelFromNode, velocities);
    for (std::size_t v = 0; v < rig.positions.size(); ++v) {
      vec3 sum(0.0f);
      for (const Influence& i : rig.influences.of(v)) {
        const RigJoint& joint = rig.joints[i.joint];
        sum += i.weight *
               transformPoint(modelFromNode[joint.node] * joint.jointFromBind, rig.positions[v]);
      }
      posed.positions.push_back(sum);
    }
  }

  std::vector<MatrixRows> rows(const VelocityStrength& strength) const {
    std::vector<MatrixRows> out;
    jointDisplacements(skin, rig, model.hierarchy, modelFromNode, velocities, strength, out);
    return out;
  }

  std::vector<vec3> displacements(const VelocityStrength& strength) const {
    const std::vector<MatrixRows> joints = rows(strength);
    std::vector<vec3> out;
    for (std::size_t v = 0; v < posed.positions.size(); ++v) {
      vec3 sum(0.0f);
      for (const Influence& i : rig.influences.of(v))
        sum += i.weight * transformPoint(joints[i.joint], posed.positions[v]);
      out.push_back(sum);
    }
    return out;
  }

  std::vector<vec3> exact(const VelocityStrength& strength) const {
    return exactDisplacements(skin, rig, model.hierarchy, modelFromNode, velocities, strength,
                              posed.positions);
  }
};

double meanLength(const std::vector<vec3>& all) {
  double sum = 0.0;
  for (const vec3& each : all)
    sum += static_cast<double>(glm::length(each));
  return sum / static_cast<double>(all.size());
}

} // namespace

TEST_CASE("a soft limit leaves small values as they are and is never exceeded") {
  for (const float limit : {0.3f, 1.6f}) {
    float last = -1.0f;
    for (float x = 0.0f; x < 5.0f; x += 0.01f) {
      const float y = softLimit(x, limit);
      if (x <= 0.5f * limit) CHECK(y == x);
      CHECK(y <= limit);
      CHECK(y >= last);
      last = y;
    }
  }
  CHECK(softLimit(1e30f, 0.3f) == doctest::Approx(0.3));
}

TEST_CASE("drag is the way of a time, against the motion") {
  Random random(3);
  MovingNode node = randomNode(random, {0.1f, 0.0f});
  CHECK(glm::length(linearDrag(node) + 0.1f * node.velocity.linear) < 1e-6f);
  node.velocity.linear *= 1e6f; // a jump
  CHECK(glm::length(linearDrag(node)) == doctest::Approx(kDragLimit * node.size));
}

TEST_CASE("a rotation drags every point back about its axis, the farther the more") {
  Random random(4);
  for (int i = 0; i < 50; ++i) {
    const MovingNode node = randomNode(random, {0.3f, 0.0f});
    const vec3 axis = glm::normalize(node.velocity.angular);
    const vec3 point = node.origin + randomPoint(random);
    const auto computeLeverArm = [&](const vec3& p) {
      return p - node.origin - glm::dot(p - node.origin, axis) * axis;
    };
    const vec3 before = computeLeverArm(point);
    const vec3 after = computeLeverArm(point + angularDrag(node, point));
    CHECK(glm::length(after) == doctest::Approx(glm::length(before)).epsilon(1e-4));
    const float speed = glm::length(node.velocity.angular) * glm::length(before);
    const float angle =
        std::atan2(glm::dot(axis, glm::cross(before, after)), glm::dot(before, after));
    CHECK(angle ==
          doctest::Approx(-softLimit(0.3f * speed / node.size, kDragAngleLimit)).epsilon(1e-3));
    CHECK(glm::dot(angularDrag(node, point), axis) == doctest::Approx(0.0).epsilon(1e-5));
  }
}

TEST_CASE("squash keeps volume, and stretches along the motion") {
  Random random(5);
  for (int i = 0; i < 50; ++i) {
    const MovingNode node = randomNode(random, {0.0f, 0.2f});
    mat3 map;
    for (int c = 0; c < 3; ++c) {
      vec3 unit(0.0f);
      unit[c] = 1.0f;
      map[c] = unit + linearSquash(node, node.centroid + unit);
    }
    CHECK(glm::determinant(map) == doctest::Approx(1.0).epsilon(1e-4));
    const vec3 u = glm::normalize(node.velocity.linear);
    const float s = 0.2f * glm::length(node.velocity.linear) / node.size;
    CHECK(glm::length(map * u - (1.0f + s) * u) < 1e-5f);
    CHECK(linearSquash(node, node.centroid) == vec3(0.0f));

    // A rotation: the limb's own line stays, and the plane across it keeps its area.
    const vec3 medial = glm::normalize(node.centroid - node.origin);
    const vec3 onLine = node.origin + 1.7f * medial;
    CHECK(glm::length(angularSquash(node, onLine)) < 1e-5f);
    const vec3 motion = glm::normalize(glm::cross(medial, node.velocity.angular));
    const vec3 side = glm::cross(medial, motion);
    constexpr float kSmall = 1e-3f;
    const float along = glm::dot(angularSquash(node, onLine + kSmall * motion), motion) / kSmall;
    const float across = glm::dot(angularSquash(node, onLine + kSmall * side), side) / kSmall;
    CHECK((1.0f + along) * (1.0f + across) == doctest::Approx(1.0).epsilon(5e-3));
    CHECK(along >= 0.0f);
  }
}

TEST_CASE("where nothing moves, displacements are zero to the last bit") {
  MovingModel moment(6);
  const std::vector<MatrixRows> none(moment.rig.joints.size());
  for (JointVelocity& velocity : moment.velocities)
    velocity = {};
  for (const MatrixRows& rows : moment.rows({0.4f, 0.1f})) {
    CHECK(rows.x == vec4(0.0f));
    CHECK(rows.y == vec4(0.0f));
    CHECK(rows.z == vec4(0.0f));
  }
  MovingModel moving(6);
  for (const MatrixRows& rows : moving.rows({0.0f, 0.0f}))
    CHECK(rows.x == vec4(0.0f));
}

TEST_CASE("the affine map of a joint is exact for translations and near for rotations") {
  double worst = 0.0;
  for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(test::rounds(40, 10)); ++seed) {
    CAPTURE(seed);
    MovingModel moment(100 * seed);
    const VelocityStrength strength{0.15f, 0.05f};
    std::vector<JointVelocity> all = moment.velocities;
    for (JointVelocity& velocity : moment.velocities)
      velocity.angular = vec3(0.0f);
    const std::vector<vec3> linear = moment.displacements(strength);
    const std::vector<vec3> wanted = moment.exact(strength);
    for (std::size_t v = 0; v < linear.size(); ++v)
      CHECK(glm::length(linear[v] - wanted[v]) <= 2e-5f * moment.skin.size);

    moment.velocities = std::move(all);
    const std::vector<vec3> mapped = moment.displacements(strength);
    const std::vector<vec3> exact = moment.exact(strength);
    std::vector<vec3> off;
    for (std::size_t v = 0; v < mapped.size(); ++v)
      off.push_back(mapped[v] - exact[v]);
    worst = std::max(worst, meanLength(off) / meanLength(exact));
  }
  SINEW_FIGURE("mean error of the affine maps on random rigs, of the displacement: " << worst);
  CHECK(worst <= 0.5); // their joints have skin all over the model
}

TEST_CASE("displacements go with the character: its place, its unit and its time") {
  const MovingModel moment(9);
  const VelocityStrength strength{0.2f, 0.05f};
  const std::vector<vec3> before = moment.displacements(strength);

  // In centimetres, elsewhere and rotated.
  const quat rotation = glm::angleAxis(0.8f, glm::normalize(vec3(1, 2, -1)));
  mat4 place = glm::mat4_cast(rotation);
  for (int c = 0; c < 3; ++c)
    place[c] *= 100.0f;
  place[3] = vec4(30, -20, 500, 1);
  MovingModel moved(9);
  for (mat4& m : moved.modelFromNode)
    m = place * m;
  for (vec3& p : moved.posed.positions)
    p = transformPoint(place, p);
  for (JointVelocity& v : moved.velocities)
    v = {100.0f * (rotation * v.linear), rotation * v.angular};
  moved.skin.size *= 100.0f;
  const std::vector<vec3> after = moved.displacements(strength);
  for (std::size_t v = 0; v < before.size(); ++v)
    CHECK(glm::length(after[v] - 100.0f * (rotation * before[v])) <= 2e-3f * moved.skin.size);

  // Twice as fast with half the strength.
  const MovingModel faster(9, 0.5);
  const std::vector<vec3> same = faster.displacements({0.1f, 0.025f});
  for (std::size_t v = 0; v < before.size(); ++v)
    CHECK(glm::length(same[v] - before[v]) <= 1e-5f * moment.skin.size);
}

TEST_CASE("velocities are those of a parent's frame, in model space") {
  Hierarchy hierarchy;
  hierarchy.nodes.push_back({"root", kNoNode, {}});
  hierarchy.nodes.push_back({"arm", 0, {}});
  hierarchy.nodes[0].rest.rotation = glm::angleAxis(1.5707963f, vec3(0, 0, 1)); // x to y
  hierarchy.nodes[0].rest.scale = vec3(2.0f);
  const Pose before = restPose(hierarchy);
  Pose after = before;
  after.parentFromNode[1].translation = vec3(0.5f, 0, 0);
  after.parentFromNode[1].rotation = glm::angleAxis(0.2f, vec3(1, 0, 0));
  std::vector<JointVelocity> out;
  jointVelocities(hierarchy, before, after, 0.1, modelFromNodes(hierarchy, before), out);
  CHECK(out[0].linear == vec3(0.0f));
  CHECK(out[0].angular == vec3(0.0f));
  CHECK(glm::length(out[1].linear - vec3(0, 10, 0)) < 1e-4f);
  CHECK(glm::length(out[1].angular - vec3(0, 2, 0)) < 1e-4f);
  jointVelocities(hierarchy, before, after, 0.0, modelFromNodes(hierarchy, before), out);
  CHECK(out[1].linear == vec3(0.0f));
}
