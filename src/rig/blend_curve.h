// How a joint's rotation blends in over its zone: the blend factor as a function of the part of the
// zone that lies before a vertex (docs/methods.md, section 5). Kavan and Zara 2003 use a linear one
// and leave others to future work (section 5).
#pragma once

#include <glm/vec2.hpp>

#include <span>
#include <string>
#include <vector>

namespace sinew {

// From (0, 0) to (1, 1), never falling.
struct BlendCurve {
  enum class Kind {
    linear, // the paper's: a kink at either end of the zone
    smooth, // 3 t^2 - 2 t^3: the rotation's derivative along the bone is continuous
    drawn,  // through points
  };
  Kind kind = Kind::linear;
  std::vector<glm::vec2> points = {}; // points of a drawn curve, between (0, 0) and (1, 1)

  bool operator==(const BlendCurve&) const = default;
};

// The blend factor at a fraction of the zone, 0 to 1 (outside: the nearer end), and its derivative.
// A drawn curve is the monotone cubic through its points; its derivative is continuous too, and at
// the ends is that of the first and the last stretch, 0 where those are level.
float blendAt(const BlendCurve& curve, float fraction);
float blendSlope(const BlendCurve& curve, float fraction);

// Why a drawn curve cannot have these points, in words; empty: it can. Fractions rise and lie
// between 0 and 1; factors do not fall and lie within 0 and 1.
std::string findProblem(std::span<const glm::vec2> points);

} // namespace sinew
