// Tracks of a clip as the keys of FBX curves.
//
// Rotations become Euler angles about x, y and z, unwrapped from key to key. Programs that read FBX
// play such keys in three ways: by the slopes at the keys (the FBX SDK), straight from quaternion
// to quaternion (three.js, Assimp), or straight by each of its components (Blender). There are as
// many keys as keep all of these within the tolerance.
#pragma once

#include "model/clip.h"

#include <glm/vec3.hpp>

#include <span>

namespace sinew {

// times: seconds. Values and slopes have three components; numbers use the first.
struct FbxKeys {
  std::vector<double> times;
  std::vector<glm::dvec3> values;
  std::vector<glm::dvec3> arriving, leaving; // slopes of cubic keys, per second
  Interpolation interpolation = Interpolation::linear;
};

// The keys are in degrees. tolerance: radians. moments: times of further keys besides those of the
// track.
FbxKeys fbxRotationKeys(const Track<quat>& track, double tolerance,
                        std::span<const double> moments = {});

// The tolerance holds for each component.
FbxKeys fbxVectorKeys(const Track<vec3>& track, double tolerance);
FbxKeys fbxNumberKeys(const Track<float>& track, double tolerance);

// Euler angles in degrees: among those of the rotation, the nearest to `near`.
glm::dvec3 fbxEulerAngles(const glm::dquat& rotation, const glm::dvec3& near);

} // namespace sinew
