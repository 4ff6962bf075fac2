#include "animation/random_model.h"
#include "demo/demo.h"
#include "demo/rigging.h"
#include "rig/zones.h"
#include "skinning/joint_test_support.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>

#include <map>

using namespace sinew;
using test::jointOptions;

namespace {

constexpr float kHalf = 0.10f; // half the elbow's zone, three times what the demo's weights share

// The elbow of the demo's arm, bent by 90 degrees, with a zone of its own.
struct Elbow {
  Model model = findDemo("arm").make();
  Rig rig = buildRig(model);
  std::uint32_t joint = jointNamed(model, "LowerArm");
  std::vector<BoneAxis> axes = boneAxes(rig);
  BindOptions options = jointOptions(0, 3);

  Elbow() {
    options.zones = zonesFromWeights(rig, axes);
    options.zones[joint] = {-kHalf, kHalf};
    options.sources.resize(rig.joints.size());
    options.sources[joint] = ParameterSource::zone;
  }

  std::vector<bool> fromZone() const {
    std::vector<bool> out(rig.joints.size(), false);
    out[joint] = true;
    return out;
  }

  std::vector<vec3> bent(const Method& method) const {
    Pose pose = restPose(model.hierarchy);
    pose.parentFromNode[joint].rotation = sinew::rotationAbout(vec3(0, 0, 1), 90.0f);
    return test::skinned(method, rig, modelFromNodes(model.hierarchy, pose), options).positions;
  }

  // The largest factor by which an edge grows.
  float stretch(const std::vector<vec3>& posed) const {
    float largest = 0.0f;
    for (const Triangle& t : rig.triangles)
      for (std::size_t i = 0; i < 3; ++i) {
        const std::uint32_t a = t[i], b = t[(i + 1) % 3];
        largest = std::max(largest, glm::distance(posed[a], posed[b]) /
                                        glm::distance(rig.positions[a], rig.positions[b]));
      }
    return largest;
  }
};

// All within the zone follow the joint by the zone, whatever weights share: what the paper
// attaches.
void bindByZone(Elbow& elbow) {
  Influences influences;
  for (std::size_t v = 0; v < elbow.rig.positions.size(); ++v) {
    const float t = zoneFraction(elbow.axes[elbow.joint], elbow.options.zones[elbow.joint],
                                 elbow.rig.positions[v]);
    const std::uint32_t parent = elbow.rig.joints[elbow.joint].parent;
    if (t <= 0.0f || t >= 1.0f)
      influences.append(elbow.rig.influences.of(v));
    else
      influences.append({{Influence{elbow.joint, t}, Influence{parent, 1.0f - t}}});
  }
  elbow.rig.influences = influences;
}

} // namespace

TEST_CASE("skin of zones: a wider zone bends as if weights were shared all over it") {
  for (const char* name : {"bones-blending", "arc-spline", "bezier-spline"}) {
    CAPTURE(name);
    const Elbow elbow;
    Elbow shared;
    bindByZone(shared);
    const std::vector<vec3> posed = elbow.bent(findMethod(name));
    const std::vector<vec3> expected = shared.bent(findMethod(name));
    for (std::size_t v = 0; v < posed.size(); ++v)
      CHECK(glm::distance(posed[v], expected[v]) < 1e-6f);
    CHECK(elbow.stretch(posed) < 1.6f); // 2.6 where the skin beyond the shared weights stays behind
  }
}

TEST_CASE("skin of zones: where each vertex follows one joint alone the zone bends the skin too") {
  Elbow elbow;
  test::bindToOneBone(elbow.rig);
  for (const char* name : {"bones-blending", "arc-spline", "bezier-spline"})
    CHECK(elbow.stretch(elbow.bent(findMethod(name))) < 1.6f);
}

TEST_CASE("skin of zones: only skin of the joint's parent, within the zone, at most all of it") {
  int some = 0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    CAPTURE(seed);
    const Rig rig = buildRig(randomModel(seed));
    const std::vector<BoneAxis> axes = boneAxes(rig);
    std::vector<Zone> zones = zonesFromWeights(rig, axes);
    CHECK(skinOfZones(rig, axes, zones, std::vector<bool>(rig.joints.size(), true)).count() == 0);
    for (Zone& zone : zones)
      zone.min *= 2.0f;
    CHECK(skinOfZones(rig, axes, zones, std::vector<bool>(rig.joints.size())).count() == 0);
    std::vector<bool> fromZone(rig.joints.size());
    for (std::size_t j = seed % 2; j < fromZone.size(); j += 2)
      fromZone[j] = true;
    const TakenShares taken = skinOfZones(rig, axes, zones, fromZone);
    REQUIRE(taken.count() == rig.positions.size());
    for (std::size_t v = 0; v < taken.count(); ++v) {
      std::map<std::uint32_t, float> ofBone;
      for (const auto& [joint, share] : taken.of(v)) {
        CHECK(fromZone[joint]);
        CHECK(zoneFraction(axes[joint], zones[joint], rig.positions[v]) > 0.0f);
        CHECK(share > 0.0f);
        ofBone[rig.joints[joint].parent] += share;
        ++some;
      }
      for (const auto& [bone, sum] : ofBone)
        CHECK(sum <= 1.0f + 1e-6f);
    }
  }
  CHECK(some > 100);
}

TEST_CASE("skin of zones: what does not continue the joint's own skin stays") {
  // The arm a second time, abreast: all of it follows the upper arm.
  Elbow elbow;
  const auto vertices = static_cast<std::uint32_t>(elbow.rig.positions.size());
  const std::uint32_t parent = elbow.rig.joints[elbow.joint].parent;
  for (std::uint32_t v = 0; v < vertices; ++v) {
    elbow.rig.positions.push_back(elbow.rig.positions[v] + vec3(0, 0, 0.2f));
    elbow.rig.normals.push_back(elbow.rig.normals[v]);
    elbow.rig.influences.append({{Influence{parent, 1.0f}}});
  }
  const std::size_t triangles = elbow.rig.triangles.size();
  for (std::size_t t = 0; t < triangles; ++t) {
    Triangle copy = elbow.rig.triangles[t];
    for (std::uint32_t& corner : copy)
      corner += vertices;
    elbow.rig.triangles.push_back(copy);
  }
  const TakenShares taken =
      skinOfZones(elbow.rig, elbow.axes, elbow.options.zones, elbow.fromZone());
  int own = 0;
  for (std::uint32_t v = 0; v < vertices; ++v) {
    own += taken.of(v).empty() ? 0 : 1;
    CHECK(taken.of(vertices + v).empty());
  }
  CHECK(own > 50);
}
