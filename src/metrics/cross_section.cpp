#include "metrics/cross_section.h"

#include "rig/joint_weights.h"

#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew {
namespace {

constexpr float kRings = 24.0f;       // to a zone
constexpr std::size_t kFewest = 5;    // vertices of a ring
constexpr double kWidestGap = 2.0944; // 120 degrees, and a little for rounding

struct Placed {
  float along;
  std::uint32_t vertex;
  auto operator<=>(const Placed&) const = default;
};

std::vector<Placed> verticesInZone(const Rig& rig, std::uint32_t joint, const BoneAxis& axis,
                                   const Zone& zone) {
  const JointAttachments attachments = attachToJoints(rig, 1);
  std::vector<Placed> inside;
  for (std::uint32_t v = 0; v < rig.positions.size(); ++v) {
    if (attachments.of(v)[0].joint != joint) continue;
    const float along = glm::dot(rig.positions[v] - axis.center, axis.direction);
    if (along >= zone.min && along <= zone.max) inside.push_back({along, v});
  }
  std::sort(inside.begin(), inside.end());
  return inside;
}

glm::dvec3 meanOf(const CrossSection& ring, std::span<const vec3> positions) {
  glm::dvec3 mean(0.0);
  for (const std::uint32_t v : ring.vertices)
    mean += glm::dvec3(positions[v]) / static_cast<double>(ring.vertices.size());
  return mean;
}

bool standsAround(const CrossSection& ring, const Rig& rig, const vec3& direction) {
  if (ring.vertices.size() < kFewest) return false;
  const vec3 other = std::abs(direction.x) < 0.7f ? vec3(1, 0, 0) : vec3(0, 1, 0);
  const glm::dvec3 u(glm::normalize(glm::cross(direction, other)));
  const glm::dvec3 w = glm::cross(glm::dvec3(direction), u);
  const glm::dvec3 mean = meanOf(ring, rig.positions);
  std::vector<double> angles;
  for (const std::uint32_t v : ring.vertices) {
    const glm::dvec3 out = glm::dvec3(rig.positions[v]) - mean;
    angles.push_back(std::atan2(glm::dot(out, w), glm::dot(out, u)));
  }
  std::sort(angles.begin(), angles.end());
  double gap = angles.front() + glm::two_pi<double>() - angles.back();
  for (std::size_t i = 1; i < angles.size(); ++i)
    gap = std::max(gap, angles[i] - angles[i - 1]);
  return gap < kWidestGap;
}

std::vector<CrossSection> ringsOf(std::span<const Placed> sorted, float thickness) {
  std::vector<CrossSection> rings;
  float start = 0.0f;
  for (const auto& [along, vertex] : sorted) {
    if (rings.empty() || along > start + thickness) {
      rings.emplace_back();
      start = along;
    }
    CrossSection& ring = rings.back();
    ring.vertices.push_back(vertex);
    ring.along += (along - ring.along) / static_cast<float>(ring.vertices.size());
  }
  return rings;
}

} // namespace

std::vector<CrossSection> crossSections(const Rig& rig, std::uint32_t joint, const BoneAxis& axis,
                                        const Zone& zone) {
  const std::vector<Placed> sorted = verticesInZone(rig, joint, axis, zone);
  const float length = zone.max - zone.min;
  for (float share = 1.0f / kRings; share < 2.0f; share *= 2.0f) {
    std::vector<CrossSection> rings = ringsOf(sorted, share * length);
    std::erase_if(rings, [&](const CrossSection& ring) {
      return !standsAround(ring, rig, axis.direction) || radiusOf(ring, rig.positions) <= 0.0;
    });
    if (!rings.empty()) return rings;
  }
  return {};
}

double radiusOf(const CrossSection& ring, std::span<const vec3> positions) {
  const glm::dvec3 mean = meanOf(ring, positions);
  double sum = 0.0;
  for (const std::uint32_t v : ring.vertices)
    sum += glm::length(glm::dvec3(positions[v]) - mean);
  return sum / static_cast<double>(ring.vertices.size());
}

float smallestRadiusRatio(std::span<const CrossSection> rings, std::span<const vec3> rest,
                          std::span<const vec3> posed) {
  if (rings.empty()) return 1.0f;
  double smallest = std::numeric_limits<double>::max();
  for (const CrossSection& ring : rings)
    smallest = std::min(smallest, radiusOf(ring, posed) / radiusOf(ring, rest));
  return static_cast<float>(smallest);
}

} // namespace sinew
