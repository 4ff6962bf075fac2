// A whole model measured in a pose: the measures of this folder over the whole mesh and over the
// region of every joint that bends skin, for one method after another.
#pragma once

#include "metrics/cross_section.h"
#include "metrics/skin_figures.h"
#include "metrics/volume.h"

#include <span>
#include <string>
#include <utility>
#include <vector>

namespace sinew {

// Skin measured together. The whole mesh is one, without a node. Of a joint it is the triangles
// most of whose corners are attached to it first (of three to three joints: the first corner's).
// That is what rig/subdivide calls connected to the joint and half of what lies between two joints,
// so that regions cover a coarse mesh too. No triangle is of two joints.
struct SkinRegion {
  std::string name;
  std::uint32_t node = kNoNode;
  std::vector<std::uint32_t> triangles;
  std::vector<std::uint32_t> vertices;
  std::vector<PlaceEdge> edges;
  std::vector<CrossSection> sections;
  Region surface;
  double bindVolume = 0.0; // 0: it holds none to compare with, for it is more of a sheet
};

struct SurveyOptions {
  std::vector<std::uint32_t> nodes; // joints by node; empty: all that bend skin
  float scale = 1.0f;   // of the poses to come against the bind pose (a clip's root may scale)
  double beyond = 0.02; // share of the model's size
};

// What has to be known once. `rest` is the bind pose in model space, scaled.
struct Survey {
  std::vector<SkinRegion> regions; // the whole mesh, then joints by node
  std::vector<vec3> rest;
  std::vector<std::uint32_t> places;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> neighbours;
  std::vector<std::uint32_t> regionOfTriangle; // index into regions, 0 where none but the whole
  std::vector<std::pair<std::uint32_t, std::uint32_t>> restCrossings;
  std::vector<float> restAngles;       // of the neighbours, radians
  std::vector<double> neighbourLength; // of the edge that they share
  double beyond = 0.0;                 // in the model's unit
  float size = 0.0f;
};

// Nodes whose joint bends skin: some vertex attached to it follows it in part and its parent in
// part, and a triangle is connected to it. Ascending. A joint of several skins is one node.
std::vector<std::uint32_t> bendingNodes(const Rig& rig);

// A node that is no joint of the rig, or that carries no triangle, gives a region without
// triangles: every figure of it is undefined. Edges shorter than a 10,000th of the model are not
// measured for stretch: such are slips of a modeller, and any seam that opens stretches them
// thousandfold.
Survey surveyOf(const Model& model, const Rig& rig, const SurveyOptions& options);

// How much larger than the bind pose the skeleton stands in a pose: the median over the joints of
// the cube root of their determinants' ratio; 1 without joints.
float scaleOf(const Model& model, const Rig& rig, std::span<const mat4> modelFromNode);

// One per region of the survey. posed: by a method; reference: the same pose by linear blending.
// Positions that are not finite make volumes undefined and count for nothing elsewhere.
std::vector<SkinFigures> measure(const Survey& survey, const Rig& rig, std::span<const vec3> posed,
                                 std::span<const vec3> reference);

// Of the survey's bind pose itself: volume 1 and so on, but also the curvature it has.
std::vector<SkinFigures> measureRest(const Survey& survey, const Rig& rig);

} // namespace sinew
