#include "editor/crowd_costs.h"

#include "core/error.h"
#include "core/file.h"
#include "editor/session.h"
#include "export/glb.h"
#include "skinning/methods.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>
#include <variant>

namespace sinew {
namespace {

constexpr const char* kFrames = "10"; // frames measured for each method

// The opened file, or a copy of the model where `bench` would read another model from the file.
std::string modelWord(const Document& document, const ScratchFolder& scratch) {
  const ModelRequest& loaded = document.loaded;
  if (loaded.motionMap == MotionMap{} && loaded.up == UpAxis::automatic) return loaded.model;
  const std::filesystem::path file = scratch.path() / "crowd.glb";
  writeFile(file, toGlb(document.workbench.model));
  return file.string();
}

std::vector<std::string> benchWords(const Session& session, const ScratchFolder& scratch) {
  const Document& document = session.document;
  const ModelRequest& loaded = document.loaded;
  const Settings& settings = document.settings;
  std::vector<std::string> words{session.options.program,
                                 "bench",
                                 modelWord(document, scratch),
                                 "--characters",
                                 std::to_string(document.crowd->members.size()),
                                 "--frames",
                                 kFrames,
                                 "--skin-on",
                                 settingText(settings.skinOn),
                                 "--influences",
                                 std::to_string(settings.influences),
                                 "--json"};
  if (words[2] == loaded.model && !loaded.motion.empty())
    words.insert(words.end(), {"--motion", loaded.motion});
  if (!settings.clip.empty()) words.insert(words.end(), {"--clip", settings.clip});
  return words;
}

} // namespace

std::vector<MethodCost> methodCosts(std::string_view benchJson) {
  const auto json = nlohmann::json::parse(benchJson, nullptr, false);
  std::vector<MethodCost> costs;
  if (json.is_object() && json.contains("results") && json["results"].is_array())
    for (const auto& result : json["results"])
      for (const Method& method : methods())
        if (result.value("method", "") == method.name)
          costs.push_back({&method, result.value("ms_median", 0.0)});
  if (costs.empty()) throw inputError("bench", "it has measured no method");
  std::ranges::stable_sort(costs, {}, &MethodCost::milliseconds);
  return costs;
}

void startCrowdCosts(Session& session) {
  Document& document = session.document;
  CrowdCosts& costs = session.crowdCosts;
  forgetCrowdCosts(session);
  if (!document.crowd) return;
  const auto scratch = std::make_shared<const ScratchFolder>();
  costs.played = std::exchange(document.settings.playing, false);
  costs.job->start(document.workbench.model.name,
                   [words = benchWords(session, *scratch), scratch](const Progress& progress) {
                     return methodCosts(runProgram(words, progress));
                   });
}

bool pollCrowdCosts(Session& session) {
  CrowdCosts& costs = session.crowdCosts;
  auto result = costs.job->take();
  if (!result) return false;
  if (auto* done = std::get_if<std::vector<MethodCost>>(&*result))
    costs.costs = std::move(*done);
  else
    costs.problem = std::get<TaskFailure>(*result).message;
  if (costs.played) session.document.settings.playing = true;
  return true;
}

void forgetCrowdCosts(Session& session) {
  CrowdCosts& costs = session.crowdCosts;
  if (costs.job->running() && costs.played) session.document.settings.playing = true;
  costs.job->cancel();
  costs.costs.clear();
  costs.problem.clear();
  costs.closed = false;
}

} // namespace sinew
