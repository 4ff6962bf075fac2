// Shared by the demo models: a skeleton from a list of joints, smooth weights, and clips from
// functions of time.
#pragma once

#include "model/model.h"

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

// A joint of the bind pose, in model space. Its axes are the model's: A(j) is a translation.
struct JointSpec {
  std::string_view name;
  std::string_view parent; // an earlier joint; empty for the root
  vec3 position;
};

// A model with these joints as its only nodes (node i is joint i), one skin that binds them all,
// and no mesh yet.
Model makeSkeleton(std::string_view name, std::span<const JointSpec> joints);

// The joint's number. The name must be one of the model's.
std::uint32_t jointNamed(const Model& model, std::string_view name);

// 0 before -halfWidth, 1 after +halfWidth, smooth between.
float smoothStep(float distance, float halfWidth);

// Appends one vertex: the four largest weights above a thousandth, summing to 1, sorted.
void appendWeights(Influences& influences, std::span<const float> weightOfJoint);

// A free spline over three joints of the model's skin, its control points at their centres.
FreeSpline splineOver(const Model& model, std::string_view name,
                      const std::array<std::string_view, 3>& joints);

// Bone weights for a vertex of such a straight spline, one per control point: the weight
// passes from the first node to the second around p2, where a rotation of the second bends the
// spline, and to the third up to p3, where a rotation of the third twists it.
std::array<float, 3> nodeWeights(const FreeSpline& spline, const vec3& position);

// Rotations for a clip: degrees about a unit axis of the joint.
quat rotationAbout(const vec3& axis, float degrees);

// A pose over time for bakeClip: changes the local transforms it is given (the rest pose). phase
// runs from 0 to 1 over the clip.
using PoseFunction = std::function<void(float phase, std::span<Transform> local)>;

// A looping clip: keys at equal steps, the last key equal to the first. A node that never leaves
// its rest value gets no channel.
Clip bakeClip(const Model& model, std::string_view name, float seconds, std::uint32_t keys,
              const PoseFunction& pose);

// 0 at both ends of the phase, 1 in the middle, smooth.
float upAndDown(float phase);

// A texture of light and dark squares with fine lines, to make stretch and twist visible.
Texture gridTexture(std::uint32_t columns, std::uint32_t rows);

} // namespace sinew
