#include "metrics/skin_analysis.h"

#include "animation/pose.h"
#include "core/transform.h"
#include "metrics/curvature.h"
#include "metrics/distortion.h"
#include "metrics/self_intersection.h"
#include "rig/joint_weights.h"
#include "rig/subdivide.h"
#include "skinning/methods.h"

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>
#include <glm/trigonometric.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

namespace sinew {
namespace {

constexpr std::uint32_t kZoneSlices = 97; // across a joint's zone
// Volume over area^1.5 is 0.094 for a ball, 0.02 for a tube a hundred times as long as thick and
// 0.01 for a disc forty times as wide as thick. Below this a region is a sheet without a useful
// volume.
constexpr double kSheet = 1e-2;
constexpr double kWholeSheet = 1e-3;   // a character has many thin parts
constexpr double kShortestEdge = 1e-4; // edge, relative to the model's size

std::vector<std::uint32_t> upTo(std::size_t count) {
  std::vector<std::uint32_t> all(count);
  std::iota(all.begin(), all.end(), 0u);
  return all;
}

std::vector<vec3> positionsAtBind(const Model& model, const Rig& rig) {
  const Method& method = findMethod("lbs"); // in the bind pose all methods agree
  const Binding binding = method.bind(rig, {});
  Palette palette;
  packPalette(method, rig, binding, modelFromNodes(model.hierarchy, bindPose(model)), palette);
  SkinnedMesh skin;
  method.skin(rig, binding, palette, skin);
  return skin.positions;
}

double computeArea(const glm::dvec3& a, const glm::dvec3& b, const glm::dvec3& c) {
  return 0.5 * glm::length(glm::cross(b - a, c - a));
}

// The area of the triangles and of the fans that close them in metrics/volume.
double closedArea(const Region& region, std::span<const vec3> positions) {
  double area = 0.0;
  for (const auto& [a, b, c] : region.triangles)
    area += computeArea(positions[a], positions[b], positions[c]);
  for (const auto& rim : region.rims) {
    glm::dvec3 middle(0.0);
    for (const auto& [a, b] : rim)
      middle += glm::dvec3(positions[a]) / static_cast<double>(rim.size());
    for (const auto& [a, b] : rim)
      area += computeArea(middle, positions[a], positions[b]);
  }
  return area;
}

// 0 if the region is more like a sheet, or inside out relative to the whole.
double computeBindVolume(const SkinRegion& region, const SkinAnalysis& analysis) {
  const double volume = computeVolume(region.surface, analysis.rest);
  const double ball = std::pow(closedArea(region.surface, analysis.rest), 1.5);
  if (region.node == kNoNode) return std::abs(volume) > kWholeSheet * ball ? volume : 0.0;
  const bool insideOut = volume * analysis.regions[0].bindVolume < 0.0;
  return std::abs(volume) > kSheet * ball && !insideOut ? volume : 0.0;
}

// Derives the other members of a region from its triangles.
void complete(SkinRegion& region, const SkinAnalysis& analysis, const Rig& rig) {
  region.surface = makeRegion(rig.triangles, region.triangles, analysis.welded);
  region.bindVolume = computeBindVolume(region, analysis);
  region.edges = listEdges(rig.triangles, region.triangles, analysis.welded);
  std::erase_if(region.edges, [&](const WeldedEdge& edge) {
    return glm::length(analysis.rest[edge.first] - analysis.rest[edge.second]) <
           static_cast<float>(kShortestEdge) * analysis.size;
  });
  for (const std::uint32_t triangle : region.triangles)
    for (const std::uint32_t v : rig.triangles[triangle])
      region.vertices.push_back(v);
  std::sort(region.vertices.begin(), region.vertices.end());
  region.vertices.erase(std::unique(region.vertices.begin(), region.vertices.end()),
                        region.vertices.end());
}

std::vector<std::vector<std::uint32_t>> trianglesByJoint(const Rig& rig) {
  const JointAttachments attachments = attachToJoints(rig, 1);
  const auto first = [&](std::uint32_t v) { return attachments.of(v)[0].joint; };
  std::vector<std::vector<std::uint32_t>> byJoint(rig.joints.size());
  for (std::uint32_t i = 0; i < rig.triangles.size(); ++i) {
    const auto [a, b, c] = rig.triangles[i];
    byJoint[first(b) == first(c) ? first(b) : first(a)].push_back(i);
  }
  return byJoint;
}

// Lengths of the welded edges that neighbours share.
std::vector<double> sharedLengths(const SkinAnalysis& analysis, const Rig& rig) {
  std::vector<double> lengths;
  for (const auto& [first, second] : analysis.neighbours) {
    std::vector<std::uint32_t> shared;
    for (const std::uint32_t v : rig.triangles[first])
      for (const std::uint32_t w : rig.triangles[second])
        if (analysis.welded[v] == analysis.welded[w]) shared.push_back(analysis.welded[v]);
    lengths.push_back(shared.size() < 2
                          ? 0.0
                          : static_cast<double>(
                                glm::length(analysis.rest[shared[0]] - analysis.rest[shared[1]])));
  }
  return lengths;
}

void addJointRegions(const Model& model, const Rig& rig, std::vector<std::uint32_t> nodes,
                     SkinAnalysis& analysis) {
  const std::vector<BoneAxis> axes = boneAxes(rig);
  const std::vector<Zone> zones = zonesFromWeights(rig, axes);
  const auto byJoint = trianglesByJoint(rig);
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  for (const std::uint32_t node : nodes) {
    SkinRegion region;
    region.node = node;
    region.name = model.hierarchy.nodes[node].name;
    for (std::uint32_t j = 0; j < rig.joints.size(); ++j) {
      if (rig.joints[j].node != node || byJoint[j].empty()) continue;
      region.triangles.insert(region.triangles.end(), byJoint[j].begin(), byJoint[j].end());
      const auto slices = surfaceSlices(rig, listEdges(rig.triangles, byJoint[j], analysis.welded),
                                        axes[j], zones[j], kZoneSlices);
      region.sections.insert(region.sections.end(), slices.begin(), slices.end());
    }
    complete(region, analysis, rig);
    for (const std::uint32_t triangle : region.triangles)
      analysis.regionOfTriangle[triangle] = static_cast<std::uint32_t>(analysis.regions.size());
    analysis.regions.push_back(std::move(region));
  }
}

void listNeighbours(SkinAnalysis& analysis) {
  for (std::uint32_t i = 0; i < analysis.neighbours.size(); ++i) {
    const auto& [a, b] = analysis.neighbours[i];
    const std::uint32_t first = analysis.regionOfTriangle[a], second = analysis.regionOfTriangle[b];
    if (first != 0) analysis.regions[first].neighbours.push_back(i);
    if (second != 0 && second != first) analysis.regions[second].neighbours.push_back(i);
  }
}

// Measuring a posed mesh.

using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

constexpr float kFold = 1.0471976f; // 60 degrees

std::vector<double> newCrossings(const SkinAnalysis& analysis, const Rig& rig,
                                 std::span<const vec3> posed) {
  const Pairs now =
      selfIntersections(posed, rig.triangles, analysis.regions[0].triangles, analysis.welded);
  Pairs added;
  std::set_difference(now.begin(), now.end(), analysis.restCrossings.begin(),
                      analysis.restCrossings.end(), std::back_inserter(added));
  std::vector<double> counts(analysis.regions.size(), 0.0);
  for (const auto& [a, b] : added) {
    const std::uint32_t first = analysis.regionOfTriangle[a], second = analysis.regionOfTriangle[b];
    counts[0] += 1.0;
    if (first != 0) counts[first] += 1.0;
    if (second != 0 && second != first) counts[second] += 1.0;
  }
  return counts;
}

// Angles between neighbours in a region.
struct Angles {
  double sharpest = 0.0; // radians
  double folded = 0.0;   // length of the folded edges
  double length = 0.0;   // length of all edges
};

std::vector<Angles> anglesByRegion(const SkinAnalysis& analysis, const Rig& rig,
                                   std::span<const vec3> posed) {
  const std::vector<float> angles = neighbourAngles(posed, rig.triangles, analysis.neighbours);
  std::vector<Angles> byRegion(analysis.regions.size());
  const auto include = [&](std::size_t region, std::size_t i) {
    Angles& of = byRegion[region];
    of.sharpest = std::max(of.sharpest, static_cast<double>(angles[i]));
    of.length += analysis.neighbourLength[i];
    if (angles[i] - analysis.restAngles[i] > kFold) of.folded += analysis.neighbourLength[i];
  };
  for (std::size_t i = 0; i < angles.size(); ++i) {
    const auto& [a, b] = analysis.neighbours[i];
    const std::uint32_t first = analysis.regionOfTriangle[a], second = analysis.regionOfTriangle[b];
    include(0, i);
    if (first != 0) include(first, i);
    if (second != 0 && second != first) include(second, i);
  }
  return byRegion;
}

void measureDistances(const SkinRegion& region, const SkinAnalysis& analysis,
                      std::span<const vec3> posed, std::span<const vec3> reference,
                      DeformationMetrics& out) {
  double largest = 0.0, sum = 0.0;
  std::size_t beyond = 0, count = 0;
  for (const std::uint32_t v : region.vertices) {
    const double distance = glm::length(glm::dvec3(posed[v]) - glm::dvec3(reference[v]));
    if (!std::isfinite(distance)) continue;
    largest = std::max(largest, distance);
    sum += distance;
    if (distance > analysis.beyond) ++beyond;
    ++count;
  }
  if (count == 0 || !(analysis.size > 0.0f)) return;
  const auto n = static_cast<double>(count);
  out.distance = largest / static_cast<double>(analysis.size);
  out.meanDistance = sum / n / static_cast<double>(analysis.size);
  out.beyond = static_cast<double>(beyond) / n;
}

// Whether all corners of some triangle of the region are finite.
bool hasFiniteTriangle(const SkinRegion& region, const Rig& rig, std::span<const vec3> positions) {
  return std::ranges::any_of(region.triangles, [&](std::uint32_t t) {
    return std::ranges::all_of(rig.triangles[t],
                               [&](std::uint32_t v) { return isFinite(positions[v]); });
  });
}

double definedOr(double value) {
  return std::isfinite(value) ? value : DeformationMetrics::kUndefined;
}

void measureThickness(const SkinRegion& region, const SkinAnalysis& analysis,
                      std::span<const vec3> posed, DeformationMetrics& out) {
  if (region.bindVolume != 0.0)
    out.volume = definedOr(computeVolume(region.surface, posed) / region.bindVolume);
  if (!region.sections.empty())
    out.crossSection =
        definedOr(static_cast<double>(smallestRadiusRatio(region.sections, analysis.rest, posed)));
}

double foldedShare(const SkinRegion& region, const SkinAnalysis& analysis, const Rig& rig,
                   std::span<const vec3> posed) {
  Pairs pairs;
  for (const std::uint32_t i : region.neighbours)
    pairs.push_back(analysis.neighbours[i]);
  const std::vector<float> angles = neighbourAngles(posed, rig.triangles, pairs);
  double folded = 0.0, length = 0.0;
  for (std::size_t k = 0; k < angles.size(); ++k) {
    const std::uint32_t i = region.neighbours[k];
    length += analysis.neighbourLength[i];
    if (angles[k] - analysis.restAngles[i] > kFold) folded += analysis.neighbourLength[i];
  }
  return length > 0.0 ? folded / length : DeformationMetrics::kUndefined;
}

DeformationMetrics measureRegion(const SkinRegion& region, const SkinAnalysis& analysis,
                                 const Rig& rig, std::span<const vec3> posed,
                                 std::span<const vec3> reference) {
  DeformationMetrics out;
  if (!hasFiniteTriangle(region, rig, posed)) return out;
  measureThickness(region, analysis, posed, out);
  out.stretch =
      definedOr(static_cast<double>(measureStretch(region.edges, analysis.rest, posed).largest));
  if (hasFiniteTriangle(region, rig, reference))
    out.flipped =
        static_cast<double>(flippedFraction(rig.triangles, region.triangles, reference, posed));
  measureDistances(region, analysis, posed, reference, out);
  return out;
}

} // namespace

std::vector<std::uint32_t> bendingNodes(const Rig& rig) {
  const JointAttachments attachments = attachToJoints(rig, 1);
  std::vector<bool> bends(rig.joints.size(), false);
  for (std::size_t v = 0; v < attachments.count(); ++v) {
    const JointAttachment& first = attachments.of(v)[0];
    if (first.blendFactor > 0.0f && first.blendFactor < 1.0f) bends[first.joint] = true;
  }
  const auto byJoint = trianglesByJoint(rig);
  std::vector<std::uint32_t> nodes;
  for (std::uint32_t j = 0; j < rig.joints.size(); ++j)
    if (bends[j] && !byJoint[j].empty()) nodes.push_back(rig.joints[j].node);
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

SkinAnalysis analyzeSkin(const Model& model, const Rig& rig, const AnalysisOptions& options) {
  SkinAnalysis analysis;
  analysis.rest = positionsAtBind(model, rig);
  for (vec3& p : analysis.rest)
    p *= options.scale;
  analysis.size = computeBounds(analysis.rest).size();
  analysis.beyond = options.beyond * static_cast<double>(analysis.size);
  analysis.welded = weldVertices(rig);
  analysis.neighbours = neighbourTriangles(rig.triangles, analysis.welded);
  analysis.regionOfTriangle.assign(rig.triangles.size(), 0);
  SkinRegion whole;
  whole.name = "whole mesh";
  whole.triangles = upTo(rig.triangles.size());
  complete(whole, analysis, rig);
  analysis.regions.push_back(std::move(whole));
  addJointRegions(model, rig, options.nodes.empty() ? bendingNodes(rig) : options.nodes, analysis);
  for (std::size_t i = 1; i < analysis.regions.size(); ++i) {
    const auto& sections = analysis.regions[i].sections;
    auto& all = analysis.regions[0].sections;
    all.insert(all.end(), sections.begin(), sections.end());
  }
  analysis.restCrossings = selfIntersections(analysis.rest, rig.triangles,
                                             analysis.regions[0].triangles, analysis.welded);
  analysis.neighbourLength = sharedLengths(analysis, rig);
  analysis.restAngles = neighbourAngles(analysis.rest, rig.triangles, analysis.neighbours);
  listNeighbours(analysis);
  return analysis;
}

float computeScale(const Model& model, const Rig& rig, std::span<const mat4> modelFromNode) {
  const std::vector<mat4> atBind = modelFromNodes(model.hierarchy, bindPose(model));
  std::vector<float> scales;
  for (const RigJoint& joint : rig.joints) {
    const float before = std::abs(glm::determinant(mat3(atBind[joint.node])));
    const float after = std::abs(glm::determinant(mat3(modelFromNode[joint.node])));
    if (before > 0.0f && after > 0.0f && std::isfinite(after / before))
      scales.push_back(std::cbrt(after / before));
  }
  if (scales.empty()) return 1.0f;
  const auto middle = scales.begin() + static_cast<std::ptrdiff_t>(scales.size() / 2);
  std::nth_element(scales.begin(), middle, scales.end());
  return *middle;
}

std::vector<DeformationMetrics> measure(const SkinAnalysis& analysis, const Rig& rig,
                                        std::span<const vec3> posed,
                                        std::span<const vec3> reference) {
  const std::vector<double> crossings = newCrossings(analysis, rig, posed);
  const std::vector<Angles> angles = anglesByRegion(analysis, rig, posed);
  std::vector<DeformationMetrics> metrics;
  for (std::size_t i = 0; i < analysis.regions.size(); ++i) {
    DeformationMetrics of = measureRegion(analysis.regions[i], analysis, rig, posed, reference);
    if (hasFiniteTriangle(analysis.regions[i], rig, posed)) {
      of.selfIntersections = crossings[i];
      of.curvature = glm::degrees(angles[i].sharpest);
      if (angles[i].length > 0.0) of.folded = angles[i].folded / angles[i].length;
    }
    metrics.push_back(of);
  }
  return metrics;
}

DeformationMetrics measureJoint(const SkinAnalysis& analysis, const Rig& rig, std::size_t region,
                                std::span<const vec3> posed, bool crossings) {
  const SkinRegion& of = analysis.regions[region];
  DeformationMetrics out;
  if (!hasFiniteTriangle(of, rig, posed)) return out;
  measureThickness(of, analysis, posed, out);
  out.folded = foldedShare(of, analysis, rig, posed);
  if (!crossings) return out;
  const Pairs now = selfIntersections(posed, rig.triangles, of.triangles, analysis.welded);
  Pairs added;
  std::set_difference(now.begin(), now.end(), analysis.restCrossings.begin(),
                      analysis.restCrossings.end(), std::back_inserter(added));
  out.selfIntersections = static_cast<double>(added.size());
  return out;
}

std::vector<DeformationMetrics> measureRest(const SkinAnalysis& analysis, const Rig& rig) {
  return measure(analysis, rig, analysis.rest, analysis.rest);
}

} // namespace sinew
