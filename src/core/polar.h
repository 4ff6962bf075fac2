// A linear map taken apart into what turns and what stretches: m = rotation * stretch, stretch
// symmetric (Shoemake, Duff: Matrix Animation and Polar Decomposition, 1992).
#pragma once

#include "core/transform.h"

namespace sinew {

struct RotationStretch {
  quat rotation{1.0f, 0.0f, 0.0f, 0.0f}; // unit
  mat3 stretch{1.0f};                    // symmetric; the identity to the bit where m is a rotation
  bool stretches = false;                // m is not a rotation
};

// Any m. A reflection gives a negative stretch; directions flattened to nothing keep whichever turn
// the others leave them. Differences from a rotation of about 1e-5 count as rounding.
RotationStretch polar(const mat3& m);

} // namespace sinew
