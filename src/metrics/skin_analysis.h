// Deformation metrics of a whole model in a pose: over the whole mesh and over the region of every
// joint that bends skin.
#pragma once

#include "metrics/cross_section.h"
#include "metrics/deformation_metrics.h"
#include "metrics/volume.h"

#include <span>
#include <string>
#include <utility>
#include <vector>

namespace sinew {

// A region of the skin. The whole mesh is one, without a node. A joint's region is the triangles
// with most corners attached to it first (with three joints: the first corner's). That is the
// triangles connected to the joint (rig/subdivide) and half of those between two joints, so that
// regions cover coarse meshes too. No triangle is in the regions of two joints.
struct SkinRegion {
  std::string name;
  std::uint32_t node = kNoNode;
  std::vector<std::uint32_t> triangles;
  std::vector<std::uint32_t> vertices;
  std::vector<WeldedEdge> edges;
  std::vector<CrossSection> sections;
  std::vector<std::uint32_t> neighbours; // pairs with a triangle of it: SkinAnalysis::neighbours
  Region surface;
  double bindVolume = 0.0; // 0: undefined, because the region is more like a sheet
};

struct AnalysisOptions {
  std::vector<std::uint32_t> nodes; // joints by node; empty: all that bend skin
  float scale = 1.0f;               // scale of posed over bind pose (a clip's root may scale)
  double beyond = 0.02;             // relative to the model's size
};

// The pose-independent data of the metrics. `rest` is the bind pose in model space, scaled.
struct SkinAnalysis {
  std::vector<SkinRegion> regions; // the whole mesh, then joints by node
  std::vector<vec3> rest;
  std::vector<std::uint32_t> welded;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> neighbours;
  std::vector<std::uint32_t> regionOfTriangle; // index into regions, 0: only the whole mesh
  std::vector<std::pair<std::uint32_t, std::uint32_t>> restCrossings;
  std::vector<float> restAngles;       // per pair of neighbours, radians
  std::vector<double> neighbourLength; // per pair, length of the edge that they share
  double beyond = 0.0;                 // in the model's unit
  float size = 0.0f;
};

// Nodes whose joint bends skin: it has a vertex blended between it and its parent, and a triangle
// is connected to it. Ascending. A joint of several skins is one node.
std::vector<std::uint32_t> bendingNodes(const Rig& rig);

// A node that is not a joint of the rig, or has no triangle, gives a region without triangles: all
// its metrics are undefined. Edges shorter than a 10,000th of the model are ignored for stretch:
// they are modelling errors, and any opening seam stretches them a thousandfold.
SkinAnalysis analyzeSkin(const Model& model, const Rig& rig, const AnalysisOptions& options);

// The scale of the skeleton in a pose relative to the bind pose: the median over the joints of the
// cube root of their determinants' ratio; 1 without joints.
float computeScale(const Model& model, const Rig& rig, std::span<const mat4> modelFromNode);

// One per region of the analysis. posed: by a method; reference: the same pose by linear blending.
// Non-finite positions make volumes undefined and are ignored elsewhere; where no triangle of a
// region has finite corners, all metrics of the region are undefined.
std::vector<DeformationMetrics> measure(const SkinAnalysis& analysis, const Rig& rig,
                                        std::span<const vec3> posed,
                                        std::span<const vec3> reference);

// What a joint's skin is like in a pose, without the costly rest of DeformationMetrics: volume,
// crossSection and folded; selfIntersections where `crossings` is true. region: index in the
// analysis, not 0. Undefined without triangles, or without one that has finite corners.
DeformationMetrics measureJoint(const SkinAnalysis& analysis, const Rig& rig, std::size_t region,
                                std::span<const vec3> posed, bool crossings);

// Measures the bind pose itself: volume 1 and so on, and its own curvature.
std::vector<DeformationMetrics> measureRest(const SkinAnalysis& analysis, const Rig& rig);

} // namespace sinew
