// What templates ask of a mesh's solid: its slices, and where its middle is.
#pragma once

#include "core/bounds.h"
#include "weights/voxel_solid.h"

#include <optional>
#include <string>
#include <vector>

namespace sinew {

// A connected region of a slice.
struct SlicePart {
  vec3 center{0.0f};
  Bounds box; // bounds of the voxels' centers
  std::size_t voxels = 0;
};

class SolidShape {
 public:
  explicit SolidShape(VoxelSolid solid);

  const VoxelSolid& voxels() const { return solid_; }
  const Bounds& box() const { return box_; } // bounds of the solid voxels' centers; never empty
  float cell() const { return solid_.cell; }

  // The parts of the layer of voxels nearest to `at` along the axis.
  const std::vector<SlicePart>& parts(int axis, float at) const;
  std::size_t layers(int axis) const { return slices_[static_cast<std::size_t>(axis)].size(); }
  const std::vector<SlicePart>& layer(int axis, std::size_t index) const {
    return slices_[static_cast<std::size_t>(axis)][index];
  }

  bool isSolid(const vec3& p) const;
  // The middle of the solid voxels within the box; none where it has none.
  std::optional<vec3> middleWithin(const Bounds& box) const;
  // The middle of a limb at p: of the voxels within the radius and next to the plane through p
  // across the direction. p where there are none.
  vec3 centered(const vec3& p, const vec3& direction, float radius) const;
  // The nearest center of a voxel that is solid with its six neighbours (else that is solid).
  vec3 inside(const vec3& p) const;
  // Share of the voxels whose mirror image in the middle of the box is solid too.
  double symmetry(int axis) const;

  template <class Visit>
  void forEach(const Visit& visit) const { // visits the solid voxels' centers
    for (std::size_t z = 0; z < solid_.counts[2]; ++z)
      for (std::size_t y = 0; y < solid_.counts[1]; ++y)
        for (std::size_t x = 0; x < solid_.counts[0]; ++x)
          if (solid_.solid[solid_.index(x, y, z)] != 0) visit(solid_.center(x, y, z));
  }

 private:
  VoxelSolid solid_;
  Bounds box_;
  std::vector<std::vector<SlicePart>> slices_[3];
};

// A joint of a template: its parent comes before it. An end marks where a bone ends, and moves
// nothing.
struct PlacedJoint {
  std::string name;
  int parent = -1;
  vec3 at{0.0f};
  bool end = false;
};
using PlacedJoints = std::vector<PlacedJoint>;

// In a shape whose X is across, +X its left, +Y up and +Z to the front; a hand's fingers point up,
// its thickness is along Z.
PlacedJoints humanoidIn(const SolidShape& shape);
PlacedJoints quadrupedIn(const SolidShape& shape);
PlacedJoints birdIn(const SolidShape& shape);
PlacedJoints handIn(const SolidShape& shape);

} // namespace sinew
