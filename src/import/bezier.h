// The cubic Bezier curve of animation curves' handles.
#pragma once

namespace sinew {

// Of the four control points, at t in [0, 1].
inline double bezier(double a, double b, double c, double d, double t) {
  const double s = 1.0 - t;
  return s * s * s * a + 3.0 * s * s * t * b + 3.0 * s * t * t * c + t * t * t * d;
}

} // namespace sinew
