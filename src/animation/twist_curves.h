// Twists of free splines between keys: the numbers of a clip's twist channels lead, and the
// rotations of their nodes follow them. A rotation between two keys goes the shorter way; a twist
// goes as far as its numbers say, through as many whole rotations as they differ by.
#pragma once

#include "animation/pose.h"
#include "model/clip.h"

#include <functional>

namespace sinew {

// Rotates a node at which a spline ends about the spline, by an angle in radians; its control point
// stays. False: no spline ends there, or it has no direction.
bool twistNode(const Model& model, std::uint32_t node, float angle, Pose& pose);

// Corrects, in a pose sampled at `time` of the clip, the nodes that have a twist channel.
// sampled(time): the pose as it is sampled without this. Does nothing for models without splines.
void followTwists(const Model& model, const Clip& clip, float time,
                  const std::function<Pose(float time)>& sampled, Pose& pose);

} // namespace sinew
