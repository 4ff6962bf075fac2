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

// times: seconds. Values and slopes of three components; of a number the first.
struct FbxKeys {
  std::vector<double> times;
  std::vector<glm::dvec3> values;
  std::vector<glm::dvec3> arriving, leaving; // slopes, per second; of cubic keys
  Interpolation interpolation = Interpolation::linear;
};

// In degrees. tolerance: radians. moments: times at which there are keys besides those of the
// track.
FbxKeys fbxRotationKeys(const Track<quat>& track, double tolerance,
                        std::span<const double> moments = {});

// tolerance: of each component.
FbxKeys fbxVectorKeys(const Track<vec3>& track, double tolerance);
FbxKeys fbxNumberKeys(const Track<float>& track, double tolerance);

// Euler angles in degrees, of those that mean the rotation the nearest to others.
glm::dvec3 fbxEulerAngles(const glm::dquat& rotation, const glm::dvec3& near);

} // namespace sinew
