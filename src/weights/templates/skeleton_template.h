// Skeletons for meshes that have none: a humanoid, a quadruped, a bird, a hand, whose joints are
// placed within the mesh by its shape.
//
// The mesh stands along +Y (a hand may lie along any axis). Its voxels (voxel_solid.h) are cut into
// slices; limbs, neck, fingers are where slices fall into parts or are narrow. Left is the mesh's
// own left, its front found by its feet or its head. What a mesh does not show (legs under a robe,
// arms at the sides) is placed by usual proportions.
#pragma once

#include "model/mesh.h"
#include "weights/skeleton.h"

#include <span>
#include <string_view>

namespace sinew {

struct SkeletonTemplate {
  std::string_view name;    // the command line's word, behind "template:"
  std::string_view title;   // for menus
  std::string_view summary; // one sentence
};

std::span<const SkeletonTemplate> skeletonTemplates();

// The joints of a template in a mesh, each within its solid; no clips. Positions in the mesh's
// space; joints have no rotation. Throws usageError for an unknown name, which lists the names, and
// inputError for a mesh without triangles or without extent.
Skeleton templateSkeleton(std::string_view name, std::span<const vec3> positions,
                          std::span<const Triangle> triangles);

} // namespace sinew
