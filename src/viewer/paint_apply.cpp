// What painted weights mean for rig, methods and GPU: from the value in the history to the picture.

#include "app/method_list.h"
#include "app/method_parameters.h"
#include "app/weights_sidecar.h"
#include "core/error.h"
#include "core/file.h"
#include "skinning/rebind_vertices.h"
#include "viewer/paint_tool.h"
#include "viewer/playback.h"
#include "viewer/session.h"
#include "weights/weights_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <numeric>

namespace sinew {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kPatience = 12.0; // milliseconds that a frame of a stroke may bind methods

double millisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

const PaintedWeights& orOwn(const PaintedWeights& weights, const PaintedWeights& own) {
  return weights.empty() ? own : weights;
}

std::vector<std::uint32_t> everyVertex(const Rig& rig) {
  std::vector<std::uint32_t> all(rig.positions.size());
  std::iota(all.begin(), all.end(), 0u);
  return all;
}

// A method bound to all vertices; true if its mesh has to be made anew.
bool bindAll(Viewer& viewer, std::size_t index) {
  Workbench& bench = viewer.bench;
  BoundMethod& bound = bench.bound[index];
  const MethodChoice choice = methodChoices(viewer.applied.method)[index];
  bound.options = withZones(bench, *bound.method, bindOptionsOf(viewer.applied, choice));
  Binding fresh = bound.method->bind(bench.rig, bound.options);
  const bool fits = sameLayout(fresh, bound.binding);
  bound.binding = std::move(fresh);
  std::vector<GpuMesh>& meshes = viewer.graphics->picture.meshes;
  return meshes.size() > index &&
         !(fits && meshes[index].updateVertices(bound.binding, everyVertex(bench.rig)));
}

// Methods that take long wait for the end of the stroke.
void bindMethods(Viewer& viewer, const std::vector<std::uint32_t>& changed) {
  Workbench& bench = viewer.bench;
  PaintState& paint = viewer.edit.paint;
  std::vector<GpuMesh>& meshes = viewer.graphics->picture.meshes;
  const bool wait = paint.stroke && paint.lateMs > kPatience;
  std::vector<std::size_t> anew;
  double spent = 0.0;
  for (std::size_t i = 0; i < bench.bound.size(); ++i) {
    BoundMethod& bound = bench.bound[i];
    if (rebindVertices(*bound.method, bench.rig, bound.options, changed, bound.binding)) {
      if (i < meshes.size() && !meshes[i].updateVertices(bound.binding, changed)) anew.push_back(i);
      continue;
    }
    if (wait) {
      paint.late = true;
      continue;
    }
    const Clock::time_point start = Clock::now();
    if (bindAll(viewer, i)) anew.push_back(i);
    spent += millisecondsSince(start);
  }
  if (!wait) paint.lateMs = spent;
  viewer.stale = true;
  if (anew.empty()) return;
  const Settings& settings = viewer.applied;
  evaluate(bench, playedTime(viewer.clock, settings.time), wrapOf(settings));
  uploadBinding(viewer.graphics->picture, bench, settings, anew);
}

// Differences are measured against a binding of its own: all is bound from the beginning.
void bindEverything(Viewer& viewer) {
  Workbench& bench = viewer.bench;
  bench.reference.reset();
  for (BoundMethod& bound : bench.bound)
    bound.method = nullptr;
  const std::vector<std::size_t> changed = rebind(bench, viewer.applied);
  const Settings& settings = viewer.applied;
  evaluate(bench, playedTime(viewer.clock, settings.time), wrapOf(settings));
  uploadBinding(viewer.graphics->picture, bench, settings, changed);
}

} // namespace

const PaintedRig& ownWeights(Viewer& viewer) {
  PaintedRig& own = viewer.edit.paint.own;
  const Rig& rig = viewer.bench.rig;
  if (own.bones.empty())
    own = {PaintedWeights(rig.influences), PaintedWeights(rig.splineInfluences)};
  return own;
}

PaintState startPainting(const Viewer& viewer) {
  PaintState fresh;
  fresh.choices = viewer.edit.paint.choices;
  fresh.choices.brush.radius = 0.05f * boundsOf(viewer.bench.rig.positions).size();
  fresh.choices.splines = fresh.choices.splines && !viewer.bench.model.splines.empty();
  fresh.choices.spline = 0;
  fresh.choices.lockedBones.clear();
  fresh.choices.lockedSplines.clear();
  return fresh;
}

bool fitsModel(const PaintedRig& weights, const Viewer& viewer) {
  const Rig& rig = viewer.bench.rig;
  const auto fits = [](const PaintedWeights& painted, const Influences& influences,
                       std::size_t items) {
    if (painted.empty()) return true;
    if (painted.vertexCount() != influences.vertexCount()) return false;
    const Influences all = painted.joined();
    return std::ranges::all_of(all.values, [&](const Influence& i) { return i.joint < items; });
  };
  return fits(weights.bones, rig.influences, rig.joints.size()) &&
         fits(weights.splines, rig.splineInfluences, rig.splines.size());
}

void applyPaint(Viewer& viewer, const PaintedRig& was) {
  PaintState& paint = viewer.edit.paint;
  const PaintedRig& now = viewer.edit.history.now().weights;
  const bool catchUp = paint.late && !paint.stroke;
  if (now == was && !catchUp) return;
  const Clock::time_point start = Clock::now();
  paint.late = false;
  Rig& rig = viewer.bench.rig;
  const PaintedRig& own = ownWeights(viewer);
  const PaintedWeights& bones = orOwn(now.bones, own.bones);
  const PaintedWeights& splines = orOwn(now.splines, own.splines);
  const auto changed = bones.changedFrom(orOwn(was.bones, own.bones));
  const auto onSplines = splines.changedFrom(orOwn(was.splines, own.splines));
  if (changed.empty() && onSplines.empty() && !catchUp) return;
  if (!changed.empty()) rig.influences = bones.joined();
  if (!onSplines.empty()) rig.splineInfluences = splines.joined();
  ++paint.version;
  viewer.ui.notes = {};
  if (viewer.bench.reference)
    bindEverything(viewer);
  else
    bindMethods(viewer, changed);
  if (paint.stroke) paint.cost.binding = std::max(paint.cost.binding, millisecondsSince(start));
}

void showPaintedField(Viewer& viewer) {
  PaintState& paint = viewer.edit.paint;
  if (viewer.settings.weightsOf.empty() || viewer.bench.rig.triangles.empty()) return;
  const Workbench& bench = viewer.bench;
  const bool splines = painting(viewer) && paint.choices.splines;
  if (!splines && paint.shown == paint.version) return;
  const Clock::time_point start = Clock::now();
  std::vector<float> weights;
  if (splines) {
    const PaintLayer& layer = paintLayer(viewer);
    weights = itemWeights(layer, paintItem(layer, bench.model, bench.rig, paint.choices.spline),
                          bench.rig.splineInfluences);
  } else {
    weights = jointWeights(bench.rig, findJoint(bench.model, viewer.settings.weightsOf));
  }
  for (GpuMesh& mesh : viewer.graphics->picture.meshes)
    mesh.setField(weights);
  paint.cost.colors = std::max(paint.cost.colors, millisecondsSince(start));
  paint.shown = splines ? 0 : paint.version; // a spline's colours are not left to the joint
}

Model paintedModel(const Viewer& viewer) {
  Model model = viewer.bench.model;
  takeWeights(model, viewer.bench.rig);
  return model;
}

void saveWeights(Viewer& viewer) {
  if (viewer.edit.history.now().model)
    return toast(viewer, "these weights are for joints the file does not have: save the model "
                         "(Ctrl+E)");
  try {
    const auto path = weightsPath(viewer.loaded.model);
    writeFile(path, weightsToJson(paintedModel(viewer)));
    viewer.edit.saved.weights = viewer.edit.history.now().weights;
    const bool beside = !viewer.loaded.model.starts_with("demo:");
    toast(viewer, fmt::format("saved {}{}", path.string(),
                              beside ? ": read with the model from now on" : ", for --weights"));
  } catch (const Error& problem) {
    toast(viewer, problem.what());
  }
}

} // namespace sinew
