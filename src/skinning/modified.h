// Modifiers: what moves vertices after any method has posed them. A modifier is a Method too, but
// its skin() takes posed vertices in model space, and its pack() writes the rows with which it
// leaves them as they are. Whoever knows what moves them writes over these (putModifierRows()).
//
//   v' = modifier.skin( base.skin(v) )
#pragma once

#include "skinning/bone_palette.h"
#include "skinning/method.h"

#include <span>
#include <string>

namespace sinew {

inline const std::string kModifierStrength = "strength"; // the attribute of a modifier's binding

// `base` followed by `modifier`, in the place of `base`: with its name, parameters and needs. The
// same object for the same two, for as long as the program runs. Its binding has the two as parts.
// A base that shows another model (Method::shows) is returned as it is.
const Method& modified(const Method& base, const Method& modifier);

// Whether the binding is that of modified(), and of which methods.
bool isModified(const Binding& binding, const Method& modifier);

// The modifier's three rows of each joint of the rig, into rows that modified().pack has packed.
void putModifierRows(const Binding& binding, std::span<const MatrixRows> joints,
                     std::span<vec4> rows);

// The modifier's share at each vertex, 0 to 1, after bind(), which sets it to 1.
void setModifierStrength(std::span<const float> strength, Binding& binding);

// The modifier of velocity skinning (velocity_displacement.h): p' = p + s sum_j w_j D_j (p, 1),
// with the vertex's strength s and its weights w_j. The normal is that of this map, without the
// growth of weights and strength across the surface.
const Method& velocityModifier();

} // namespace sinew
