// Roll and twist of a free spline as numbers on a pose, for sliders and key frames (Forstmann and
// Ohya 2006: a spline is three control points and a twist). Both are rotations of nodes like any
// other, so clips and pose files hold them too.
#pragma once

#include "animation/pose.h"

namespace sinew {

// Radians. spline: index into Model::splines.
//
// Roll, in (-pi, pi]: the first node's rotation from rest about the spline's direction there; the
// node's children rotate with it.
float splineRoll(const Model& model, std::size_t spline, const Pose& pose);
void setSplineRoll(const Model& model, std::size_t spline, float roll, Pose& pose);

// Twist, of any size: the rotation of the end's frame relative to the start's frame after parallel
// transport along the spline, and as many whole rotations as Pose::twists says. Set by rotating the
// third node about the spline's direction there; the control points stay where they are.
float splineTwist(const Model& model, std::size_t spline, const Pose& pose);
void setSplineTwist(const Model& model, std::size_t spline, float twist, Pose& pose);

// Where the three control points are in a pose, model space.
std::array<vec3, 3> posedPoints(const Model& model, std::size_t spline,
                                std::span<const mat4> modelFromNode);

} // namespace sinew
