#include "editor/bind/laid_splines.h"

#include "animation/clip_edit.h"
#include "editor/bind/draft.h"

#include <fmt/format.h>
#include <glm/matrix.hpp>

#include <algorithm>
#include <map>
#include <utility>

namespace sinew {
namespace {

// What a node does from rest, at another rest.
Transform fromOtherRest(const Transform& pose, const Transform& before, const Transform& now) {
  if (before == now) return pose;
  const quat turned = glm::conjugate(before.rotation) * pose.rotation;
  return {now.translation + (pose.translation - before.translation),
          glm::normalize(now.rotation * turned), now.scale * (pose.scale / before.scale)};
}

// The pose on the nodes of another model: by name, and at rest what is new there.
Pose carriedOver(const Pose& pose, const Hierarchy& from, const Hierarchy& to) {
  Pose out = restPose(to);
  out.morphWeights = pose.morphWeights;
  std::map<std::string, std::uint32_t> known;
  for (std::uint32_t n = 0; n < from.nodes.size(); ++n)
    known.emplace(from.nodes[n].name, n);
  for (std::uint32_t n = 0; n < to.nodes.size(); ++n) {
    const auto found = known.find(to.nodes[n].name);
    if (found == known.end()) continue;
    out.parentFromNode[n] = fromOtherRest(pose.parentFromNode[found->second],
                                          from.nodes[found->second].rest, to.nodes[n].rest);
    if (const float twist = twistAt(pose, found->second); twist != 0.0f) setTwistAt(out, n, twist);
  }
  return out;
}

// Keys on the nodes of another model, as poses are carried over.
std::shared_ptr<const ClipList> carriedOver(const ClipList& clips, const Hierarchy& from,
                                            const Hierarchy& to) {
  std::vector<std::uint32_t> newNodeByOld;
  for (const Node& node : from.nodes)
    newNodeByOld.push_back(findNode(to, node.name).value_or(kNoNode));
  ClipList out;
  for (const auto& clip : clips) {
    Clip moved = onNodes(*clip, newNodeByOld);
    for (Channel& channel : moved.channels) {
      const auto before = std::ranges::find(newNodeByOld, channel.node) - newNodeByOld.begin();
      const Transform& rest = from.nodes[static_cast<std::size_t>(before)].rest;
      const Transform& now = to.nodes[channel.node].rest;
      if (rest == now) continue;
      for (vec3& value : channel.translation.values)
        value = now.translation + (value - rest.translation);
      const quat rotate = now.rotation * glm::conjugate(rest.rotation);
      for (quat& value : channel.rotation.values)
        value = rotate * value;
      for (auto& [in, out_] : channel.rotation.tangents)
        in = rotate * in, out_ = rotate * out_;
      for (vec3& value : channel.scale.values)
        value = now.scale * (value / rest.scale);
      for (auto& [in, out_] : channel.scale.tangents)
        in = now.scale * (in / rest.scale), out_ = now.scale * (out_ / rest.scale);
    }
    out.push_back(std::make_shared<const Clip>(std::move(moved)));
  }
  return std::make_shared<const ClipList>(std::move(out));
}

// Painted weights of bones for a rig whose joints have other numbers: vertices are the same ones.
PaintedWeights carriedOver(const PaintedWeights& bones, const Rig& from, const Rig& to,
                           const Model& before, const Model& after) {
  // A node may be a joint of several skins: a vertex keeps to those of its own mesh.
  Influences out;
  std::vector<Influence> vertex;
  bool same = true;
  std::size_t v = 0;
  for (std::size_t m = 0; m < from.meshes.size(); ++m) {
    std::map<std::string, std::uint32_t> jointByName;
    const std::uint32_t first = to.influences.of(to.meshes[m].firstVertex)[0].joint;
    const Mesh& mesh = after.meshes[m];
    if (!mesh.skin) {
      jointByName.emplace(after.hierarchy.nodes[mesh.node].name, first);
    } else {
      // Where the skin's joints begin, from the joint that some vertex follows.
      const std::uint32_t begin = first - mesh.influences.of(0)[0].joint;
      const Skin& skin = after.skins[*mesh.skin];
      for (std::uint32_t j = 0; j < skin.joints.size(); ++j)
        jointByName.emplace(after.hierarchy.nodes[skin.joints[j].node].name, begin + j);
    }
    for (std::uint32_t i = 0; i < from.meshes[m].vertexCount; ++i, ++v) {
      vertex.clear();
      for (const Influence& influence : bones.of(v)) {
        const std::string& name = before.hierarchy.nodes[from.joints[influence.joint].node].name;
        const auto joint = jointByName.find(name);
        if (joint == jointByName.end()) continue; // a control point that no longer exists
        same = same && joint->second == influence.joint;
        vertex.push_back({joint->second, influence.weight});
      }
      if (vertex.empty()) vertex.push_back({first, 1.0f});
      out.append(vertex);
    }
  }
  return same ? bones : PaintedWeights(out);
}

} // namespace

bool layable(const Document& document) {
  return bindable(document) && !drafting(document);
}

std::vector<SplineSketch> getSplines(const Document& document, const BindState& bind) {
  const std::shared_ptr<const SplineSet>& now = document.history.now().splines;
  if (now) return now->splines;
  const Model& bare = bareModel(document, bind);
  return bare.splines.empty() ? std::vector<SplineSketch>() : emptySet(bare).splines;
}

SplineSet laidSet(const Document& document, const BindState& bind) {
  const std::shared_ptr<const SplineSet>& now = document.history.now().splines;
  SplineSet set = now ? *now : emptySet(bareModel(document, bind));
  const Rig& rig = document.workbench.rig;
  // The rig is that of the history's splines, unless they have just been changed.
  if (rig.splines.empty() || document.applied.edit.splines != now) return set;
  set.weights = {};
  std::vector<Influence> vertex;
  for (std::size_t v = 0; v < rig.positions.size(); ++v) {
    vertex.clear();
    for (const Influence& influence : rig.splineInfluences.of(v))
      if (rig.splines[influence.joint].source != kNoNode)
        vertex.push_back({rig.splines[influence.joint].source, influence.weight});
    set.weights.append(vertex);
  }
  return set;
}

std::optional<SplinePoint> splinePointAt(const Document& document, std::uint32_t node) {
  const std::vector<FreeSpline>& splines = document.workbench.model.splines;
  for (std::size_t s = 0; s < splines.size(); ++s) {
    const auto found = std::ranges::find(splines[s].nodes, node);
    if (found != splines[s].nodes.end())
      return SplinePoint{static_cast<std::uint32_t>(s),
                         static_cast<std::size_t>(found - splines[s].nodes.begin())};
  }
  return std::nullopt;
}

std::optional<std::uint32_t> laidSplineAt(const Document& document, std::uint32_t node) {
  const auto& shown = document.applied.edit.splines;
  const auto point = splinePointAt(document, node);
  if (!shown || !point || shown->splines[point->spline].own) return std::nullopt;
  return point->spline;
}

mat4 posedFromBind(const Document& document, std::uint32_t node) {
  for (const Skin& skin : document.workbench.model.skins)
    for (const SkinJoint& joint : skin.joints)
      if (joint.node == node) return document.workbench.modelFromNode[node] * joint.jointFromBind;
  return mat4(1.0f);
}

bool laySplines(Document& document, const BindState& bind, SplineSet set, std::string what) {
  const Model& bare = bareModel(document, bind);
  if (const std::string problem = findProblem(bare, set); !problem.empty()) {
    notify(document, problem);
    return false;
  }
  const Edit& now = document.history.now();
  Edit& live = document.history.live();
  if (now.pose || now.clips || !now.weights.bones.empty()) {
    Model model = bare;
    putSplines(model, set);
    if (now.clips) {
      const bool saved = document.saved.clips == now.clips;
      live.clips = carriedOver(*now.clips, document.workbench.model.hierarchy, model.hierarchy);
      if (saved) document.saved.clips = live.clips;
    }
    if (now.pose)
      live.pose = carriedOver(*now.pose, document.workbench.model.hierarchy, model.hierarchy);
    if (!now.weights.bones.empty()) {
      const bool saved = document.saved.weights.bones == now.weights.bones;
      live.weights.bones = carriedOver(now.weights.bones, document.workbench.rig, buildRig(model),
                                       document.workbench.model, model);
      if (saved) document.saved.weights.bones = live.weights.bones;
    }
  }
  live.weights.splines = {}; // the set has them
  const bool none = set.splines.empty() && bare.splines.empty();
  live.splines = none ? nullptr : std::make_shared<const SplineSet>(std::move(set));
  commitEdit(document, std::move(what));
  return true;
}

void newSpline(Document& document, BindState& bind, SplineState& state) {
  if (!layable(document)) return;
  const Model& bare = bareModel(document, bind);
  SplineSet set = laidSet(document, bind);
  // The new spline continues the one whose control point is selected.
  const auto on = document.selected ? splinePointAt(document, *document.selected) : std::nullopt;
  SplineSketch sketch;
  if (on) {
    const SplineSketch& before = set.splines[on->spline];
    const vec3 along = before.points[2] - before.points[1];
    const std::uint32_t end = document.workbench.model.splines[on->spline].nodes[2];
    sketch = {before.name,
              document.workbench.model.hierarchy.nodes[end].name,
              {before.points[2], before.points[2] + along, before.points[2] + 2.0f * along},
              {}};
  } else {
    // The bare model's nodes come first, with the same numbers.
    const bool joint = document.selected && *document.selected < bare.hierarchy.nodes.size();
    sketch = sketchAlong(bare, joint ? document.selected : std::nullopt);
  }
  sketch.name = freeSplineName(bare, set, sketch.name);
  const std::string name = sketch.name;
  const std::string first = controlPointName(sketch, 0);
  state.reach = usualReach(sketch);
  const std::size_t index = addSpline(set, std::move(sketch));
  bindNear(bare, set, index, state.reach);
  if (!laySplines(document, bind, std::move(set), fmt::format("New spline {}", name))) return;
  bind.select = first;
  state.chosen = index;
}

void removeLaidSpline(Document& document, const BindState& bind, std::size_t index) {
  SplineSet set = laidSet(document, bind);
  const std::string name = set.splines[index].name;
  removeSpline(set, index);
  laySplines(document, bind, std::move(set), fmt::format("Remove {}", name));
}

void renameLaidSpline(Document& document, BindState& bind, std::size_t index,
                      const std::string& name) {
  SplineSet set = laidSet(document, bind);
  const std::string before = set.splines[index].name;
  if (name == before) return;
  renameSpline(set, index, name);
  const bool own = set.splines[index].own.has_value();
  const std::string first = controlPointName(set.splines[index], 0);
  if (laySplines(document, bind, std::move(set), fmt::format("Rename {}", before)) && !own)
    bind.select = first;
}

void attachLaidSpline(Document& document, const BindState& bind, std::size_t index,
                      const std::string& parent) {
  SplineSet set = laidSet(document, bind);
  if (set.splines[index].parent == parent) return;
  set.splines[index].parent = parent;
  const std::string what = fmt::format("Attach {} to {}", set.splines[index].name, parent);
  laySplines(document, bind, std::move(set), what);
}

void placeLaidSpline(Document& document, const BindState& bind, std::size_t index,
                     const std::array<vec3, 3>& points) {
  SplineSet set = laidSet(document, bind);
  if (set.splines[index].points == points) return;
  set.splines[index].points = points;
  const std::string what = fmt::format("Place {}", set.splines[index].name);
  laySplines(document, bind, std::move(set), what);
}

void bindLaidSpline(Document& document, const BindState& bind, std::size_t index, float reach) {
  SplineSet set = laidSet(document, bind);
  bindNear(bareModel(document, bind), set, index, reach);
  const std::string what = fmt::format("Bind to {}", set.splines[index].name);
  laySplines(document, bind, std::move(set), what);
}

std::vector<std::string> possibleParents(const Document& document, const BindState& bind,
                                         std::size_t index) {
  const Model& bare = bareModel(document, bind);
  std::vector<std::string> out;
  std::vector<std::uint32_t> nodes = jointNodes(bare);
  for (const Mesh& mesh : bare.meshes)
    if (!mesh.skin) nodes.push_back(mesh.node);
  std::ranges::sort(nodes);
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  const std::vector<SplineSketch> splines = getSplines(document, bind);
  out.reserve(nodes.size() + 3 * index);
  for (const std::uint32_t node : nodes)
    out.push_back(bare.hierarchy.nodes[node].name);
  for (std::size_t s = 0; s < index; ++s)
    for (std::size_t i = 0; i < 3 && !splines[s].own; ++i)
      out.push_back(controlPointName(splines[s], i));
  return out;
}

} // namespace sinew
