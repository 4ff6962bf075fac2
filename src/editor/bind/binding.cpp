#include "editor/bind/binding.h"

#include "app/load_model.h"
#include "core/error.h"
#include "editor/document/clip_time.h"
#include "editor/document/views.h"
#include "metrics/range_of_motion.h"
#include "weights/bind_model.h"
#include "weights/weight_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace sinew {
namespace {

namespace fs = std::filesystem;

const Edit& now(const Document& document) {
  return document.history.now();
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
      return progress((before + fraction) / count,
                      fmt::format("{}: {}", makeTitle(algorithm), what));
    };
    out.weights.push_back(
        {algorithm, automaticWeights(mesh.positions, mesh.triangles, skeleton.bones, options,
                                     skeleton.jointOfBone, part)});
  }
  return out;
}

void startWork(Document& document, BindState& bind, BindTask task) {
  if (!bindable(document) || binding(bind)) return;
  bind.problem.clear();
  try {
    if (task == BindTask::compare && !drafting(document)) draftOwnJoints(document, bind);
    BindWork work{task, {}, nullptr, now(document).draft, nullptr};
    if (!bind.problem.empty()) return;
    if (work.draft) {
      work.model = now(document).model;
    } else {
      work.own = std::make_shared<const Skeleton>(extractSkeleton(bareModel(document, bind)));
      work.model = std::make_shared<const Model>(meshesAlone(bareModel(document, bind)));
    }
    bind.work = work;
    bind.job->start(document.workbench.model.name,
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
  for (const std::string& line : listAnomalies(bound.weights.report))
    model.repairs.push_back(fmt::format("weights: {}", line));
}

// One step: the mesh with these weights on the skeleton they were made for.
void keep(Document& document, BindState& bind, const Model& unbound, const Skeleton& skeleton,
          ZoneTable zones, const BoundWeights& bound) {
  Model model = bindModel(unbound, skeleton, bound.weights.influences);
  tellReport(model, bound);
  const bool still = model.clips.empty();
  if (still) model.clips.push_back(rangeOfMotionClip(model));
  std::erase_if(zones, [&](const auto& zone) { return !findNode(model.hierarchy, zone.first); });
  Edit fresh;
  fresh.zones = std::move(zones);
  const std::shared_ptr<const Draft> draft = now(document).draft;
  fresh.layerStack =
      layersFor(document, model, draft ? draft->layerStack : now(document).layerStack);
  // Splines stay where the new joints can carry them: the vertices are the same.
  const auto& splines = draft ? draft->splines : now(document).splines;
  if (splines) {
    const std::string problem = findProblem(model, *splines);
    if (problem.empty())
      fresh.splines = splines;
    else
      notify(document, fmt::format("free splines are left out: {}", problem));
  }
  // The vertices are the same.
  fresh.weights.strength = draft ? draft->weights.strength : now(document).weights.strength;
  fresh.velocityJoints = now(document).velocityJoints;
  fresh.model = std::make_shared<const Model>(std::move(model));
  bind.lastModel = fresh.model;
  document.history.live() = std::move(fresh);
  document.wasBound = true;
  commitEdit(document, fmt::format("Bind by {}", toString(bound.algorithm)));
  bind.last = BoundWeights{bound.algorithm, {{}, {}, bound.weights.report}};
  if (still) {
    setClip(document, bind.lastModel->clips[0].name);
    document.settings.playing = true;
  }
  notify(document,
         fmt::format("{}: bound in {:.2f} s{}", makeTitle(bound.algorithm),
                     bound.weights.report.seconds, still ? "; its range of motion plays" : ""));
}

void finishCompare(Document& document, BindState& bind, BindOutcome&& outcome) {
  ComparedWeights compared{bind.work.draft,
                           {std::move(outcome.weights[0]), std::move(outcome.weights[1])},
                           {},
                           false,
                           {}};
  compared.difference =
      weightDifference(compared.sets[0].weights.influences, compared.sets[1].weights.influences);
  const std::vector<double>& joints = compared.difference.joints;
  const auto largest = std::max_element(joints.begin(), joints.end()) - joints.begin();
  bind.compared = std::move(compared);
  if (!document.selected)
    selectJoint(document, bind.work.draft->skeleton.joints[static_cast<std::size_t>(largest)]);
  showCompared(document, bind, true);
}

void finish(Document& document, BindState& bind, BindOutcome&& outcome) {
  if (bind.work.task == BindTask::readSkeleton) {
    const std::string name = fs::path(bind.work.file).filename().string();
    const bool fitted = bind.work.model != nullptr; // into the mesh
    startDraft(document, bind, std::move(*outcome.skeleton), name, !fitted);
    return;
  }
  const bool same = now(document).draft == bind.work.draft;
  if (!same) return notify(document, "the skeleton has changed during binding: bind it again");
  if (bind.work.task == BindTask::compare) return finishCompare(document, bind, std::move(outcome));
  const bool draft = bind.work.draft != nullptr;
  keep(document, bind, *bind.work.model, draft ? bind.work.draft->skeleton : *bind.work.own,
       draft ? bind.work.draft->zones : now(document).zones, outcome.weights.front());
}

} // namespace

void openSkeleton(Document& document, BindState& bind, const std::string& name) {
  if (!bindable(document))
    return notify(document, "open a model with a mesh first, then its skeleton");
  bind.problem.clear();
  document.notices.topic = Topic::binding;
  bind.work = {BindTask::readSkeleton, name, nullptr, nullptr, nullptr};
  if (name.starts_with("template:"))
    bind.work.model = std::make_shared<const Model>(meshesAlone(bareModel(document, bind)));
  bind.job->start(fs::path(name).filename().string(),
                  [name, model = bind.work.model](const Progress& progress) {
                    LoadOptions options;
                    options.seconds = std::numeric_limits<double>::infinity(); // the user cancels
                    options.progress = progress;
                    const JoinedMeshes mesh = model ? joinMeshes(*model) : JoinedMeshes{};
                    return BindOutcome{loadSkeleton(name, mesh, options), {}};
                  });
}

void startBinding(Document& document, BindState& bind) {
  startWork(document, bind, BindTask::bind);
}

void startComparing(Document& document, BindState& bind) {
  startWork(document, bind, BindTask::compare);
}

void cancelBinding(Document& document, BindState& bind) {
  if (!binding(bind)) return;
  bind.job->cancel();
  notify(document, "binding was cancelled: nothing has changed");
}

bool pollBinding(Document& document, BindState& bind) {
  if (!binding(bind)) return false;
  auto result = bind.job->take();
  if (!result) return false;
  document.notices.topic = Topic::binding;
  if (auto* outcome = std::get_if<BindOutcome>(&*result)) {
    try {
      finish(document, bind, std::move(*outcome));
    } catch (const Error& problem) {
      bind.problem = problem.what();
    }
  } else {
    bind.problem = std::get<TaskFailure>(*result).message;
  }
  bind.work = {};
  return true;
}

bool comparing(const Document& document, const BindState& bind) {
  const auto& compared = bind.compared;
  return compared && compared->shown && compared->draft == now(document).draft;
}

void showCompared(Document& document, BindState& bind, bool shown) {
  auto& compared = bind.compared;
  if (!compared || compared->shown == shown) return;
  compared->shown = shown;
  if (!shown) {
    document.settings.methods = compared->methods;
    return;
  }
  compared->methods = document.settings.methods;
  const MethodChoice choice = activeChoice(document);
  document.settings.methods = {choice, choice};
  document.settings.difference.reset();
  document.views = {};
  document.changes.field = true;
}

void keepCompared(Document& document, BindState& bind, std::size_t which) {
  if (binding(bind)) return;
  const ComparedWeights& compared = *bind.compared;
  const std::shared_ptr<const Model> unbound = now(document).model;
  const std::shared_ptr<const Draft> draft = compared.draft;
  showCompared(document, bind, false);
  keep(document, bind, *unbound, draft->skeleton, draft->zones, compared.sets[which]);
}

std::vector<std::string> comparedCaptions(const Document& document, const BindState& bind) {
  std::vector<std::string> out;
  if (!comparing(document, bind)) return out;
  const std::string joint =
      document.selected ? document.workbench.model.hierarchy.nodes[*document.selected].name : "";
  for (std::size_t i = 0; i < document.workbench.bound.size(); ++i)
    out.push_back(fmt::format("{}\nweights of {}", makeTitle(bind.compared->sets[i % 2].algorithm),
                              joint.empty() ? "no joint" : joint));
  return out;
}

std::vector<float> comparedWeights(const Document& document, const BindState& bind,
                                   std::size_t view) {
  const auto& joints = bind.compared->draft->skeleton.joints;
  if (!document.selected) return {};
  const auto found = std::lower_bound(joints.begin(), joints.end(), *document.selected);
  if (found == joints.end()) return {};
  return gatherWeights(bind.compared->sets[view % 2].weights.influences,
                       static_cast<std::uint32_t>(found - joints.begin()));
}

void forgetBinding(Document& document, BindState& bind) {
  showCompared(document, bind, false);
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
