// Linear blending with all weights in double precision: the reference of what is measured when a
// rig changes (new bind pose, fewer joints), free of the rounding of a method's Binding.
#pragma once

#include "animation/pose.h"
#include "rig/rig.h"

#include <glm/vec3.hpp>

#include <vector>

namespace sinew {

// Of every vertex of the rig, model space. Morph weights are the pose's, else those at rest.
std::vector<glm::dvec3> blendedVertices(const Rig& rig, const Model& model, const Pose& pose);

} // namespace sinew
