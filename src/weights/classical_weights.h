// Weights of a point by its distances to the bones alone, as programs gave them before bone heat:
// neither the mesh's surface nor what lies between a point and a bone counts. d_i(x) is the
// distance of point x from the segment of bone i.
//
// All are independent of the unit of length and of rigid motion, and sum to 1.
#pragma once

#include "model/mesh.h"
#include "weights/bone_segment.h"

#include <span>
#include <vector>

namespace sinew {

struct EnvelopeOptions {
  // Bounds of the zone over which a weight falls from full to none, as multiples of the radius of
  // the skin about the bone; 0 <= inner < outer.
  float inner = 0.5f;
  float outer = 2.0f;
};

// The radius r_i of the skin about every bone: the median distance of the points that have it
// nearest; of a bone that is nearest to none, the median of the other bones' radii.
std::vector<float> skinRadii(std::span<const vec3> points, std::span<const BoneSegment> bones);

// Envelopes, the "bone size" and "region of influence" that Wareham and Lasenby 2008 (section 1)
// name as what artists set: w_i = e_i / sum e, with
//
//     e_i = (1 - u^2)^2,   u = clamp((d_i - inner r_i) / (outer r_i - inner r_i), 0, 1).
//
// A point in no envelope belongs to the bone with the smallest d_i / r_i.
std::vector<Influence> envelopeWeights(const vec3& point, std::span<const BoneSegment> bones,
                                       std::span<const float> radii,
                                       const EnvelopeOptions& options);

// The nearest bones "weighted according to the respective distance" (Kavan and Zara 2003, section
// 3, after Weber 2000): w_i = d_i^-k / sum d^-k (Shepard 1968). As k grows, the nearest bone alone;
// on a bone, that bone alone, or equal parts of those that meet there.
std::vector<Influence> nearestBoneWeights(const vec3& point, std::span<const BoneSegment> bones,
                                          float exponent);

// The joints between bones: per bone the bone that ends where it begins, or itself.
std::vector<std::uint32_t> precedingBones(std::span<const BoneSegment> bones);

// The assignment of vertices to bones for bones blending (Kavan and Zara 2003, section 3). A point
// belongs to the nearest bone; but all around a joint that moves with it belong to the bone that
// begins there, as far as `reach` of the bone that ends there. Its weight is the interpolation
// parameter of that bone's rotation,
//
//     t = clamp((t' - t_min) / (t_max - t_min), 0, 1),   t' = <v0, n>,
//
// v0 the point relative to the joint and n the unit direction of the bone; t_min = -reach |bone
// before|, t_max = reach |bone|. The bone before has the rest, 1 - t. 0 < reach <= 0.5, so that the
// zones of a bone's ends do not overlap. preceding: of precedingBones().
std::vector<Influence> bonesBlendingWeights(const vec3& point, std::span<const BoneSegment> bones,
                                            std::span<const std::uint32_t> preceding, float reach);

} // namespace sinew
