#include "weights/paint_layer.h"

#include "rig/rig_steps.h"

#include <glm/geometric.hpp>

#include <algorithm>

namespace sinew {
namespace {

PaintLayer makeLayer(const Model& model, const Rig& rig, bool splines) {
  PaintLayer layer;
  layer.splines = splines;
  const std::vector<std::uint32_t> firstJoints = findFirstJoints(model);
  std::vector<std::uint32_t> groupOfVertex(rig.positions.size(), kNoEntry);
  for (std::size_t m = 0; m < model.meshes.size(); ++m) {
    const Mesh& mesh = model.meshes[m];
    if (!mesh.skin || (splines && mesh.splineInfluences.vertexCount() == 0)) continue;
    const Skin& skin = model.skins[*mesh.skin];
    const JointRange range{firstJoints[*mesh.skin], static_cast<std::uint32_t>(skin.joints.size())};
    const auto known = std::ranges::find(layer.groups, range.first, &JointRange::first);
    const auto group = static_cast<std::uint32_t>(known - layer.groups.begin());
    if (known == layer.groups.end()) layer.groups.push_back(range);
    std::fill_n(groupOfVertex.begin() + rig.meshes[m].firstVertex, rig.meshes[m].vertexCount,
                group);
  }
  layer.surface = makePaintSurface(rig.positions, rig.triangles, groupOfVertex);
  return layer;
}

std::uint32_t findJointInRange(const Rig& rig, const JointRange& range, std::uint32_t node) {
  for (std::uint32_t j = range.first; j < range.first + range.count; ++j)
    if (rig.joints[j].node == node) return j;
  return kNoEntry;
}

// The rig's index of a spline of the model as that skin binds it.
// kNoNode: the rigid spline of any of its joints, which stands for all bones: giveRestToBones()
// shares out what it has.
std::uint32_t findSpline(const Rig& rig, const JointRange& range, std::uint32_t spline) {
  for (std::uint32_t s = 0; s < rig.splines.size(); ++s) {
    const std::uint32_t joint = rig.splines[s].joints[0];
    if (rig.splines[s].source == spline && joint >= range.first &&
        joint < range.first + range.count)
      return s;
  }
  return kNoEntry;
}

} // namespace

PaintLayer boneLayer(const Model& model, const Rig& rig) {
  return makeLayer(model, rig, false);
}

PaintLayer splineLayer(const Model& model, const Rig& rig) {
  return makeLayer(model, rig, true);
}

PaintItem paintItem(const PaintLayer& layer, const Rig& rig, std::uint32_t which) {
  PaintItem out;
  for (const JointRange& range : layer.groups) {
    const std::uint32_t item =
        layer.splines ? findSpline(rig, range, which) : findJointInRange(rig, range, which);
    out.item.push_back(item);
    out.fallbackJoint.push_back(item == kNoEntry ? kNoEntry
                                : layer.splines  ? findSpline(rig, range, kNoNode)
                                                 : rig.joints[item].parent);
  }
  return out;
}

bool paintable(const PaintItem& item) {
  return std::ranges::any_of(item.item, [](std::uint32_t each) { return each != kNoEntry; });
}

std::vector<bool> lockedItems(const PaintLayer& layer, const Rig& rig,
                              const std::vector<std::uint32_t>& locked) {
  std::vector<bool> out(layer.splines ? rig.splines.size() : rig.joints.size(), false);
  for (const std::uint32_t which : locked)
    for (const std::uint32_t item : paintItem(layer, rig, which).item)
      if (item != kNoEntry) out[item] = true;
  return out;
}

std::optional<std::uint32_t> mirrorPartner(const PaintLayer& layer, const Model& model,
                                           const MirrorMap& map, std::uint32_t which) {
  if (!layer.splines) {
    if (map.partner[which] == kNoNode) return std::nullopt;
    return map.partner[which];
  }
  std::array<std::uint32_t, 3> nodes = model.splines[which].nodes;
  for (std::uint32_t& node : nodes)
    node = map.partner[node];
  for (std::uint32_t s = 0; s < model.splines.size(); ++s)
    if (model.splines[s].nodes == nodes) return s;
  return std::nullopt;
}

std::optional<SurfacePoint> mirroredPoint(const PaintLayer& layer, const MirrorMap& map,
                                          const vec3& position, float radius) {
  const vec3 image = position - 2.0f * (glm::dot(map.normal, position) - map.offset) * map.normal;
  return nearestSurfacePoint(layer.surface, image, radius);
}

void takeWeights(Model& model, const Rig& rig) {
  const std::vector<std::uint32_t> firstJoints = findFirstJoints(model);
  std::vector<Influence> vertex;
  for (std::size_t m = 0; m < model.meshes.size(); ++m) {
    Mesh& mesh = model.meshes[m];
    if (!mesh.skin) continue;
    const JointRange range{firstJoints[*mesh.skin],
                           static_cast<std::uint32_t>(model.skins[*mesh.skin].joints.size())};
    std::vector<std::uint32_t> splineOfItem(rig.splines.size(), kNoEntry);
    for (std::uint32_t s = 0; s < model.splines.size(); ++s)
      if (const auto item = findSpline(rig, range, s); item != kNoEntry) splineOfItem[item] = s;
    const auto taken = [&](const Influences& from, const auto& getNumber) {
      Influences out;
      for (std::uint32_t v = 0; v < rig.meshes[m].vertexCount; ++v) {
        const auto source = from.of(rig.meshes[m].firstVertex + v);
        vertex.assign(source.begin(), source.end());
        for (Influence& influence : vertex)
          influence.joint = getNumber(influence.joint);
        // What is not a free spline's is the bones'.
        std::erase_if(vertex, [](const Influence& i) { return i.joint == kNoEntry; });
        out.append(vertex);
      }
      return out;
    };
    mesh.influences =
        taken(rig.influences, [&](std::uint32_t joint) { return joint - range.first; });
    if (mesh.splineInfluences.vertexCount() > 0)
      mesh.splineInfluences =
          taken(rig.splineInfluences, [&](std::uint32_t item) { return splineOfItem[item]; });
  }
}

std::vector<float> itemWeights(const PaintLayer& layer, const PaintItem& item,
                               const Influences& influences) {
  std::vector<float> out(influences.vertexCount(), 0.0f);
  for (std::size_t v = 0; v < out.size(); ++v) {
    const std::uint32_t welded = layer.surface.weldedOfVertex[v];
    if (welded == kNoEntry) continue;
    const std::uint32_t own = item.item[layer.surface.groupOfWelded[welded]];
    for (const Influence& influence : influences.of(v))
      if (influence.joint == own && own != kNoEntry) out[v] += influence.weight;
  }
  return out;
}

} // namespace sinew
