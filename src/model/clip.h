// Keyframe animation: per node three tracks of keys (translation, rotation, scale), and tracks of
// morph weights and twists.
#pragma once

#include "core/transform.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace sinew {

// Between two keys: linear (slerp for rotations), the value of the earlier key, or the cubic
// Hermite spline through values and tangents, whose rotations are normalised after interpolation of
// the components (glTF 2.0, appendix C).
enum class Interpolation : std::uint8_t { linear, step, cubic };

// times: seconds, strictly increasing, as many as values. Empty: the track leaves the rest value.
template <class T>
struct Track {
  std::vector<float> times;
  std::vector<T> values;
  Interpolation interpolation = Interpolation::linear;
  std::vector<std::array<T, 2>> tangents{}; // cubic tracks only, per key: in and out, per second
};

struct Channel {
  std::uint32_t node = 0;
  Track<vec3> translation;
  Track<quat> rotation; // unit, neighbours on the same hemisphere; as the file has them if cubic
  Track<vec3> scale;
};

struct MorphChannel {
  std::uint32_t target = 0; // index into Model::morphTargets
  Track<float> weight;
};

// What the twist of a free spline that ends at the node is about, in radians (Pose::twists):
// rotations do not hold whole rotations.
struct TwistChannel {
  std::uint32_t node = 0;
  Track<float> twist;
};

struct Clip {
  std::string name;
  float seconds = 0.0f; // length; keys may end earlier
  std::vector<Channel> channels;
  std::vector<MorphChannel> morphs{};
  std::vector<TwistChannel> twists{};

  bool moves() const { return !channels.empty() || !morphs.empty() || !twists.empty(); }
};

} // namespace sinew
