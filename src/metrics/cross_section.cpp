#include "metrics/cross_section.h"

#include "core/directions.h"
#include "rig/joint_weights.h"

#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace sinew {
namespace {

constexpr float kSlices = 24.0f;      // to a zone
constexpr std::size_t kMinPoints = 5; // points of a section
constexpr double kWidestGap = 2.0944; // 120 degrees, and a little for rounding

using VertexAlong = std::pair<float, std::uint32_t>; // distance along the bone, vertex

std::vector<VertexAlong> verticesInZone(const Rig& rig, std::uint32_t joint, const BoneAxis& axis,
                                        const Zone& zone) {
  const JointAttachments attachments = attachToJoints(rig, 1);
  std::vector<VertexAlong> inside;
  for (std::uint32_t v = 0; v < rig.positions.size(); ++v) {
    if (attachments.of(v)[0].joint != joint) continue;
    const float along = glm::dot(rig.positions[v] - axis.center, axis.direction);
    if (along >= zone.min && along <= zone.max) inside.emplace_back(along, v);
  }
  std::sort(inside.begin(), inside.end());
  return inside;
}

glm::dvec3 at(const SectionPoint& point, std::span<const vec3> positions) {
  return glm::mix(glm::dvec3(positions[point.a]), glm::dvec3(positions[point.b]),
                  static_cast<double>(point.t));
}

glm::dvec3 computeMean(const CrossSection& section, std::span<const vec3> positions) {
  glm::dvec3 mean(0.0);
  for (const SectionPoint& point : section.points)
    mean += at(point, positions) / static_cast<double>(section.points.size());
  return mean;
}

bool enclosesBone(const CrossSection& section, const Rig& rig, const vec3& direction) {
  if (section.points.size() < kMinPoints) return false;
  const glm::dvec3 u(perpendicular(direction));
  const glm::dvec3 w = glm::cross(glm::dvec3(direction), u);
  const glm::dvec3 mean = computeMean(section, rig.positions);
  std::vector<double> angles;
  for (const SectionPoint& point : section.points) {
    const glm::dvec3 out = at(point, rig.positions) - mean;
    angles.push_back(std::atan2(glm::dot(out, w), glm::dot(out, u)));
  }
  std::sort(angles.begin(), angles.end());
  double gap = angles.front() + glm::two_pi<double>() - angles.back();
  for (std::size_t i = 1; i < angles.size(); ++i)
    gap = std::max(gap, angles[i] - angles[i - 1]);
  return gap < kWidestGap;
}

void dropOthers(std::vector<CrossSection>& sections, const Rig& rig, const vec3& direction) {
  std::erase_if(sections, [&](const CrossSection& section) {
    return !enclosesBone(section, rig, direction) || computeRadius(section, rig.positions) <= 0.0;
  });
}

std::vector<CrossSection> groupRings(std::span<const VertexAlong> sorted, float thickness) {
  std::vector<CrossSection> rings;
  float start = 0.0f;
  for (const auto& [along, vertex] : sorted) {
    if (rings.empty() || along > start + thickness) {
      rings.emplace_back();
      start = along;
    }
    CrossSection& ring = rings.back();
    ring.points.push_back({vertex, vertex, 0.0f});
    ring.along += (along - ring.along) / static_cast<float>(ring.points.size());
  }
  return rings;
}

} // namespace

std::vector<CrossSection> vertexRings(const Rig& rig, std::uint32_t joint, const BoneAxis& axis,
                                      const Zone& zone) {
  const std::vector<VertexAlong> sorted = verticesInZone(rig, joint, axis, zone);
  const float length = zone.max - zone.min;
  for (float thickness = 1.0f / kSlices; thickness < 2.0f; thickness *= 2.0f) {
    std::vector<CrossSection> rings = groupRings(sorted, thickness * length);
    dropOthers(rings, rig, axis.direction);
    if (!rings.empty()) return rings;
  }
  return {};
}

std::vector<CrossSection> surfaceSlices(const Rig& rig, std::span<const WeldedEdge> edges,
                                        const BoneAxis& axis, const Zone& zone,
                                        std::uint32_t count) {
  const auto projectOnAxis = [&](std::uint32_t v) {
    return glm::dot(rig.positions[v] - axis.center, axis.direction);
  };
  std::vector<CrossSection> slices(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    const float t = (static_cast<float>(i) + 0.5f) / static_cast<float>(count);
    slices[i].along = zone.min + t * (zone.max - zone.min);
    for (const auto& [a, b] : edges) {
      const float before = projectOnAxis(a) - slices[i].along;
      const float after = projectOnAxis(b) - slices[i].along;
      if ((before < 0.0f) != (after < 0.0f))
        slices[i].points.push_back({a, b, before / (before - after)});
    }
  }
  dropOthers(slices, rig, axis.direction);
  return slices;
}

double computeRadius(const CrossSection& section, std::span<const vec3> positions) {
  const glm::dvec3 mean = computeMean(section, positions);
  double sum = 0.0;
  for (const SectionPoint& point : section.points)
    sum += glm::length(at(point, positions) - mean);
  return sum / static_cast<double>(section.points.size());
}

float smallestRadiusRatio(std::span<const CrossSection> sections, std::span<const vec3> rest,
                          std::span<const vec3> posed) {
  if (sections.empty()) return 1.0f;
  double smallest = std::numeric_limits<double>::max();
  for (const CrossSection& section : sections)
    smallest = std::min(smallest, computeRadius(section, posed) / computeRadius(section, rest));
  return static_cast<float>(smallest);
}

} // namespace sinew
