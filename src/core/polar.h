// Polar decomposition of a linear map: m = rotation * stretch, stretch symmetric (Shoemake, Duff:
// Matrix Animation and Polar Decomposition, 1992).
#pragma once

#include "core/transform.h"

namespace sinew {

struct RotationStretch {
  quat rotation{1.0f, 0.0f, 0.0f, 0.0f}; // unit
  mat3 stretch{1.0f};                    // symmetric; exactly the identity if m is a rotation
  bool stretches = false;                // m is not a rotation
};

// For any m. A reflection gives a negative stretch; the rotation of directions scaled to 0 follows
// from the others. Differences from a rotation of about 1e-5 count as rounding.
RotationStretch polar(const mat3& m);

// The rotation r, never a reflection, with the largest sum of products of its elements with m's:
// the nearest one to m. The identity for zero; where several are, one of them.
glm::dmat3 nearestRotation(const glm::dmat3& m);

} // namespace sinew
