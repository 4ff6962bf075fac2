// The entries of methods, each in a source of its own, and what others need to read their data. The
// mathematics: docs/methods.md. Splines: spline.h.
#pragma once

#include "skinning/bone_palette.h"
#include "skinning/method.h"

#include <span>
#include <string>

namespace sinew {

// Rigid skinning (section 2): every vertex follows its strongest joint, v' = M(j) v.
Method rigidMethod();

// Linear blend skinning, or vertex blending (section 3): v' = sum w_i M(j_i) v.
Method lbsMethod();

// Linear blending with exact normals: a part of mixtures (section 12), not in the table of methods.
// With w the weights of the bones, a tangent q of the bind surface goes to
//
//   J q = sum_i [ w_i M(i) q + M(i) v (grad w_i . q) ]
const Method& exactLbsMethod();

// Dual quaternion skinning (section 4; Kavan et al. 2007, 2008): the joints' rigid motions blended
// as dual quaternions, after a linear blend of what stretches (two phases).
Method dqsMethod();

// Skinning by centres of rotation (Le and Hodgins 2016: Real-time Skeletal Skinning with Optimized
// Centers of Rotation): a vertex rotates by its blended rotation about a centre of its own, found
// once, which moves by linear blending.
Method corMethod();

// Stretchable and twistable bones (Jacobson and Sorkine 2011: Stretchable and Twistable Bones for
// Skeletal Shape Deformation): each bone twists and stretches evenly along its length, and bones
// are blended linearly.
Method stbsMethod();

// A method for each joint (section 7): every vertex is skinned by the methods of the joints that
// bend it, mixed by their shares of the vertex (rig/bend_shares). Kavan and Zara 2003, section 3,
// have bones blending at some joints and vertex blending elsewhere. `others`: the methods of the
// table, for the names and parameters it offers. Their names and parameters stay where they are.
Method perJointMethod(std::span<const Method> others);

// Bones blending (section 5; Kavan and Zara 2003): a vertex belongs to a joint and
// makes the fraction t of its rotation, v' = M(p) (c + Q^t (v - c)). Rotations are blended, not
// positions, so a limb keeps its thickness at any twist. Up to three joints per vertex.
Method bonesBlendingMethod();

// M(p) of a joint, by its rows.
MatrixRows parentMatrix(const vec4* rows);

// Direct delta mush (Le and Lewis 2019: Direct Delta Mush Skinning and Variants,
// variant 0): what smoothing the linearly blended mesh and putting its details back would give, in
// one step. It smooths any weights, also those of one joint a vertex.
Method ddmMethod();

// Attributes of four influences each, by group and texel: (first, xx) and (yy, zz, xy, xz) of each,
// then yz of all. What they are: rig/smoothed_weights.
inline constexpr std::size_t kMomentTexels = 9;
std::string momentName(std::size_t group, std::size_t texel);

} // namespace sinew
