#include "metrics/survey.h"

#include "animation/pose.h"
#include "metrics/curvature.h"
#include "metrics/self_intersection.h"
#include "metrics/stretch.h"
#include "rig/joint_weights.h"
#include "rig/subdivide.h"
#include "skinning/methods.h"

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sinew {
namespace {

constexpr std::uint32_t kSlices = 97; // across a joint's zone
// Volume over area^1.5 is 0.094 of a ball, 0.02 of a tube a hundred times as long as thick and 0.01
// of a disc forty times as wide as thick. What has less is a sheet, and its volume an accident.
constexpr double kSheet = 1e-2;
constexpr double kWholeSheet = 1e-3; // a character is many thin things
constexpr double kShortest = 1e-4;   // edge, share of the model's size

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

double areaOf(const glm::dvec3& a, const glm::dvec3& b, const glm::dvec3& c) {
  return 0.5 * glm::length(glm::cross(b - a, c - a));
}

// Of what metrics/volume encloses: the triangles and the fans that close them.
double closedArea(const Region& region, std::span<const vec3> positions) {
  double area = 0.0;
  for (const auto& [a, b, c] : region.triangles)
    area += areaOf(positions[a], positions[b], positions[c]);
  for (const auto& rim : region.rims) {
    glm::dvec3 middle(0.0);
    for (const auto& [a, b] : rim)
      middle += glm::dvec3(positions[a]) / static_cast<double>(rim.size());
    for (const auto& [a, b] : rim)
      area += areaOf(middle, positions[a], positions[b]);
  }
  return area;
}

// 0 where the region is more of a sheet, or turned inside out against the whole.
double bindVolumeOf(const SkinRegion& region, const Survey& survey) {
  const double volume = volumeOf(region.surface, survey.rest);
  const double ball = std::pow(closedArea(region.surface, survey.rest), 1.5);
  if (region.node == kNoNode) return std::abs(volume) > kWholeSheet * ball ? volume : 0.0;
  const bool insideOut = volume * survey.regions[0].bindVolume < 0.0;
  return std::abs(volume) > kSheet * ball && !insideOut ? volume : 0.0;
}

// Everything of a region that follows from its triangles.
void complete(SkinRegion& region, const Survey& survey, const Rig& rig) {
  region.surface = regionOf(rig.triangles, region.triangles, survey.places);
  region.bindVolume = bindVolumeOf(region, survey);
  region.edges = edgesOf(rig.triangles, region.triangles, survey.places);
  std::erase_if(region.edges, [&](const PlaceEdge& edge) {
    return glm::length(survey.rest[edge.first] - survey.rest[edge.second]) <
           static_cast<float>(kShortest) * survey.size;
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

// Of the edge that two neighbours share, by place.
std::vector<double> sharedLengths(const Survey& survey, const Rig& rig) {
  std::vector<double> lengths;
  for (const auto& [first, second] : survey.neighbours) {
    std::vector<std::uint32_t> shared;
    for (const std::uint32_t v : rig.triangles[first])
      for (const std::uint32_t w : rig.triangles[second])
        if (survey.places[v] == survey.places[w]) shared.push_back(survey.places[v]);
    lengths.push_back(shared.size() < 2 ? 0.0
                                        : static_cast<double>(glm::length(survey.rest[shared[0]] -
                                                                          survey.rest[shared[1]])));
  }
  return lengths;
}

void addJointRegions(const Model& model, const Rig& rig, std::vector<std::uint32_t> nodes,
                     Survey& survey) {
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
      const auto slices = surfaceSlices(rig, edgesOf(rig.triangles, byJoint[j], survey.places),
                                        axes[j], zones[j], kSlices);
      region.sections.insert(region.sections.end(), slices.begin(), slices.end());
    }
    complete(region, survey, rig);
    for (const std::uint32_t triangle : region.triangles)
      survey.regionOfTriangle[triangle] = static_cast<std::uint32_t>(survey.regions.size());
    survey.regions.push_back(std::move(region));
  }
}

} // namespace

std::vector<std::uint32_t> bendingNodes(const Rig& rig) {
  const JointAttachments attachments = attachToJoints(rig, 1);
  std::vector<bool> bends(rig.joints.size(), false);
  for (std::size_t v = 0; v < attachments.vertexCount(); ++v) {
    const JointAttachment& first = attachments.of(v)[0];
    if (first.childShare > 0.0f && first.childShare < 1.0f) bends[first.joint] = true;
  }
  const auto byJoint = trianglesByJoint(rig);
  std::vector<std::uint32_t> nodes;
  for (std::uint32_t j = 0; j < rig.joints.size(); ++j)
    if (bends[j] && !byJoint[j].empty()) nodes.push_back(rig.joints[j].node);
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

Survey surveyOf(const Model& model, const Rig& rig, const SurveyOptions& options) {
  Survey survey;
  survey.rest = positionsAtBind(model, rig);
  for (vec3& p : survey.rest)
    p *= options.scale;
  survey.size = boundsOf(survey.rest).size();
  survey.beyond = options.beyond * static_cast<double>(survey.size);
  survey.places = placesOf(rig);
  survey.neighbours = neighbourTriangles(rig.triangles, survey.places);
  survey.regionOfTriangle.assign(rig.triangles.size(), 0);
  SkinRegion whole;
  whole.name = "whole mesh";
  whole.triangles = upTo(rig.triangles.size());
  complete(whole, survey, rig);
  survey.regions.push_back(std::move(whole));
  addJointRegions(model, rig, options.nodes.empty() ? bendingNodes(rig) : options.nodes, survey);
  for (std::size_t i = 1; i < survey.regions.size(); ++i) {
    const auto& sections = survey.regions[i].sections;
    auto& all = survey.regions[0].sections;
    all.insert(all.end(), sections.begin(), sections.end());
  }
  survey.restCrossings =
      selfIntersections(survey.rest, rig.triangles, survey.regions[0].triangles, survey.places);
  survey.neighbourLength = sharedLengths(survey, rig);
  survey.restAngles = neighbourAngles(survey.rest, rig.triangles, survey.neighbours);
  return survey;
}

float scaleOf(const Model& model, const Rig& rig, std::span<const mat4> modelFromNode) {
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

} // namespace sinew
