// Sampling a clip: its pose at a time, with the twists of free splines.
#pragma once

#include "animation/pose.h"
#include "model/clip.h"

#include <cstdint>
#include <vector>

namespace sinew {

enum class Wrap { clamp, loop, pingPong };

// The key at which each track was last sampled: forward playback finds its key in constant time.
// One cursor per playing clip; a new (empty) one is always valid, only slower on the first call.
struct SampleCursor {
  std::vector<std::uint32_t> keys;      // three per channel
  std::vector<std::uint32_t> morphKeys; // one per morph channel
  std::vector<std::uint32_t> twistKeys; // one per twist channel
};

// Time in seconds mapped into the clip: clamped to [0, seconds], wrapped around, or ping-pong.
float wrapTime(float time, float seconds, Wrap wrap);

// The key at or before `time`, the first one before all; `key`: the result of the last search,
// from which playback finds it at once. times: not empty.
std::uint32_t findKey(const std::vector<float>& times, float time, std::uint32_t key);

// A track that has keys, at a time within its clip. key: as in findKey(), and its new result.
vec3 valueAt(const Track<vec3>& track, float time, std::uint32_t& key);
quat valueAt(const Track<quat>& track, float time, std::uint32_t& key);

// The weights of all morph targets. out is resized.
void sampleMorphs(const Model& model, const Clip& clip, float time, Wrap wrap, SampleCursor& cursor,
                  MorphWeights& out);

// Between keys as each track says (Interpolation); outside the keys of a track its first or last
// value holds. Nodes and morph targets without a channel keep their rest values. out is resized.
void sample(const Model& model, const Clip& clip, float time, Wrap wrap, SampleCursor& cursor,
            Pose& out);
Pose sample(const Model& model, const Clip& clip, float time, Wrap wrap = Wrap::clamp);

// The same of the nodes alone; the pose has no morph weights.
void sample(const Hierarchy& hierarchy, const Clip& clip, float time, Wrap wrap,
            SampleCursor& cursor, Pose& out);
Pose sample(const Hierarchy& hierarchy, const Clip& clip, float time, Wrap wrap = Wrap::clamp);

// Rotates a node at which a spline ends about the spline, by an angle in radians; its control point
// stays. False: no spline ends there, or it has no direction.
bool twistNode(const Model& model, std::uint32_t node, float angle, Pose& pose);

} // namespace sinew
