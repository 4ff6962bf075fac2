// The CPU reference of skinning by splines, of a whole mesh.
#pragma once

#include "skinning/exact_normals.h"
#include "skinning/spline.h"

#include <vector>

namespace sinew {

// As Method::skin.
void skinBySplines(const Curve& curve, const BindVertices& bind, const Binding& binding,
                   const Palette& palette, SkinnedMesh& out);

// As Method::surface; without shares: of all of the surface.
std::vector<SurfaceMotion> surfaceBySplines(const Curve& curve, const BindVertices& bind,
                                            const Binding& binding, const Palette& palette,
                                            std::span<const float> shares = {});

// As Method::skinTangents.
std::vector<vec4> skinTangentsBySplines(const Curve& curve, const BindVertices& bind,
                                        const Binding& binding, const Palette& palette);

// As Method::unstableNormals: the vertices of which a spline is folded back so sharply at their x
// that the tangent is mostly rounding, and, with exact normals, where the surface is folded so
// sharply that its tangents fall together.
std::vector<bool> foldedVertices(const Curve& curve, const BindVertices& bind,
                                 const Binding& binding, const Palette& palette);

} // namespace sinew
