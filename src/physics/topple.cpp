
#include "physics/ragdoll_parts.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr double kStill = 0.1;         // seconds without motion before a push
constexpr double kPush = 0.25;         // seconds that it lasts
constexpr double kAcceleration = 0.15; // fraction of gravity
constexpr int kMaxPushes = 4;          // two each way, then along the wide side
// Height of the centre of mass, as a fraction of the height of the bodies in the bind pose: lower
// is lying.
constexpr double kLyingHeight = 0.25;
constexpr double kStandsWithin = 0.05; // fraction of the height: a body so low bears the rest
// Mean over the mass of the bodies' lowest points, as a fraction of the height: thick animals lie
// on their bellies with a high centre of mass.
constexpr double kRaised = 0.06;

bool mayFallOver(const RagdollParts& p) {
  const bool whole =
      std::all_of(p.falls.begin(), p.falls.end(), [](char each) { return each != 0; });
  return whole && p.options.ground && !(p.motorStrength > 0.0) && !p.dragged && !p.joints.empty();
}

bool isStill(const RagdollParts& p) {
  return std::all_of(p.sleepStates.begin(), p.sleepStates.end(),
                     [](const SleepState& of) { return of.seconds >= kStill; });
}

// lean and narrow are horizontal: from the middle of the support to the centre of mass, and the
// direction in which the support is narrowest.
struct Stand {
  double height = 0.0; // height of the centre of mass
  double raised = 0.0; // mean over the mass of the lowest points
  glm::dvec3 lean{0.0};
  glm::dvec3 narrow{1.0, 0.0, 0.0};
};

Stand measureStand(const RagdollParts& p) {
  glm::dvec3 center(0.0), middle(0.0);
  double raised = 0.0;
  std::vector<glm::dvec3> points;
  for (std::size_t i = 0; i < p.bodies.size(); ++i) {
    const RigidTransform at = p.bodies[i]->transform();
    const double share = static_cast<double>(p.config.bodies[i].mass) / p.mass;
    const double lowest = p.lowestPoint(i, at);
    center += share * at.position;
    raised += share * lowest;
    if (lowest < kStandsWithin * p.height) points.push_back(at.position);
  }
  for (const glm::dvec3& point : points)
    middle += point / static_cast<double>(points.size());
  double xx = 0.0, xz = 0.0, zz = 0.0;
  for (const glm::dvec3& point : points) {
    const glm::dvec3 d = point - middle;
    xx += d.x * d.x;
    xz += d.x * d.z;
    zz += d.z * d.z;
  }
  const double wide = 0.5 * std::atan2(2.0 * xz, xx - zz); // angle of the greater principal axis
  return {center.y, raised, center - middle, {-std::sin(wide), 0.0, std::cos(wide)}};
}

} // namespace

void Topple::push(RagdollParts& p, double seconds) {
  if (!mayFallOver(p)) return;
  if (left_ > 0.0) {
    left_ -= seconds;
    const btVector3 gained = toBullet(seconds * kAcceleration * p.options.gravity * along_);
    for (const auto& each : p.bodies)
      each->body().setLinearVelocity(each->body().getLinearVelocity() + gained);
    return;
  }
  if (pushes_ == kMaxPushes || !isStill(p)) return;
  const Stand stand = measureStand(p);
  if (stand.height <= kLyingHeight * p.height || stand.raised <= kRaised * p.height) return;
  const glm::dvec3 wide(stand.narrow.z, 0.0, -stand.narrow.x);
  along_ = pushes_ < 2 ? stand.narrow : wide;
  const bool leansBack = glm::dot(stand.lean, along_) < 0.0;
  if (leansBack != (pushes_ % 2 == 1)) along_ = -along_;
  ++pushes_;
  left_ = kPush;
}

} // namespace sinew
