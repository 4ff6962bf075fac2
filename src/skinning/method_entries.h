// The entries of methods that have nothing else to declare, each in a source of its own. The
// mathematics: docs/methods.md.
#pragma once

#include "skinning/method.h"

#include <span>

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

} // namespace sinew
