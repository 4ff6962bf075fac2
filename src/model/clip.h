// Keyframe animation: per node three tracks of keys (translation, rotation, scale).
#pragma once

#include "core/transform.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sinew {

// times: seconds, strictly increasing, as many as values. Empty: the track leaves the rest value.
template <class T>
struct Track {
  std::vector<float> times;
  std::vector<T> values;
};

struct Channel {
  std::uint32_t node = 0;
  Track<vec3> translation;
  Track<quat> rotation; // unit, neighbours on the same hemisphere
  Track<vec3> scale;
};

struct Clip {
  std::string name;
  float seconds = 0.0f; // length; keys may end earlier
  std::vector<Channel> channels;
};

} // namespace sinew
