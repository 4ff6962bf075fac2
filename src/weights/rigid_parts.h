// Parts of a mesh that have nothing to bend about, such as helmets, weapons, eyes and the plates of
// a robot: artists let all of such a part follow one joint, or the skin it is fastened to.
//
// A part is a connected component. How much of every bone lies inside it is measured by the winding
// number (Jacobson et al., Robust Inside-Outside Segmentation using Generalized Winding Numbers,
// 2013) at points along the bones.
#pragma once

#include "weights/bone_segment.h"
#include "weights/surface.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

// Per component the joint that it follows as a whole: the joint whose bones make up 0.65 or more of
// the length of all bones inside it.
enum class PartKind : std::uint8_t {
  bends,    // several joints' bones are inside
  rigid,    // one joint's bones are
  fastened, // no bone is
};

struct RigidPart {
  PartKind kind = PartKind::bends;
  std::uint32_t joint = 0; // the joint that a rigid part follows
};

// Per component of the surface, loose vertices left out. All bend where the surface is one
// component, where more than half of its vertices are on components without bones, or where there
// are more than 4,096 components: then components are no parts of a character.
std::vector<RigidPart> meshParts(const WeightSurface& surface, std::span<const BoneSegment> bones,
                                 std::span<const std::uint32_t> jointOfBone);

// Gives rigid parts their joint. A fastened part gets one list of weights: the mean of those at the
// points of the other parts nearest to its vertices, by 1 / (d^2 + e^2), d the distance beyond the
// least and e a twentieth of the part's size. Returns the number of vertices on both.
std::size_t bindRigidParts(const WeightSurface& surface, std::span<const RigidPart> parts,
                           std::vector<std::vector<Influence>>& weights);

} // namespace sinew
