// Random rigged models for property tests: every feature of a Model at once, the same for the same
// seed.
#pragma once

#include "animation/pose.h"
#include "core/random.h"
#include "model/model.h"

namespace sinew {

struct RandomModelOptions {
  std::uint32_t joints = 20;
  std::uint32_t vertices = 200; // of the skinned mesh, at least 3
  std::uint32_t influences = 6; // at most, per vertex
  bool rigidMesh = true;        // a second mesh that follows one joint
  bool nonUniformScale = false; // in the random poses below
};

// Size about 1. The rest pose is the bind pose. Bind matrices are of rotation and translation.
Model randomModel(std::uint64_t seed, const RandomModelOptions& options = {});

// A random rotation of every joint; the root is moved; with nonUniformScale joints are stretched,
// and some are mirrored.
Pose randomPose(const Model& model, std::uint64_t seed, const RandomModelOptions& options = {});

quat randomRotation(Random& random);
vec3 randomDirection(Random& random);

} // namespace sinew
