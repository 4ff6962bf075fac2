// A joint's motion as curves over time: what the curve editor draws and what a dragged key means.
//
// Values are those of one part of its channel: translation in units of the model, scale as factors,
// rotation as degrees about x, then y, then z (toEuler()) from the rest orientation; twist of the
// spline that ends at the joint, in degrees, as x alone.
#pragma once

#include "animation/clip_edit.h"

#include <cstdint>
#include <vector>

namespace sinew {

struct TimedValue {
  float time = 0.0f;
  vec3 value{0.0f};
};

struct JointCurves {
  std::vector<TimedValue> line; // samples from 0 to the end of the clip, at even distances
  std::vector<TimedValue> keys;
  float low = 0.0f, high = 0.0f; // range of all values
};

// samples: at least 2. Angles continue without jumps: among the triples of the same rotation, each
// point has the one nearest to the point before.
JointCurves jointCurves(const Model& model, const Clip& clip, std::uint32_t node, ChannelPart part,
                        std::size_t samples);

// The angles of the same rotation that are nearest to `to`, in degrees.
vec3 nearestAngles(const vec3& angles, const vec3& to);

// Gives the key of that part at `time` another value. Does nothing without such a key.
void setKeyValue(Clip& clip, const Model& model, std::uint32_t node, ChannelPart part, float time,
                 const vec3& value);

// Moves the key of that part alone.
void movePartKey(Clip& clip, std::uint32_t node, ChannelPart part, float from, float to);
void removePartKey(Clip& clip, std::uint32_t node, ChannelPart part, float time);

} // namespace sinew
