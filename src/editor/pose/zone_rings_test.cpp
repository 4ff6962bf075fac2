#include "animation/pose.h"
#include "animation/random_model.h"
#include "demo/demo.h"
#include "demo/rigging.h"
#include "editor/pose/zone_rings.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>

#include <algorithm>

namespace sinew {
namespace {

struct Arm {
  Model model = findDemo("arm").make();
  Rig rig = buildRig(model);
  std::uint32_t elbow = *zoneJoint(rig, jointNamed(model, "LowerArm"));
  BoneAxis axis = boneAxes(rig)[elbow];
  Pose pose = restPose(model.hierarchy);

  ZoneShape shape(const Zone& zone) const { return zoneShape(rig, axis, zone, elbow); }
  std::array<ZoneRing, 3> rings(const Zone& zone) const {
    return posedRings(shape(zone), rig, modelFromNodes(model.hierarchy, pose));
  }
};

View viewOfElbow(const Arm& arm) {
  View view;
  view.viewport = {0, 0, 800, 600};
  view.scene = {arm.axis.center - vec3(0.3f), arm.axis.center + vec3(0.3f)};
  view.camera = frameOutline(view.scene, view.viewport.aspect(), 0.3f, 0.3f);
  return view;
}

} // namespace

TEST_CASE("zone rings: around the skin at the zone's ends, moving with their bones") {
  Arm arm;
  const Zone zone{-0.1f, 0.05f};
  auto rings = arm.rings(zone);
  CHECK(glm::length(rings[0].center - (arm.axis.center - vec3(0.1f, 0, 0))) < 1e-5f);
  CHECK(glm::length(rings[1].center - arm.axis.center) < 1e-5f);
  CHECK(glm::length(rings[2].center - (arm.axis.center + vec3(0.05f, 0, 0))) < 1e-5f);
  for (const ZoneRing& ring : rings) {
    CHECK(ring.radius > 0.02f); // the arm is some 7 cm thick
    CHECK(ring.radius < 0.08f);
  }
  // Bent by a right angle: the lower end stays, the upper end goes up.
  arm.pose.parentFromNode[jointNamed(arm.model, "LowerArm")].rotation =
      rotationAbout(vec3(0, 0, 1), 90.0f);
  const auto bent = arm.rings(zone);
  CHECK(glm::length(bent[0].center - rings[0].center) < 1e-5f);
  CHECK(glm::length(bent[2].center - (arm.axis.center + vec3(0, 0.05f, 0))) < 1e-5f);
  CHECK(glm::length(bent[1].axis - glm::normalize(vec3(1, 1, 0))) < 1e-4f);
}

TEST_CASE("zone rings: dragged along the bone, within its bounds, in any pose") {
  for (const float degrees : {0.0f, 60.0f}) {
    CAPTURE(degrees);
    Arm arm;
    arm.pose.parentFromNode[0].scale = vec3(2.0f);
    arm.pose.parentFromNode[0].translation = -arm.axis.center; // the elbow about where it was
    arm.pose.parentFromNode[jointNamed(arm.model, "LowerArm")].rotation =
        rotationAbout(vec3(0, 0, 1), degrees);
    const View view = viewOfElbow(arm);
    const Zone zone{-0.1f, 0.05f};
    const auto rings = arm.rings(zone);
    const ZoneShape shape = arm.shape(zone);
    for (const ZoneEnd end : {ZoneEnd::min, ZoneEnd::max}) {
      const ZoneRing& ring = rings[end == ZoneEnd::min ? 0 : 2];
      const vec3 grip = zoneRingPoint(ring, 1.0f);
      const vec2 from(screenFromWorld(view, grip));
      CHECK(pickZoneRing(rings, view, from, 6.0f) == end);
      const ZoneDrag drag = startZoneDrag(shape, rings, end, view, from);
      const auto dragged = [&](float by) {
        const vec3 to = grip + 2.0f * by * ring.axis; // the model is drawn twice as large
        return dragZone(drag, arm.axis, view, vec2(screenFromWorld(view, to)));
      };
      const Zone same = dragged(0.0f);
      CHECK(same.min == doctest::Approx(zone.min).epsilon(1e-3));
      CHECK(same.max == doctest::Approx(zone.max).epsilon(1e-3));
      const Zone moved = dragged(0.02f);
      // The grip is beside the line, where perspective makes a little difference.
      if (end == ZoneEnd::min)
        CHECK(moved.min == doctest::Approx(-0.08f).epsilon(0.05));
      else
        CHECK(moved.max == doctest::Approx(0.07f).epsilon(0.05));
      const Zone far = dragged(-5.0f);
      CHECK(far.min >= -arm.axis.parentLength);
      CHECK(far.max > 0.0f);
    }
  }
}

TEST_CASE("zone rings: a root has no zone, and limits hold") {
  const Arm arm;
  CHECK_FALSE(zoneJoint(arm.rig, 0).has_value());
  const Zone zone = limitedZone(arm.axis, {0.5f, -0.5f});
  CHECK(zone.min < 0.0f);
  CHECK(zone.max > 0.0f);
}

TEST_CASE("zone rings: the skin that bends lies between the ends, and a wider zone bends no less") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const Rig rig = buildRig(randomModel(seed));
    const std::vector<BoneAxis> axes = boneAxes(rig);
    for (std::uint32_t j = 0; j < rig.joints.size(); ++j) {
      if (rig.joints[j].parent == kNoNode) continue;
      Zone zone{-random.uniform(0.0f, 0.5f), random.uniform(0.0f, 0.5f)};
      const std::vector<std::uint32_t> bent = zoneVertices(rig, zoneShape(rig, axes[j], zone, j));
      CHECK(std::ranges::is_sorted(bent));
      for (const std::uint32_t v : bent) {
        const float along = glm::dot(rig.positions[v] - axes[j].center, axes[j].direction);
        CHECK(along >= zone.min);
        CHECK(along <= zone.max);
      }
      zone = {2.0f * zone.min, 3.0f * zone.max};
      const std::vector<std::uint32_t> wider = zoneVertices(rig, zoneShape(rig, axes[j], zone, j));
      CHECK(std::ranges::includes(wider, bent));
    }
  }
  const Arm arm;
  const std::size_t all = arm.rig.positions.size();
  CHECK(zoneVertices(arm.rig, arm.shape({-100.0f, 100.0f})).size() > all / 2);
  const std::size_t elbow = zoneVertices(arm.rig, arm.shape({-0.05f, 0.05f})).size();
  CHECK(elbow > 10);
  CHECK(elbow < all / 2);
}

} // namespace sinew
