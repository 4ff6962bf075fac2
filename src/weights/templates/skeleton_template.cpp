#include "weights/templates/skeleton_template.h"

#include "core/error.h"
#include "weights/surface.h"
#include "weights/templates/solid_shape.h"

#include <glm/ext/matrix_transform.hpp>
#include <glm/matrix.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace sinew {
namespace {

constexpr std::size_t kTemplateFaces = 30'000;
constexpr std::size_t kTemplateVoxels = 2'000'000;

struct Entry {
  SkeletonTemplate shown;
  PlacedJoints (*fit)(const SolidShape& shape);
};
constexpr std::array<Entry, 4> kTemplates = {{
    {{"humanoid", "Humanoid", "Spine, head, arms and legs of a figure that stands upright."},
     humanoidIn},
    {{"quadruped", "Quadruped", "Spine, head, tail and four legs of an animal."}, quadrupedIn},
    {{"bird", "Bird", "Body, head, tail, two wings and two legs."}, birdIn},
    {{"hand", "Hand", "A wrist and five fingers of three joints."}, handIn},
}};

// Rows are the axes of the shape that templates ask for, in the mesh's space.
mat3 upright(const vec3& across) {
  return glm::transpose(mat3(across, vec3(0, 1, 0), glm::cross(across, vec3(0, 1, 0))));
}

SolidShape makeSolidShape(WeightSurface surface, const mat3& shapeFromMesh, float cell) {
  for (vec3& p : surface.positions)
    p = shapeFromMesh * p;
  return SolidShape(voxelSolid(surface, cell));
}

vec3 computeMiddle(const SolidShape& shape, int axis, float low, float high) {
  Bounds slab = shape.box();
  const float from = slab.min[axis], size = slab.max[axis] - from;
  slab.min[axis] = from + low * size;
  slab.max[axis] = from + high * size;
  return shape.middleWithin(slab).value_or(shape.box().center());
}

// Whether +Z is the back: toes lie before the shins, a head above a tail.
bool facesBack(std::string_view name, const SolidShape& shape) {
  if (name == "humanoid")
    return computeMiddle(shape, 1, 0.0f, 0.04f).z < computeMiddle(shape, 1, 0.08f, 0.2f).z;
  return computeMiddle(shape, 2, 0.85f, 1.0f).y < computeMiddle(shape, 2, 0.0f, 0.15f).y;
}

// A hand's longest axis is up, its shortest is Z; fingers are where slices have more parts.
mat3 ofHand(const WeightSurface& surface, float cell) {
  const vec3 size = makeSolidShape(surface, mat3(1.0f), cell).box().extent();
  std::array<int, 3> order{0, 1, 2}; // shortest first
  std::sort(order.begin(), order.end(), [&](int a, int b) { return size[a] < size[b]; });
  vec3 up(0.0f), thick(0.0f);
  up[order[2]] = 1.0f;
  thick[order[0]] = 1.0f;
  mat3 rows = glm::transpose(mat3(glm::cross(up, thick), up, thick));
  const SolidShape shape = makeSolidShape(surface, rows, cell);
  const auto partsWithin = [&](float low, float high) {
    std::size_t parts = 0;
    for (float share = low; share < high; share += 0.02f)
      parts += shape.parts(1, glm::mix(shape.box().min.y, shape.box().max.y, share)).size();
    return parts;
  };
  if (partsWithin(0.05f, 0.4f) > partsWithin(0.6f, 0.95f))
    rows = glm::transpose(mat3(-glm::cross(up, thick), -up, thick));
  return rows;
}

mat3 orientation(std::string_view name, const WeightSurface& surface, float cell) {
  if (name == "hand") return ofHand(surface, cell);
  const mat3 asIs = upright({1, 0, 0}), turned = upright({0, 0, -1});
  const SolidShape shape = makeSolidShape(surface, asIs, cell);
  const bool sideways = shape.symmetry(2) > shape.symmetry(0) + 0.02;
  mat3 rows = sideways ? turned : asIs;
  if (facesBack(name, sideways ? makeSolidShape(surface, rows, cell) : shape))
    rows = upright(sideways ? vec3(0, 0, 1) : vec3(-1, 0, 0));
  return rows;
}

// One node a joint or end, below a root at the origin; bones run to children.
Skeleton skeletonFrom(const PlacedJoints& placed, const SolidShape& shape,
                      const mat3& meshFromShape) {
  Skeleton out;
  out.hierarchy.nodes.push_back({"Skeleton", kNoNode, Transform{}});
  std::vector<vec3> at;
  std::vector<std::uint32_t> jointByBone;
  for (const PlacedJoint& joint : placed) {
    at.push_back(meshFromShape * (joint.end ? joint.at : shape.inside(joint.at)));
    Transform rest;
    const bool top = joint.parent < 0;
    const auto parent = top ? 0 : static_cast<std::size_t>(joint.parent);
    rest.translation = top ? at.back() : at.back() - at[parent];
    jointByBone.push_back(static_cast<std::uint32_t>(out.joints.size()));
    if (!top) {
      out.bones.push_back({at[parent], at.back()});
      out.jointOfBone.push_back(jointByBone[parent]);
    }
    const auto node = static_cast<std::uint32_t>(out.hierarchy.nodes.size());
    if (!joint.end) {
      out.joints.push_back(node);
      out.modelFromJoint.push_back(glm::translate(mat4(1.0f), at.back()));
    }
    out.hierarchy.nodes.push_back(
        {joint.name, top ? 0 : static_cast<std::uint32_t>(parent) + 1, rest});
  }
  return out;
}

} // namespace

std::span<const SkeletonTemplate> skeletonTemplates() {
  static const auto kShown = [] {
    std::array<SkeletonTemplate, kTemplates.size()> out;
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i] = kTemplates[i].shown;
    return out;
  }();
  return kShown;
}

Skeleton templateSkeleton(std::string_view name, std::span<const vec3> positions,
                          std::span<const Triangle> triangles) {
  std::vector<std::string_view> names;
  const Entry* entry = nullptr;
  for (const Entry& known : kTemplates) {
    names.push_back(known.shown.name);
    if (known.shown.name == name) entry = &known;
  }
  if (entry == nullptr) throw unknownName("skeleton template", name, names);
  const WeightSurface surface = makeWeightSurface(positions, triangles);
  const float cell =
      surface.triangles.empty() ? 0.0f : voxelSize(surface, kTemplateFaces, kTemplateVoxels);
  if (!(cell > 0.0f) || !std::isfinite(cell))
    throw inputError("mesh", "has no surface to place a skeleton in", "give a mesh with triangles");
  const mat3 shapeFromMesh = orientation(name, surface, cell);
  const SolidShape shape = makeSolidShape(surface, shapeFromMesh, cell);
  return skeletonFrom(entry->fit(shape), shape, glm::transpose(shapeFromMesh));
}

} // namespace sinew
