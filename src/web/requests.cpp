#include "web/requests.h"

#include "app/load_model.h"
#include "app/sidecar.h"
#include "app/workbench.h"
#include "core/error.h"
#include "core/json_text.h"
#include "import/formats.h"
#include "skinning/methods.h"
#include "web/web_call.h"
#include "weights/automatic_weights.h"
#include "weights/templates/skeleton_template.h"
#include "weights/weight_report.h"

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <span>

namespace sinew {

std::string textIn(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Settings settingsIn(const WebCall& call) {
  const Json settings = call.get("settings", Json::object());
  return settingsFromJson(textIn(settings), "settings");
}

Workbench openCallWorkbench(const WebCall& call, const Settings& settings) {
  const std::vector<std::string> zones = call.get("zones", std::vector<std::string>());
  return makeWorkbench(call.model(), settings,
                       readZones(call.model(), call.session.file, {}, zones));
}

Json described(const Model& model) {
  Json clips = Json::array();
  for (const Clip& clip : model.clips)
    clips.push_back({{"name", clip.name}, {"seconds", clip.seconds}});
  const std::vector<std::string> joints = [&] {
    std::vector<std::string> names;
    for (const std::uint32_t node : jointNodes(model))
      names.push_back(model.hierarchy.nodes[node].name);
    return names;
  }();
  return {{"name", model.name},
          {"format", model.format},
          {"vertices", vertexCount(model)},
          {"triangles", triangleCount(model)},
          {"joints", joints},
          {"skinned", !model.skins.empty()},
          {"morphs", morphLabels(model)},
          {"clips", clips},
          {"repairs", model.repairs},
          {"warnings", model.warnings}};
}

std::string pageIn(const WebCall& call, PageText text) {
  const Settings settings = settingsIn(call);
  const Workbench workbench = openCallWorkbench(call, settings);
  PageOptions options;
  options.exact = call.get("exact", false);
  options.measured = call.get("measured", false);
  options.shapes = call.get("shapes", false);
  options.rawTextures = call.get("rawTextures", false);
  options.program = call.get("program", true);
  const std::vector<PageClip> clips = sampleClips(
      workbench, settings, call.get("clips", std::vector<std::string>()), call.get("fps", 30.0));
  PageSummary summary;
  return text(workbench, settings, clips, options, summary);
}

namespace {

std::string open(const WebCall& call) {
  LoadOptions options;
  options.progress = call.progress;
  options.textures = call.get("textures", true);
  const std::string file = call.get("file", std::string());
  Model model = loadModel(file, options);
  addMotions(model, call.get("motions", std::vector<std::string>()), options);
  call.session.model = std::move(model);
  call.session.file = file;
  return textIn(described(*call.session.model));
}

std::string addMotion(const WebCall& call) {
  Model model = call.model();
  LoadOptions options;
  options.progress = call.progress;
  addMotions(model, {call.get("file", std::string())}, options);
  call.session.model = std::move(model);
  return textIn(described(*call.session.model));
}

std::string page(const WebCall& call) {
  return pageIn(call, pageData);
}

// Positions of all vertices, floats, by the settings' first method at their clip and time.
std::string vertices(const WebCall& call) {
  const Settings settings = settingsIn(call);
  Workbench workbench = openCallWorkbench(call, settings);
  evaluate(workbench, static_cast<double>(settings.time), Wrap::clamp);
  const std::vector<vec3> positions = skinOnCpu(workbench, workbench.bound.front()).positions;
  return {reinterpret_cast<const char*>(positions.data()), positions.size() * sizeof(vec3)};
}

// What a page offers: methods with their parameters, skeletons of templates, algorithms of weights;
// and what the names of files end in that it reads.
std::string choices(const WebCall& /*call*/) {
  Json out{{"methods", Json::array()},
           {"templates", Json::array()},
           {"algorithms", Json::array()},
           {"formats", Json::array()}};
  for (const Method& method : methods()) {
    Json parameters = Json::array();
    for (const Parameter& parameter : method.parameters)
      parameters.push_back({{"name", parameter.name}, {"summary", parameter.help}});
    out["methods"].push_back({{"name", method.name},
                              {"title", method.title},
                              {"summary", method.summary},
                              {"parameters", parameters}});
  }
  for (const SkeletonTemplate& each : skeletonTemplates())
    out["templates"].push_back({{"name", each.name}, {"title", each.title}});
  for (const WeightAlgorithmEntry& each : weightAlgorithms())
    out["algorithms"].push_back({{"name", each.word}, {"title", each.title}});
  for (const Format& format : formats())
    if (format.inBrowser)
      out["formats"].push_back({{"ending", getEnding(format)}, {"motion", format.motionAlone}});
  return textIn(out);
}

constexpr std::array kRequests = {
    WebEntry{{"open", "file, motions, textures: reads a model; what it holds, JSON"}, open},
    WebEntry{{"add-motion", "file: adds its clips to the model; what it holds, JSON"}, addMotion},
    WebEntry{
        {"page",
         "settings, zones, clips, fps, exact, measured, shapes, rawTextures, program: a page's "
         "data"},
        page},
    WebEntry{{"vertices", "settings, zones: posed positions, floats"}, vertices},
    WebEntry{{"choices",
              "methods and their parameters, templates of skeletons, algorithms, formats, JSON"},
             choices},
};

std::vector<WebEntry> allRequests() {
  std::vector<WebEntry> all(kRequests.begin(), kRequests.end());
  all.insert(all.end(), moreRequests().begin(), moreRequests().end());
  return all;
}

} // namespace

std::string answerRequest(WebSession& session, std::string_view request, const Progress& progress) {
  const Json read = Json::parse(request, nullptr, false);
  if (!read.is_object()) throw usageError("a request is a JSON object");
  const std::string name = read.value("do", std::string());
  for (const WebEntry& entry : allRequests()) {
    if (entry.request.name != name) continue;
    try {
      return entry.answer({session, read, progress});
    } catch (const Json::exception& error) {
      throw usageError(fmt::format("request '{}': {}", name, error.what()));
    }
  }
  std::vector<std::string> names;
  for (const WebEntry& entry : allRequests())
    names.emplace_back(entry.request.name);
  throw makeUnknownName("request", name, names);
}

std::vector<WebRequest> webRequests() {
  std::vector<WebRequest> out;
  for (const WebEntry& entry : allRequests())
    out.push_back(entry.request);
  return out;
}

} // namespace sinew
