// Shared by methods that consist of others (Binding::parts): their attributes and palette rows side
// by side in one binding.
#pragma once

#include "skinning/method.h"

#include <span>
#include <vector>

namespace sinew {

// Its attributes beside those of the parts before it. What is the same is there once: joints and
// weights, which no morph target changes.
void appendPart(const Method& method, Binding part, Binding& whole);

// A part's rows out of those of the whole, and back.
std::vector<vec4> rowsOfPart(const Binding& whole, const BindingPart& part,
                             std::span<const vec4> rows);
void putRows(const Binding& whole, const BindingPart& part, std::span<const vec4> own,
             std::span<vec4> rows);

// The palette that a part's own skin() reads.
Palette selectPalette(const Binding& binding, const BindingPart& part, const Palette& palette);

// Method::pack, Method::addRotations and Method::morph of all parts.
bool packParts(const Rig& rig, const Binding& binding, std::span<const mat4> modelFromNode,
               std::span<vec4> rows);
void addPartRotations(const Rig& rig, const Binding& binding, std::span<const float> twists,
                      std::span<vec4> rows);
void morphParts(const Rig& rig, const Binding& bound, const MorphedVertices& morphed, Binding& out);

} // namespace sinew
