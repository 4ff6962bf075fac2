// Random rigged models for property tests: every feature of a Model at once, the same for the same
// seed.
#pragma once

#include "animation/pose.h"
#include "core/random.h"
#include "model/model.h"

namespace sinew {

struct RandomModelOptions {
  std::uint32_t joints = 20;
  std::uint32_t vertices = 200; // in the skinned mesh, at least 3
  std::uint32_t influences = 6; // per vertex, at most
  bool rigidMesh = true;        // a second mesh that follows one joint
  bool nonUniformScale = false; // in the random poses below
};

// Size about 1. The rest pose is the bind pose. Bind matrices are of rotation and translation.
Model randomModel(std::uint64_t seed, const RandomModelOptions& options = {});

// A random rotation of every joint; the root is moved; with nonUniformScale joints are stretched,
// and some are mirrored.
Pose randomPose(const Model& model, std::uint64_t seed, const RandomModelOptions& options = {});

// Adds morph targets to all meshes, each moving about a third of the vertices, every other one with
// normals of its own.
void addRandomMorphs(Model& model, std::uint32_t targets, std::uint64_t seed);

// In [-0.5, 1.5]; about a fifth of them are 0.
MorphWeights randomWeights(const Model& model, std::uint64_t seed);

quat randomRotation(Random& random);

} // namespace sinew
