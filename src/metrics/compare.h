// Compares methods by metrics of the skin around a joint, in a pose and over the joint's range of
// motion.
#pragma once

#include "animation/pose.h"
#include "metrics/cross_section.h"
#include "metrics/distortion.h"
#include "metrics/volume.h"
#include "skinning/method.h"

#include <span>
#include <string_view>
#include <vector>

namespace sinew {

// The pose-independent data of the metrics for a rig and a joint. The joint's region is the
// triangles connected to it (rig/subdivide). `rest` is the mesh in the bind pose, model space:
// every ratio is relative to it.
struct JointProbe {
  std::uint32_t joint = 0; // index into the rig's joints
  BoneAxis axis;
  std::vector<std::uint32_t> welded;
  std::vector<std::uint32_t> regionTriangles;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> neighbours; // pairs in the whole mesh
  Region region;
  Region whole;
  std::vector<CrossSection> rings;  // rings of vertices in the zone fitted to the joint's weights
  std::vector<CrossSection> slices; // slices of the surface in that zone
  std::vector<WeldedEdge> edges;    // the region's edges
  std::vector<vec3> rest;
};

JointProbe probeJoint(const Model& model, const Rig& rig, std::uint32_t joint);

struct MethodMetrics {
  std::string_view method;
  float volume = 1.0f;         // the region's volume over its bind volume
  float totalVolume = 1.0f;    // the whole mesh's, holes closed, over its bind volume
  float crossSection = 1.0f;   // smallest radius of the rings of vertices over the rest radius
  float surfaceSection = 1.0f; // the same for the slices of the surface
  float largestStretch = 1.0f;
  float meanStretch = 1.0f;
  float curvature = 0.0f;            // relative to the joint, radians
  float flipped = 0.0f;              // fraction of the region flipped relative to `reference`
  std::size_t selfIntersections = 0; // pairs with a triangle of the region
};

// posed: positions by a method, in model space; reference: the same pose by linear blending. If the
// bind volume is 0 (a region without triangles, or flat) the volume ratio is 1.
MethodMetrics computeMetrics(const JointProbe& probe, const Rig& rig, std::string_view method,
                             std::span<const vec3> posed, std::span<const vec3> reference);

enum class JointRotation { bend, twist, both };

// Degrees, both ends included, in equal steps (0 steps: only `from`); 180 and -180 are two rows.
struct JointSweep {
  JointRotation rotation = JointRotation::bend;
  float from = -180.0f;
  float to = 180.0f;
  std::uint32_t steps = 24;
  vec3 bendToward{0.0f, 0.0f, 1.0f}; // the bend's axis is its part perpendicular to the bone
};

// The axis, unit, in bind space. If bendToward is parallel to the bone, +X or else +Y is used.
vec3 bendAxis(const BoneAxis& axis, const vec3& bendToward);

// The bind pose with the joint and its descendants rotated: about its bone (twist), about an axis
// perpendicular to it (bend), or twisted and then bent by the same angle (both). Axes are in bind
// space, transformed to the joint by its bind matrix's rotation.
Pose rotatedJoint(const Model& model, const Rig& rig, const JointProbe& probe,
                  const JointSweep& sweep, float degrees);

} // namespace sinew
