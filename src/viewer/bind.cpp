// Weights made on a thread, compared and kept: the second half of bind.h.

#include "viewer/bind.h"

#include "app/load_model.h"
#include "core/error.h"
#include "viewer/session.h"
#include "weights/bind_model.h"
#include "weights/weight_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace sinew {
namespace {

namespace fs = std::filesystem;

const Edit& now(const Viewer& viewer) {
  return viewer.edit.history.now();
}

Skeleton skeletonFile(const std::string& file, const Progress& progress) {
  if (fs::path(file).extension() == ".tgf") return readTgf(file);
  LoadOptions options;
  options.seconds = std::numeric_limits<double>::infinity(); // the user cancels
  options.progress = progress;
  Model model = loadModel(file, options);
  if (model.path.empty()) model.path = file;
  return skeletonOf(model);
}

// Each algorithm's progress is its share of the whole.
BindOutcome makeWeights(const BindWork& work, const WeightOptions& chosen,
                        const Progress& progress) {
  const Skeleton& skeleton = work.draft ? work.draft->skeleton : *work.own;
  const JoinedMeshes mesh = joinMeshes(*work.model);
  std::vector<WeightAlgorithm> algorithms{chosen.algorithm};
  if (work.task == BindTask::compare)
    algorithms = {WeightAlgorithm::boneHeat, WeightAlgorithm::boneGlow};
  BindOutcome out;
  const auto count = static_cast<float>(algorithms.size());
  for (const WeightAlgorithm algorithm : algorithms) {
    WeightOptions options = chosen;
    options.algorithm = algorithm;
    const auto before = static_cast<float>(out.weights.size());
    const Progress part = [&](float fraction, std::string_view what) {
      return progress((before + fraction) / count, fmt::format("{}: {}", titleOf(algorithm), what));
    };
    out.weights.push_back(
        {algorithm, automaticWeights(mesh.positions, mesh.triangles, skeleton.bones, options,
                                     skeleton.jointOfBone, part)});
  }
  return out;
}

void startWork(Viewer& viewer, BindTask task) {
  if (!bindable(viewer) || binding(viewer)) return;
  BindState& bind = viewer.bind;
  bind.problem.clear();
  try {
    if (task == BindTask::compare && !drafting(viewer)) draftOwnJoints(viewer);
    BindWork work{task, {}, nullptr, now(viewer).draft, nullptr};
    if (!bind.problem.empty()) return;
    if (work.draft) {
      work.model = now(viewer).model;
    } else {
      work.own = std::make_shared<const Skeleton>(skeletonOf(viewer.bench.model));
      work.model = std::make_shared<const Model>(meshesAlone(viewer.bench.model));
    }
    bind.work = work;
    bind.job->start(viewer.bench.model.name,
                    [work = std::move(work), options = bind.options](const Progress& progress) {
                      return makeWeights(work, options, progress);
                    });
  } catch (const Error& problem) {
    bind.problem = problem.what();
  }
}

// Lines of the model's report about what its weights went through.
void tellReport(Model& model, const BoundWeights& bound) {
  std::erase_if(model.repairs,
                [](const std::string& line) { return line.starts_with("weights: "); });
  for (const std::string& line : odditiesOf(bound.weights.report))
    model.repairs.push_back(fmt::format("weights: {}", line));
}

// One step: the mesh with these weights on the skeleton they were made for.
void keep(Viewer& viewer, const Model& unbound, const Skeleton& skeleton, ZoneTable zones,
          const BoundWeights& bound) {
  Model model = bindModel(unbound, skeleton, bound.weights.influences);
  tellReport(model, bound);
  std::erase_if(zones, [&](const auto& zone) { return !findNode(model.hierarchy, zone.first); });
  Edit fresh;
  fresh.zones = std::move(zones);
  const std::shared_ptr<const Draft> draft = now(viewer).draft;
  fresh.movement = layersFor(viewer, model, draft ? draft->movement : now(viewer).movement);
  fresh.model = std::make_shared<const Model>(std::move(model));
  viewer.bind.lastModel = fresh.model;
  viewer.edit.history.live() = std::move(fresh);
  viewer.edit.everBound = true;
  commitEdit(viewer, fmt::format("Bind by {}", wordOf(bound.algorithm)));
  viewer.bind.last = BoundWeights{bound.algorithm, {{}, {}, bound.weights.report}};
  toast(viewer, fmt::format("{}: bound in {:.2f} s", titleOf(bound.algorithm),
                            bound.weights.report.seconds));
}

void finishCompare(Viewer& viewer, BindOutcome&& outcome) {
  BindState& bind = viewer.bind;
  ComparedWeights compared{bind.work.draft,
                           {std::move(outcome.weights[0]), std::move(outcome.weights[1])},
                           {},
                           false,
                           {}};
  compared.difference =
      weightDifference(compared.sets[0].weights.influences, compared.sets[1].weights.influences);
  const std::vector<double>& joints = compared.difference.joints;
  const auto most = std::max_element(joints.begin(), joints.end()) - joints.begin();
  bind.compared = std::move(compared);
  if (!viewer.selected)
    selectJoint(viewer, bind.work.draft->skeleton.joints[static_cast<std::size_t>(most)]);
  showCompared(viewer, true);
}

void finish(Viewer& viewer, BindOutcome&& outcome) {
  BindState& bind = viewer.bind;
  if (bind.work.task == BindTask::readSkeleton) {
    const std::string name = fs::path(bind.work.file).filename().string();
    startDraft(viewer, std::move(*outcome.skeleton), name, true);
    return;
  }
  const bool same = now(viewer).draft == bind.work.draft;
  if (!same) return toast(viewer, "the skeleton has changed meanwhile: bind it again");
  if (bind.work.task == BindTask::compare) return finishCompare(viewer, std::move(outcome));
  const bool draft = bind.work.draft != nullptr;
  keep(viewer, *bind.work.model, draft ? bind.work.draft->skeleton : *bind.work.own,
       draft ? bind.work.draft->zones : now(viewer).zones, outcome.weights.front());
}

std::vector<float> weightsOfJoint(const Influences& influences, std::uint32_t joint) {
  std::vector<float> out(influences.vertexCount(), 0.0f);
  for (std::size_t v = 0; v < out.size(); ++v)
    for (const Influence& influence : influences.of(v))
      if (influence.joint == joint) out[v] += influence.weight;
  return out;
}

} // namespace

bool binding(const Viewer& viewer) {
  return viewer.bind.job && viewer.bind.job->running();
}

void openSkeleton(Viewer& viewer, const std::string& file) {
  if (!bindable(viewer)) return toast(viewer, "open a model with a mesh first, then its skeleton");
  viewer.bind.problem.clear();
  showTab(viewer, SideTab::bind);
  viewer.bind.work = {BindTask::readSkeleton, file, nullptr, nullptr, nullptr};
  viewer.bind.job->start(fs::path(file).filename().string(), [file](const Progress& progress) {
    return BindOutcome{skeletonFile(file, progress), {}};
  });
}

void startBinding(Viewer& viewer) {
  startWork(viewer, BindTask::bind);
}

void startComparing(Viewer& viewer) {
  startWork(viewer, BindTask::compare);
}

void cancelBinding(Viewer& viewer) {
  if (!binding(viewer)) return;
  viewer.bind.job->cancel();
  toast(viewer, "binding was cancelled: nothing has changed");
}

bool pollBinding(Viewer& viewer) {
  if (!binding(viewer)) return false;
  auto result = viewer.bind.job->take();
  if (!result) return false;
  showTab(viewer, SideTab::bind);
  if (auto* outcome = std::get_if<BindOutcome>(&*result)) {
    try {
      finish(viewer, std::move(*outcome));
    } catch (const Error& problem) {
      viewer.bind.problem = problem.what();
    }
  } else {
    viewer.bind.problem = std::get<BackgroundFailure>(*result).message;
  }
  viewer.bind.work = {};
  return true;
}

bool comparing(const Viewer& viewer) {
  const auto& compared = viewer.bind.compared;
  return compared && compared->shown && compared->draft == now(viewer).draft;
}

void showCompared(Viewer& viewer, bool shown) {
  auto& compared = viewer.bind.compared;
  if (!compared || compared->shown == shown) return;
  compared->shown = shown;
  if (!shown) {
    viewer.settings.method = compared->method;
    return;
  }
  compared->method = viewer.settings.method;
  const MethodChoice choice = activeChoice(viewer);
  viewer.settings.method = methodListOf(std::array{choice, choice});
  viewer.settings.difference = "none";
  viewer.views = {};
  viewer.bind.refreshFields = true;
}

void keepCompared(Viewer& viewer, std::size_t which) {
  if (binding(viewer)) return;
  const ComparedWeights& compared = *viewer.bind.compared;
  const std::shared_ptr<const Model> unbound = now(viewer).model;
  const std::shared_ptr<const Draft> draft = compared.draft;
  showCompared(viewer, false);
  keep(viewer, *unbound, draft->skeleton, draft->zones, compared.sets[which]);
}

std::vector<std::string> comparedCaptions(const Viewer& viewer) {
  std::vector<std::string> out;
  if (!comparing(viewer)) return out;
  const std::string joint =
      viewer.selected ? viewer.bench.model.hierarchy.nodes[*viewer.selected].name : "";
  for (std::size_t i = 0; i < viewer.bench.bound.size(); ++i)
    out.push_back(fmt::format("{}\nweights of {}",
                              titleOf(viewer.bind.compared->sets[i % 2].algorithm),
                              joint.empty() ? "no joint" : joint));
  return out;
}

void applyComparedWeights(Viewer& viewer) {
  Settings& settings = viewer.settings;
  const auto& joints = viewer.bind.compared->draft->skeleton.joints;
  const auto found = viewer.selected
                         ? std::lower_bound(joints.begin(), joints.end(), *viewer.selected)
                         : joints.end();
  settings.weightsOf =
      found != joints.end() ? viewer.bench.model.hierarchy.nodes[*found].name : std::string();
  const bool refresh = std::exchange(viewer.bind.refreshFields, false);
  if (found == joints.end() || (!refresh && settings.weightsOf == viewer.applied.weightsOf)) return;
  const auto joint = static_cast<std::uint32_t>(found - joints.begin());
  std::vector<GpuMesh>& meshes = viewer.graphics->picture.meshes;
  for (std::size_t i = 0; i < meshes.size(); ++i)
    meshes[i].setField(weightsOfJoint(viewer.bind.compared->sets[i % 2].weights.influences, joint));
}

void forgetBinding(Viewer& viewer) {
  BindState& bind = viewer.bind;
  showCompared(viewer, false);
  bind.job->cancel();
  bind.work = {};
  bind.compared.reset();
  bind.last.reset();
  bind.lastModel.reset();
  bind.problem.clear();
  bind.opened.reset();
  bind.grabbed.reset();
  bind.select.reset();
}

} // namespace sinew
