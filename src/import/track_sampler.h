// Keys for a value that is known at every moment: as few as keep the track within a tolerance of
// it.
#pragma once

#include "model/clip.h"

#include <functional>
#include <vector>

namespace sinew {

// times: seconds, ascending, at least one: the first and the last moment, and between them those at
// which the value may jump or bend; in between it is smooth.
struct SampleTimes {
  std::vector<double> times;
  double origin = 0.0;  // the moment that becomes 0
  bool stepped = false; // the value does nothing but jump at these times
};

// A jump becomes two keys with the least distance that there is; the value is taken from behind it.
// Linear where keys at the times alone suffice, else cubic with keys in between. A value that stays
// the same becomes one key. tolerance: for each component. Where it takes too many keys, missed is
// counted up.
Track<vec3> sampleVectors(const SampleTimes& at, const std::function<glm::dvec3(double)>& value,
                          double tolerance, std::size_t& missed);
Track<quat> sampleRotations(const SampleTimes& at, const std::function<glm::dquat(double)>& value,
                            double tolerance, std::size_t& missed);
Track<float> sampleNumbers(const SampleTimes& at, const std::function<double(double)>& value,
                           double tolerance, std::size_t& missed);

// The cubic Bezier curve of animation curves' handles, by four control points, at t in [0, 1].
inline double bezier(double a, double b, double c, double d, double t) {
  const double s = 1.0 - t;
  return s * s * s * a + 3.0 * s * s * t * b + 3.0 * s * t * t * c + t * t * t * d;
}

} // namespace sinew
