// How thick a limb stays where a joint turns: the smallest radius of a cross-section in a pose over
// that of the same cross-section in the bind pose (Kavan and Zara 2003, figures 4 and 8). A twist
// of half a turn takes it to 0 with linear blending and leaves it 1 with bones blending.
//
// A cross-section is a ring of vertices: those attached to the joint that stand at one distance
// along its bone in bind space. Its radius is the mean distance of its vertices from their mean.
#pragma once

#include "rig/bone_axes.h"
#include "rig/zones.h"

#include <span>
#include <vector>

namespace sinew {

struct CrossSection {
  float along = 0.0f;                  // mean signed distance from the joint, bind space
  std::vector<std::uint32_t> vertices; // of the rig
};

// The rings within the zone, by distance. A ring holds the vertices over a 24th of the zone from
// its first one; one that does not stand around the bone (fewer than five vertices, or a gap of
// more than 120 degrees) is left out. Where that leaves none, for the mesh is coarse, rings twice
// as thick are tried, up to the whole zone. Empty where the joint has no skin around its bone.
std::vector<CrossSection> crossSections(const Rig& rig, std::uint32_t joint, const BoneAxis& axis,
                                        const Zone& zone);

double radiusOf(const CrossSection& ring, std::span<const vec3> positions);

// Smallest radius in `posed` over that in `rest` of all rings; 1 where there is none.
float smallestRadiusRatio(std::span<const CrossSection> rings, std::span<const vec3> rest,
                          std::span<const vec3> posed);

} // namespace sinew
