#include "editor/paint/painting.h"

#include "app/method_list.h"
#include "core/stopwatch.h"
#include "editor/bind/laid_splines.h"
#include "editor/paint/velocity_paint.h"
#include "rig/rig_steps.h"
#include "skinning/rebind.h"
#include "weights/weights_file.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>

namespace sinew {
namespace {

constexpr double kPatience = 12.0; // milliseconds that a frame of a stroke may bind methods

const PaintedWeights& orOwn(const PaintedWeights& weights, const PaintedWeights& own) {
  return weights.empty() ? own : weights;
}

std::shared_ptr<const std::vector<std::uint32_t>> everyVertex(const Rig& rig) {
  std::vector<std::uint32_t> all(rig.positions.size());
  std::iota(all.begin(), all.end(), 0u);
  return std::make_shared<const std::vector<std::uint32_t>>(std::move(all));
}

// A method bound to all vertices.
void bindAll(Document& document, std::size_t index) {
  Workbench& workbench = document.workbench;
  BoundMethod& bound = workbench.bound[index];
  const MethodChoice choice = document.applied.settings.methods[index];
  bound.options =
      withZones(workbench, *bound.method, makeBindOptions(document.applied.settings, choice));
  Binding fresh = bound.method->bind(workbench.rig, bound.options);
  const bool fits = sameLayout(fresh, bound.binding);
  bound.binding = std::move(fresh);
  MeshChanges& changes = document.changes;
  if (fits) {
    changes.vertices.push_back({index, everyVertex(workbench.rig)});
    return;
  }
  changes.bindings = true;
  changes.methods.push_back(index);
}

// Methods that take long wait for the end of the stroke.
void bindMethods(Document& document, PaintState& paint, std::vector<std::uint32_t> changed) {
  Workbench& workbench = document.workbench;
  const auto vertices = std::make_shared<const std::vector<std::uint32_t>>(std::move(changed));
  const bool wait = paint.stroke && paint.lateMs > kPatience;
  double spent = 0.0;
  for (std::size_t i = 0; i < workbench.bound.size(); ++i) {
    BoundMethod& bound = workbench.bound[i];
    if (rebindVertices(*bound.method, workbench.rig, bound.options, *vertices, bound.binding)) {
      document.changes.vertices.push_back({i, vertices});
      continue;
    }
    if (wait) {
      paint.late = true;
      continue;
    }
    const Clock::time_point start = Clock::now();
    bindAll(document, i);
    spent += millisecondsSince(start);
  }
  if (!wait) paint.lateMs = spent;
}

// Per vertex the weight of a spline of the model.
std::vector<float> splineWeights(const Rig& rig, std::uint32_t spline) {
  std::vector<float> out(rig.positions.size(), 0.0f);
  for (std::size_t v = 0; v < out.size(); ++v)
    for (const Influence& influence : rig.splineInfluences.of(v))
      if (rig.splines[influence.joint].source == spline) out[v] += influence.weight;
  return out;
}

// Differences are measured against a binding of its own: everything is bound again.
void bindEverything(Document& document) {
  Workbench& workbench = document.workbench;
  workbench.reference.reset();
  for (BoundMethod& bound : workbench.bound)
    bound.method = nullptr;
  rebind(workbench, document.applied.settings);
  document.changes.storage = true;
}

} // namespace

bool painting(const Document& document) {
  return document.tool == Tool::paint && hasModel(document) && !document.crowd &&
         !drafting(document);
}

const PaintLayer& paintLayer(const Document& document, PaintState& paint) {
  const Workbench& workbench = document.workbench;
  if (paint.choices.velocity) {
    if (!paint.strength) paint.strength = strengthLayer(workbench.rig);
    return *paint.strength;
  }
  if (paint.choices.splines) {
    if (!paint.splines) paint.splines = splineLayer(workbench.model, workbench.rig);
    return *paint.splines;
  }
  if (!paint.bones) paint.bones = boneLayer(workbench.model, workbench.rig);
  return *paint.bones;
}

std::optional<std::uint32_t> paintTarget(const Document& document, const PaintState& paint) {
  const PaintChoices& choices = paint.choices;
  return choices.splines ? std::optional(choices.spline) : document.selected;
}

std::string paintTargetName(const Document& document, const PaintState& paint) {
  const PaintChoices& choices = paint.choices;
  const Model& model = document.workbench.model;
  if (choices.velocity) return "the strength of velocity skinning";
  if (choices.splines) return model.splines[choices.spline].name;
  return document.selected ? model.hierarchy.nodes[*document.selected].name : std::string();
}

const PaintedRig& ownWeights(const Document& document, PaintState& paint) {
  PaintedRig& own = paint.own;
  const Rig& rig = document.workbench.rig;
  if (own.bones.empty())
    own = {PaintedWeights(rig.influences), PaintedWeights(rig.splineInfluences),
           paintedStrength(openedStrength(document))};
  return own;
}

PaintState startPainting(const Document& document, const PaintState& before) {
  PaintState fresh;
  fresh.choices = before.choices;
  fresh.choices.brush.radius = 0.05f * computeBounds(document.workbench.rig.positions).size();
  fresh.choices.splines = fresh.choices.splines && !document.workbench.model.splines.empty();
  const auto count = static_cast<std::uint32_t>(document.workbench.model.splines.size());
  if (fresh.choices.spline >= count) fresh.choices.spline = 0;
  for (std::uint32_t i = 0; i < 3; ++i)
    if (std::uint32_t& each = fresh.choices.trio[i]; each >= count) each = i < count ? i : kNoEntry;
  fresh.choices.lockedBones.clear();
  fresh.choices.lockedSplines.clear();
  return fresh;
}

bool fitsRig(const PaintedRig& weights, const Rig& rig) {
  const auto fits = [](const PaintedWeights& painted, const Influences& influences,
                       std::size_t items) {
    if (painted.empty()) return true;
    if (painted.vertexCount() != influences.vertexCount()) return false;
    const Influences all = painted.joined();
    return std::ranges::all_of(all.values, [&](const Influence& i) { return i.joint < items; });
  };
  const bool ofVertices =
      weights.strength.empty() || weights.strength.vertexCount() == rig.positions.size();
  return ofVertices && fits(weights.bones, rig.influences, rig.joints.size()) &&
         fits(weights.splines, rig.splineInfluences, rig.splines.size());
}

void applyPaint(Document& document, PaintState& paint, const Edit& before) {
  const PaintedRig &now = document.history.shown().weights, &was = before.weights;
  const bool strength = document.history.shown().velocityJoints != before.velocityJoints ||
                        now.strength != was.strength;
  if (strength && applyStrength(document, ownWeights(document, paint).strength, before))
    ++paint.version;
  const bool catchUp = paint.late && !paint.stroke;
  if (now == was && !catchUp) return;
  const Clock::time_point start = Clock::now();
  paint.late = false;
  Rig& rig = document.workbench.rig;
  const PaintedRig& own = ownWeights(document, paint);
  const PaintedWeights& bones = orOwn(now.bones, own.bones);
  const PaintedWeights& splines = orOwn(now.splines, own.splines);
  const auto changed = bones.changedFrom(orOwn(was.bones, own.bones));
  const auto onSplines = splines.changedFrom(orOwn(was.splines, own.splines));
  if (changed.empty() && onSplines.empty() && !catchUp) return;
  if (!changed.empty()) rig.influences = bones.joined();
  if (!rig.splines.empty()) {
    rig.splineInfluences = splines.joined();
    giveRestToBones(rig);
  }
  ++paint.version;
  ++document.revisions.weights;
  document.stale = true; // palettes
  if (document.workbench.reference)
    bindEverything(document);
  else
    bindMethods(document, paint, changed);
  if (paint.stroke) paint.cost.binding = std::max(paint.cost.binding, millisecondsSince(start));
}

std::vector<float> paintedField(const Document& document, PaintState& paint) {
  const Workbench& workbench = document.workbench;
  if (painting(document) && paint.choices.velocity) {
    std::vector<float> strength = workbench.moving.map.strength;
    strength.resize(workbench.rig.positions.size(), 1.0f);
    return strength;
  }
  if (!painting(document) || !paint.choices.splines) {
    const std::uint32_t node = findJoint(workbench.model, document.settings.weightsJoint);
    if (const auto spline = laidSplineAt(document, node))
      return splineWeights(workbench.rig, *spline);
    return jointWeights(workbench.rig, node);
  }
  const PaintLayer& layer = paintLayer(document, paint);
  return itemWeights(layer, paintItem(layer, workbench.rig, paint.choices.spline),
                     workbench.rig.splineInfluences);
}

bool paintingColors(const Document& document, const PaintState& paint) {
  const PaintChoices& choices = paint.choices;
  return painting(document) && choices.splines && choices.colors && !choices.velocity;
}

std::vector<vec3> paintedColors(const Document& document, PaintState& paint) {
  constexpr float kRest = 0.35f; // sRGB of what none of the three has
  const Rig& rig = document.workbench.rig;
  std::vector<vec3> out(rig.positions.size(), vec3(0.0f));
  const auto& trio = paint.choices.trio;
  for (std::size_t v = 0; v < out.size(); ++v) {
    float rest = 1.0f;
    for (const Influence& influence : rig.splineInfluences.of(v)) {
      const std::uint32_t source = rig.splines[influence.joint].source;
      const auto found = std::ranges::find(trio, source);
      if (source == kNoNode || found == trio.end()) continue;
      out[v][static_cast<int>(found - trio.begin())] += influence.weight;
      rest -= influence.weight;
    }
    out[v] += vec3(std::max(rest, 0.0f) * kRest);
  }
  return out;
}

std::vector<std::vector<Influence>> splitShares(const PaintLayer& layer, const Rig& rig,
                                                const std::array<std::uint32_t, 3>& splines,
                                                const vec3& color) {
  const vec3 part = color / std::max(color.x + color.y + color.z, 1.0f);
  std::vector<std::vector<Influence>> out(layer.groups.size());
  for (int i = 0; i < 3; ++i) {
    const std::uint32_t spline = splines[static_cast<std::size_t>(i)];
    if (spline == kNoEntry) continue;
    const PaintItem item = paintItem(layer, rig, spline);
    for (std::size_t group = 0; group < out.size(); ++group)
      if (item.item[group] != kNoEntry) out[group].push_back({item.item[group], part[i]});
  }
  return out;
}

Model paintedModel(const Document& document) {
  Model model = document.workbench.model;
  takeWeights(model, document.workbench.rig);
  return model;
}

} // namespace sinew
