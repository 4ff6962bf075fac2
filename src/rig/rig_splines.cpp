#include "rig/rig_steps.h"

#include <glm/matrix.hpp>

#include <algorithm>
#include <cassert>
#include <map>
#include <utility>

namespace sinew {
namespace {

// A rest below this is rounding.
constexpr float kLeastRest = 1e-5f;

// Adds requested splines to the rig, each once.
class SplineTable {
 public:
  SplineTable(const Model& model, Rig& rig)
      : model_(model), rig_(rig), spacing_(0.1f * computeBounds(rig.positions).size()) {}

  // Spline `spline` of the model, bound by a skin whose joints begin at firstJoint.
  std::uint32_t painted(std::uint32_t spline, const Skin& skin, std::uint32_t firstJoint) {
    const auto [entry, isNew] = painted_.try_emplace({spline, firstJoint}, next());
    if (!isNew) return entry->second;
    RigSpline out;
    out.source = spline;
    out.points = model_.splines[spline].points;
    for (std::size_t i = 0; i < 3; ++i) {
      const auto joint =
          std::ranges::find(skin.joints, model_.splines[spline].nodes[i], &SkinJoint::node);
      assert(joint != skin.joints.end());
      out.joints[i] = firstJoint + static_cast<std::uint32_t>(joint - skin.joints.begin());
    }
    rig_.splines.push_back(out);
    return entry->second;
  }

  // A spline that moves rigidly with the joint.
  std::uint32_t rigid(std::uint32_t joint) {
    const auto [entry, isNew] = rigid_.try_emplace(joint, next());
    if (!isNew) return entry->second;
    RigSpline out;
    out.joints.fill(joint);
    const vec3 center(glm::inverse(rig_.joints[joint].jointFromBind)[3]);
    for (std::size_t i = 0; i < 3; ++i)
      out.points[i] = center + spacing_ * vec3(static_cast<float>(i), 0.0f, 0.0f);
    rig_.splines.push_back(out);
    return entry->second;
  }

 private:
  std::uint32_t next() const { return static_cast<std::uint32_t>(rig_.splines.size()); }

  const Model& model_;
  Rig& rig_;
  float spacing_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> painted_;
  std::map<std::uint32_t, std::uint32_t> rigid_;
};

bool bindsAll(const Skin& skin, const FreeSpline& spline) {
  return std::ranges::all_of(spline.nodes, [&](std::uint32_t node) {
    return std::ranges::find(skin.joints, node, &SkinJoint::node) != skin.joints.end();
  });
}

// What is left for the bones of a vertex.
float computeRest(std::span<const Influence> splines) {
  float rest = 1.0f;
  for (const Influence& influence : splines)
    rest -= influence.weight;
  return rest > kLeastRest ? rest : 0.0f;
}

// Whether vertices may follow their bones in the place of splines: some do in part, or there are
// bones besides the splines' control points, to which a brush may give skin.
bool hasBones(const Model& model, const Mesh& mesh) {
  std::vector<bool> ofSpline(model.hierarchy.nodes.size(), false);
  for (const FreeSpline& spline : model.splines)
    for (const std::uint32_t node : spline.nodes)
      ofSpline[node] = true;
  const Skin& skin = model.skins[*mesh.skin];
  for (const Influence& influence : mesh.influences.values)
    if (!ofSpline[skin.joints[influence.joint].node]) return true;
  for (std::size_t v = 0; v < mesh.positions.size(); ++v)
    if (computeRest(mesh.splineInfluences.of(v)) > 0.0f) return true;
  return false;
}

} // namespace

void appendSplines(const Model& model, const std::vector<std::uint32_t>& firstJoint, Rig& rig) {
  if (model.splines.empty()) return;
  SplineTable table(model, rig);
  std::vector<Influence> vertex;
  for (std::size_t m = 0; m < model.meshes.size(); ++m) {
    const Mesh& mesh = model.meshes[m];
    const bool painted = mesh.skin && mesh.splineInfluences.vertexCount() > 0;
    for (std::uint32_t v = 0; v < rig.meshes[m].vertexCount; ++v) {
      vertex.clear();
      if (painted)
        for (const Influence& influence : mesh.splineInfluences.of(v))
          vertex.push_back({table.painted(influence.joint, model.skins[*mesh.skin], firstJoint[m]),
                            influence.weight});
      else
        for (const Influence& influence : rig.influences.of(rig.meshes[m].firstVertex + v))
          table.rigid(influence.joint);
      rig.splineInfluences.append(vertex);
    }
    if (!painted) continue;
    const Skin& skin = model.skins[*mesh.skin];
    // Splines that no vertex follows yet may be painted later; so may bones.
    for (std::uint32_t s = 0; s < model.splines.size(); ++s)
      if (bindsAll(skin, model.splines[s])) table.painted(s, skin, firstJoint[m]);
    if (hasBones(model, mesh))
      for (std::uint32_t j = 0; j < skin.joints.size(); ++j)
        table.rigid(firstJoint[m] + j);
  }
  giveRestToBones(rig);
}

void giveRestToBones(Rig& rig) {
  std::vector<std::uint32_t> rigidByJoint(rig.joints.size(), kNoNode);
  for (std::uint32_t s = 0; s < rig.splines.size(); ++s)
    if (rig.splines[s].source == kNoNode) rigidByJoint[rig.splines[s].joints[0]] = s;
  Influences out;
  std::vector<Influence> vertex;
  for (std::size_t v = 0; v < rig.splineInfluences.vertexCount(); ++v) {
    const auto all = rig.splineInfluences.of(v);
    vertex.assign(all.begin(), all.end());
    std::erase_if(vertex,
                  [&](const Influence& i) { return rig.splines[i.joint].source == kNoNode; });
    const float rest = computeRest(vertex);
    if (rest > 0.0f)
      for (const Influence& influence : rig.influences.of(v))
        if (rigidByJoint[influence.joint] != kNoNode)
          vertex.push_back({rigidByJoint[influence.joint], rest * influence.weight});
    std::stable_sort(vertex.begin(), vertex.end(),
                     [](const Influence& a, const Influence& b) { return a.weight > b.weight; });
    out.append(vertex);
  }
  rig.splineInfluences = std::move(out);
}

} // namespace sinew
