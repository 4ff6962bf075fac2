#include "animation/drivers/driver_set.h"

#include "core/error.h"

#include <fmt/format.h>

#include <algorithm>

namespace sinew {
namespace {

void checkShape(const Model& model, const CorrectiveShape& shape) {
  for (const ShapeOffsets& offsets : shape.meshes) {
    if (offsets.mesh >= model.meshes.size() ||
        model.meshes[offsets.mesh].positions.size() != offsets.vertexCount)
      throw usageError(fmt::format("shape '{}' is of another mesh: mesh {} has no {} vertices here",
                                   shape.name, offsets.mesh, offsets.vertexCount),
                       "make it again for this model");
    if (!offsets.vertices.empty() && offsets.vertices.back() >= offsets.vertexCount)
      throw usageError(fmt::format("shape '{}' moves vertex {} of {}", shape.name,
                                   offsets.vertices.back(), offsets.vertexCount));
  }
}

} // namespace

void addShapes(Model& model, std::span<const CorrectiveShape> shapes) {
  for (const CorrectiveShape& shape : shapes) {
    const auto sameName = [&](const MorphTarget& target) { return target.name == shape.name; };
    if (std::any_of(model.morphTargets.begin(), model.morphTargets.end(), sameName)) continue;
    checkShape(model, shape);
    const auto target = static_cast<std::uint32_t>(model.morphTargets.size());
    model.morphTargets.push_back({shape.name, 0.0f});
    for (const ShapeOffsets& offsets : shape.meshes)
      model.meshes[offsets.mesh].morphs.push_back(
          {target, offsets.vertices, offsets.positions, {}});
  }
}

} // namespace sinew
