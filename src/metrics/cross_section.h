// How thick a limb stays where a joint turns: the smallest radius of a cross-section in a pose over
// that of the same cross-section in the bind pose (Kavan and Zara 2003, figures 4 and 8). A twist
// of half a turn takes it to 0 with linear blending and leaves it 1 with bones blending.
//
// The radius of a cross-section is the mean distance of its points from their mean. There are two
// kinds: rings of vertices, which say what the method does, and slices of the surface, which say
// what its triangles look like. Between two rings turned against each other by an angle the flat
// triangles come closer to the bone by up to the cosine of half the angle, whatever the method;
// a finer mesh does not. Linear blending's thinnest place in turn may lie between two rings.
#pragma once

#include "rig/bone_axes.h"
#include "rig/places.h"
#include "rig/zones.h"

#include <span>
#include <vector>

namespace sinew {

// A point of an edge, from vertex a (share 0) to vertex b (share 1), in any pose.
struct SectionPoint {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  float share = 0.0f;
};

struct CrossSection {
  float along = 0.0f; // mean signed distance from the joint, bind space
  std::vector<SectionPoint> points;
};

// The rings of vertices attached to the joint within the zone, by distance. A ring holds the
// vertices over a 24th of the zone from its first one; one that does not stand around the bone
// (fewer than five points, or a gap of more than 120 degrees) is left out. Where that leaves none,
// for the mesh is coarse, rings twice as thick are tried, up to the whole zone. Empty where the
// joint has no skin around its bone.
std::vector<CrossSection> vertexRings(const Rig& rig, std::uint32_t joint, const BoneAxis& axis,
                                      const Zone& zone);

// Where the bind pose's edges cut `count` planes across the bone, evenly spaced inside the zone;
// those that do not stand around the bone are left out.
std::vector<CrossSection> surfaceSlices(const Rig& rig, std::span<const PlaceEdge> edges,
                                        const BoneAxis& axis, const Zone& zone,
                                        std::uint32_t count);

double radiusOf(const CrossSection& section, std::span<const vec3> positions);

// Smallest radius in `posed` over that in `rest` of all sections; 1 where there is none.
float smallestRadiusRatio(std::span<const CrossSection> sections, std::span<const vec3> rest,
                          std::span<const vec3> posed);

} // namespace sinew
