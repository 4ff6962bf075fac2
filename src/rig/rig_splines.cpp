#include "rig/rig_splines.h"

#include <glm/matrix.hpp>

#include <algorithm>
#include <cassert>
#include <map>
#include <utility>

namespace sinew {
namespace {

// Adds requested splines to the rig, each once.
class SplineTable {
 public:
  SplineTable(const Model& model, Rig& rig)
      : model_(model), rig_(rig), spacing_(0.1f * boundsOf(rig.positions).size()) {}

  // Spline `spline` of the model, bound by a skin whose joints begin at firstJoint.
  std::uint32_t painted(std::uint32_t spline, const Skin& skin, std::uint32_t firstJoint) {
    const auto [entry, isNew] = painted_.try_emplace({spline, firstJoint}, next());
    if (!isNew) return entry->second;
    RigSpline out;
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

} // namespace

void appendSplines(const Model& model, const std::vector<std::uint32_t>& firstJoint, Rig& rig) {
  if (model.splines.empty()) return;
  SplineTable table(model, rig);
  std::vector<Influence> vertex;
  for (std::size_t m = 0; m < model.meshes.size(); ++m) {
    const Mesh& mesh = model.meshes[m];
    const bool painted = mesh.skin && mesh.splineInfluences.vertexCount() > 0;
    for (std::uint32_t v = 0; v < rig.meshes[m].vertexCount; ++v) {
      const auto source =
          painted ? mesh.splineInfluences.of(v) : rig.influences.of(rig.meshes[m].firstVertex + v);
      vertex.assign(source.begin(), source.end());
      for (Influence& influence : vertex)
        influence.joint =
            painted ? table.painted(influence.joint, model.skins[*mesh.skin], firstJoint[m])
                    : table.rigid(influence.joint);
      std::stable_sort(vertex.begin(), vertex.end(),
                       [](const Influence& a, const Influence& b) { return a.weight > b.weight; });
      rig.splineInfluences.append(vertex);
    }
    // Splines that no vertex follows yet may be painted later.
    if (!painted) continue;
    const Skin& skin = model.skins[*mesh.skin];
    for (std::uint32_t s = 0; s < model.splines.size(); ++s)
      if (bindsAll(skin, model.splines[s])) table.painted(s, skin, firstJoint[m]);
  }
}

} // namespace sinew
