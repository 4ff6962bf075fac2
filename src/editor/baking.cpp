#include "editor/baking.h"

#include "app/sidecar.h"
#include "core/file.h"
#include "core/stopwatch.h"
#include "editor/document/views.h"
#include "editor/session.h"
#include "skinning/methods.h"

#include <fmt/format.h>

#include <numeric>
#include <utility>

namespace sinew {
namespace {

BakeSource bakeSource(const Document& document) {
  const Edit& now = document.history.now();
  const Settings& settings = document.settings;
  return {document.revisions.weights,
          now.zones,
          now.layerStack,
          now.drivers,
          now.weights.strength,
          now.velocityJoints,
          settings.parameters,
          settings.drag,
          settings.squash};
}

} // namespace

std::string bakingProblem(const Session& session) {
  const Document& document = session.document;
  if (!hasModel(document) || document.crowd) return "there is no single model";
  if (drafting(document)) return "bind the mesh first, or leave the skeleton";
  if (document.workbench.model.skins.empty() || document.workbench.rig.triangles.empty())
    return "the model has no skin to bake";
  return {};
}

void startBaking(Session& session) {
  const Document& document = session.document;
  BakeState& bake = session.bake;
  if (!bakingProblem(session).empty()) return;
  forgetBakedView(session.document);
  const MethodChoice method = activeChoice(document);
  Settings settings;
  settings.methods = {method};
  settings.parameters = document.settings.parameters;
  settings.clip = "bind";
  settings.drag = document.settings.drag;
  settings.squash = document.settings.squash;
  BakeRunOptions options = bake.options;
  options.bake.helpers.reset();
  if (!bake.automatic) options.bake.helpers = static_cast<std::uint32_t>(bake.helpers);
  Model model = paintedModel(document);
  options.bake.poses.clips.resize(model.clips.size());
  std::iota(options.bake.poses.clips.begin(), options.bake.poses.clips.end(), 0u);
  bake.problem.clear();
  bake.last.reset();
  bake.job->start(document.workbench.model.name,
                  [options, settings, model = std::move(model), zones = document.workbench.zones,
                   drivers = document.workbench.drivers, layers = document.workbench.layerStack,
                   map = document.workbench.moving.map, method,
                   name = settingText(settings.methods), source = bakeSource(document),
                   clips = document.revisions.clips](const Progress& progress) mutable {
                    const auto start = Clock::now();
                    options.bake.progress = progress;
                    Workbench workbench = makeWorkbench(model, settings, zones, layers, drivers);
                    setVelocityMap(workbench, map);
                    BakeRun run = runBake(std::move(workbench), options);
                    return BakeResultShown{std::move(run), name,  method,
                                           source,         clips, secondsSince(start)};
                  });
}

void cancelBaking(BakeState& bake) {
  bake.job->cancel();
}

bool pollBaking(BakeState& bake) {
  auto result = bake.job->take();
  if (!result) return false;
  if (auto* shown = std::get_if<BakeResultShown>(&*result))
    bake.last = std::move(*shown);
  else
    bake.problem = std::get<TaskFailure>(*result).message;
  return true;
}

bool bakedFits(const Session& session) {
  const Document& document = session.document;
  const auto& last = session.bake.last;
  return last && last->source == bakeSource(document) &&
         document.history.now().model == document.applied.edit.model; // else it is replaced soon
}

std::string bakedChange(const Session& session) {
  if (!bakedFits(session)) return "the model has changed since";
  const bool same = session.bake.last->clips == session.document.revisions.clips;
  return same ? "" : "the clips have changed since";
}

void showBaked(Session& session) {
  Document& document = session.document;
  BakeState& bake = session.bake;
  if (!bakedFits(session)) return;
  *bake.skin = bakedSkin(bake.last->run.outcome);
  Settings& settings = document.settings;
  const MethodChoice linear{&findMethod("lbs")};
  settings.methods = {linear};
  if (!(bake.last->target == linear)) settings.methods.push_back(bake.last->target);
  settings.difference = settings.methods.back();
  document.views = {.active = settings.methods.size() - 1, .alone = false}; // the target
  settings.methods.push_back({bake.view.get()});
}

std::vector<MethodChoice> withoutBaked(std::vector<MethodChoice> choices) {
  std::erase_if(choices, [](const MethodChoice& choice) { return choice.method->name == "baked"; });
  if (choices.empty()) choices.push_back({&findMethod("lbs")});
  return choices;
}

void forgetBakedView(Document& document) {
  std::vector<MethodChoice>& choices = document.settings.methods;
  choices = withoutBaked(std::move(choices));
}

void saveBaked(Session& session, const std::filesystem::path& path) {
  const BakeRun& run = session.bake.last->run;
  writeFile(path, run.glb);
  if (!run.drivers.empty())
    writeFile(sidecarPath(path.string(), kDriversSidecar),
              driversJson(run, run.outcome->model.metersPerUnit.value_or(1.0f)));
  const std::string change = bakedChange(session);
  notifySaved(session.document, path, change.empty() ? "" : fmt::format(": {}", change));
}

} // namespace sinew
