#include "weights/rigid_parts.h"

#include "core/bounds.h"
#include "core/parallel.h"
#include "weights/surface_weights.h"
#include "weights/visibility.h"

#include <glm/gtc/constants.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace sinew {
namespace {

using glm::dvec3;

constexpr std::size_t kSamples = 16;        // points per bone
constexpr std::size_t kMaxTriangles = 4096; // the winding number of a part is a sum over so many
constexpr std::size_t kMaxParts = 4096;
constexpr double kWinding = 0.5;   // points with a larger winding number are inside
constexpr double kOneJoint = 0.65; // one joint's least share of the bone length in a rigid part
constexpr float kFastening = 0.05f;

struct BonePoint {
  vec3 at{0.0f};
  double length = 0.0; // the part of the bone's length that the point stands for
  std::uint32_t joint = 0;
};

std::vector<BonePoint> pointsOnBones(std::span<const BoneSegment> bones,
                                     std::span<const std::uint32_t> jointOfBone) {
  std::vector<BonePoint> out;
  for (std::uint32_t b = 0; b < bones.size(); ++b)
    for (std::size_t i = 0; i < kSamples; ++i) {
      const float t = (static_cast<float>(i) + 0.5f) / static_cast<float>(kSamples);
      out.push_back({bones[b].from + t * (bones[b].to - bones[b].from),
                     static_cast<double>(glm::distance(bones[b].from, bones[b].to)) / kSamples,
                     jointOfBone.empty() ? b : jointOfBone[b]});
    }
  return out;
}

// The signed solid angle of a triangle seen from a point, by van Oosterom and Strackee 1983.
double solidAngle(const WeightSurface& surface, const Triangle& t, const dvec3& from) {
  const dvec3 a = dvec3(surface.positions[t[0]]) - from;
  const dvec3 b = dvec3(surface.positions[t[1]]) - from;
  const dvec3 c = dvec3(surface.positions[t[2]]) - from;
  const double la = glm::length(a);
  const double lb = glm::length(b);
  const double lc = glm::length(c);
  return 2.0 *
         std::atan2(glm::dot(a, glm::cross(b, c)),
                    la * lb * lc + glm::dot(a, b) * lc + glm::dot(b, c) * la + glm::dot(c, a) * lb);
}

// For a part, by every n-th of its triangles where it has too many. Windings agree within a part.
double windingNumber(const WeightSurface& surface, std::span<const std::uint32_t> triangles,
                     const vec3& point) {
  const std::size_t step = triangles.size() / kMaxTriangles * 2 + 1;
  double angle = 0.0;
  for (std::size_t i = 0; i < triangles.size(); i += step)
    angle += solidAngle(surface, surface.triangles[triangles[i]], dvec3(point));
  return std::abs(angle) * static_cast<double>(step) / (4.0 * glm::pi<double>());
}

bool contains(const Bounds& box, const vec3& point) {
  return glm::all(glm::greaterThanEqual(point, box.min)) &&
         glm::all(glm::lessThanEqual(point, box.max));
}

struct SurfacePart {
  std::vector<std::uint32_t> triangles;
  Bounds box;
};

std::vector<SurfacePart> collectParts(const WeightSurface& surface) {
  std::vector<SurfacePart> out(surface.repairs.components);
  for (std::uint32_t t = 0; t < surface.triangles.size(); ++t) {
    SurfacePart& part = out[surface.componentOfWelded[surface.triangles[t][0]]];
    part.triangles.push_back(t);
    for (const std::uint32_t p : surface.triangles[t])
      part.box.include(surface.positions[p]);
  }
  return out;
}

RigidPart classify(const WeightSurface& surface, const SurfacePart& part,
                   std::span<const BonePoint> points) {
  std::map<std::uint32_t, double> inside; // length of every joint's bones
  double sum = 0.0;
  for (const BonePoint& point : points)
    if (contains(part.box, point.at) &&
        windingNumber(surface, part.triangles, point.at) > kWinding) {
      inside[point.joint] += point.length;
      sum += point.length;
    }
  if (!(sum > 0.0)) return {PartKind::fastened};
  const auto largest =
      std::max_element(inside.begin(), inside.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  return largest->second >= kOneJoint * sum ? RigidPart{PartKind::rigid, largest->first}
                                            : RigidPart{};
}

// The weights of a fastened part, which all its vertices share. vertices: their indices.
std::vector<Influence> fasteningWeights(const WeightSurface& surface,
                                        std::span<const std::uint32_t> vertices,
                                        const SurfaceRays& others,
                                        std::span<const std::vector<Influence>> weights) {
  Bounds box;
  std::vector<ClosestPoint> closest;
  float least = std::numeric_limits<float>::max();
  for (const std::uint32_t p : vertices) {
    box.include(surface.positions[p]);
    closest.push_back(others.nearest(surface.positions[p]));
    least = std::min(least, glm::distance(closest.back().position, surface.positions[p]));
  }
  const float e = std::max(kFastening * box.size(), 1e-6f * surface.size);
  std::map<std::uint32_t, double> sums;
  double total = 0.0;
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const float d = glm::distance(closest[i].position, surface.positions[vertices[i]]) - least;
    const double share = 1.0 / static_cast<double>(d * d + e * e);
    for (const Influence& w : weightsAt(surface, weights, closest[i])) {
      sums[w.joint] += share * static_cast<double>(w.weight);
      total += share * static_cast<double>(w.weight);
    }
  }
  std::vector<Influence> out;
  out.reserve(sums.size());
  for (const auto& [joint, sum] : sums)
    out.push_back({joint, static_cast<float>(sum / total)});
  return out;
}

} // namespace

std::vector<RigidPart> meshParts(const WeightSurface& surface, std::span<const BoneSegment> bones,
                                 std::span<const std::uint32_t> jointOfBone) {
  std::vector<RigidPart> out(surface.repairs.components);
  if (out.size() < 2 || out.size() > kMaxParts) return out;
  const std::vector<SurfacePart> parts = collectParts(surface);
  const std::vector<BonePoint> points = pointsOnBones(bones, jointOfBone);
  forEachInParallel(parts.size(),
                    [&](std::size_t i) { out[i] = classify(surface, parts[i], points); });
  std::size_t withBones = 0;
  for (const std::uint32_t component : surface.componentOfWelded)
    if (component < out.size() && out[component].kind != PartKind::fastened) ++withBones;
  if (2 * withBones < surface.positions.size()) out.assign(out.size(), {});
  return out;
}

std::size_t bindRigidParts(const WeightSurface& surface, std::span<const RigidPart> parts,
                           std::vector<std::vector<Influence>>& weights) {
  std::vector<std::vector<std::uint32_t>> fastened(parts.size());
  std::size_t bound = 0;
  for (std::uint32_t p = 0; p < weights.size(); ++p) {
    const std::uint32_t component = surface.componentOfWelded[p];
    if (component >= parts.size() || parts[component].kind == PartKind::bends) continue;
    ++bound;
    if (parts[component].kind == PartKind::rigid)
      weights[p] = {{parts[component].joint, 1.0f}};
    else
      fastened[component].push_back(p);
  }
  std::vector<std::uint32_t> source;
  for (std::uint32_t t = 0; t < surface.triangles.size(); ++t)
    if (parts[surface.componentOfWelded[surface.triangles[t][0]]].kind != PartKind::fastened)
      source.push_back(t);
  if (source.size() == surface.triangles.size()) return bound;
  const SurfaceRays others(surface, source);
  forEachInParallel(parts.size(), [&](std::size_t c) {
    if (fastened[c].empty()) return;
    const std::vector<Influence> shared = fasteningWeights(surface, fastened[c], others, weights);
    for (const std::uint32_t p : fastened[c])
      weights[p] = shared;
  });
  return bound;
}

} // namespace sinew
