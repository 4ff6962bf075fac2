// The thickness of a limb at a rotated joint: the smallest radius of a cross-section in a pose over
// that of the same cross-section in the bind pose (Kavan and Zara 2003, figures 4 and 8). A twist
// by 180 degrees reduces it to 0 with linear blending and keeps it at 1 with bones blending.
//
// The radius of a cross-section is the mean distance of its points from their mean. There are two
// kinds: rings of vertices show the effect of the method, slices of the surface that of its
// triangles. Between two rings rotated relative to each other, flat triangles come closer to the
// bone by up to the cosine of half the angle, with any method; less in a finer mesh. The thinnest
// section of linear blending, on the other hand, may lie between two rings.
#pragma once

#include "rig/bone_axes.h"
#include "rig/welded_vertices.h"
#include "rig/zones.h"

#include <span>
#include <vector>

namespace sinew {

// A point on the edge from vertex a (t = 0) to vertex b (t = 1), in any pose.
struct SectionPoint {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  float t = 0.0f;
};

struct CrossSection {
  float along = 0.0f; // mean signed distance from the joint, bind space
  std::vector<SectionPoint> points;
};

// The rings of vertices attached to the joint within the zone, by distance. A ring has the vertices
// within a 24th of the zone from its first one; a ring that does not enclose the bone (fewer than
// five points, or a gap of more than 120 degrees) is dropped. If none remains, because the mesh is
// coarse, rings of twice the thickness are tried, up to the whole zone. Empty if the joint has no
// skin around its bone.
std::vector<CrossSection> vertexRings(const Rig& rig, std::uint32_t joint, const BoneAxis& axis,
                                      const Zone& zone);

// The intersections of the bind pose's edges with `count` planes across the bone, evenly spaced in
// the zone; sections that do not enclose the bone are dropped.
std::vector<CrossSection> surfaceSlices(const Rig& rig, std::span<const WeldedEdge> edges,
                                        const BoneAxis& axis, const Zone& zone,
                                        std::uint32_t count);

double computeRadius(const CrossSection& section, std::span<const vec3> positions);

// The smallest ratio of the radius in `posed` to that in `rest` over all sections; 1 without any.
float smallestRadiusRatio(std::span<const CrossSection> sections, std::span<const vec3> rest,
                          std::span<const vec3> posed);

} // namespace sinew
