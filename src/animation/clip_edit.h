// Editing the keys of a clip: setting, moving and removing them, and how they are joined.
//
// Times are seconds; keys nearer than kSameKey are one key. Every function leaves tracks as clip.h
// has them: times strictly increasing, neighbouring rotations of linear tracks on one hemisphere.
//
// Tangents of cubic tracks are automatic where nobody has chosen others: those of a monotone cubic
// (Fritsch and Butland, "A method for constructing local monotone piecewise cubic interpolants",
// 1984), component by component, so that a curve does not overshoot its keys; it is level at its
// ends and where it turns back. Setting,
// moving or removing a key updates those that are as automatic as before and keeps all others.
#pragma once

#include "animation/pose.h"
#include "model/clip.h"
#include "model/model.h"

#include <cstdint>
#include <optional>
#include <span>

namespace sinew {

inline constexpr float kSameKey = 2e-4f; // seconds

// The parts of a channel.
enum class ChannelPart : std::uint8_t { translation, rotation, scale, twist };

// T: vec3, quat or float.
template <class T>
std::optional<std::size_t> keyAt(const Track<T>& track, float time);

// A new key, or another value of the one there is. A track without keys becomes a cubic one.
template <class T>
void setKey(Track<T>& track, float time, T value);

// Nothing without a key at `from`. A key at `to` gives way.
template <class T>
void moveKey(Track<T>& track, float from, float to);

template <class T>
void removeKey(Track<T>& track, float time);

// A cubic track gets automatic tangents.
template <class T>
void setInterpolation(Track<T>& track, Interpolation interpolation);

// Keys of what differs between two poses at that time: the parts of nodes, morph weights and
// twists as `edited` has them. Returns how many nodes and morph targets were keyed.
std::size_t keyDifferences(Clip& clip, const Model& model, const Pose& shown, const Pose& edited,
                           float time);

// Keys of one node as it is in the pose: its rotation, and where they have keys or differ from rest
// its translation and scale.
void keyNode(Clip& clip, const Model& model, const Pose& pose, std::uint32_t node, float time);

// Removes the keys of one node, or without a node all, those of morph targets included. A channel
// whose last key was removed goes. Returns whether there was a key.
bool removeKeys(Clip& clip, std::optional<std::uint32_t> node, float time);
void dropEmpty(Clip& clip); // channels without keys
bool moveKeys(Clip& clip, std::optional<std::uint32_t> node, float from, float to);

// Changes one part of a node, or without `part` all its parts.
void setInterpolation(Clip& clip, std::uint32_t node, std::optional<ChannelPart> part,
                      Interpolation interpolation);

// Null without one.
const Channel* findChannel(const Clip& clip, std::uint32_t node);
const TwistChannel* findTwists(const Clip& clip, std::uint32_t node);

// The same clip at the nodes of another hierarchy that have the same names: `newNodeByOld` gives
// them, kNoNode for one that is gone, whose channels go.
Clip onNodes(const Clip& clip, std::span<const std::uint32_t> newNodeByOld);

} // namespace sinew
