#include "web/requests.h"

#include "app/add_motions.h"
#include "app/load_model.h"
#include "app/load_skeleton.h"
#include "app/model_info.h"
#include "app/workbench.h"
#include "app/zones_file.h"
#include "bake/bake_run.h"
#include "core/error.h"
#include "core/json_text.h"
#include "export/glb.h"
#include "metrics/range_clip.h"
#include "page/page.h"
#include "render/shader_es300.h"
#include "rig/zone_table.h"
#include "skinning/methods.h"
#include "weights/automatic_weights.h"
#include "weights/bind_model.h"
#include "weights/templates/skeleton_template.h"
#include "weights/weight_report.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <span>

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;

struct Call {
  WebSession& session;
  const Json& request;
  const Progress& progress;

  const Model& model() const {
    if (!session.model) throw usageError("no model is open");
    return *session.model;
  }
  // A member of the request, or what holds without it.
  template <class T>
  T get(const char* name, T otherwise) const {
    return request.value(name, std::move(otherwise));
  }
};

std::string textIn(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// "settings": an object of settings by the names of the command line's options.
Settings settingsIn(const Call& call) {
  const Json settings = call.get("settings", Json::object());
  return settingsFromJson(textIn(settings), "settings");
}

Workbench benchIn(const Call& call, const Settings& settings) {
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

std::string open(const Call& call) {
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

std::string addMotion(const Call& call) {
  Model model = call.model();
  LoadOptions options;
  options.progress = call.progress;
  addMotions(model, {call.get("file", std::string())}, options);
  call.session.model = std::move(model);
  return textIn(described(*call.session.model));
}

std::string info(const Call& call) {
  Settings settings;
  settings.clip = "none";
  return textIn(infoJson(benchIn(call, settings)));
}

std::string page(const Call& call) {
  const Settings settings = settingsIn(call);
  const Workbench bench = benchIn(call, settings);
  PageOptions options;
  options.exact = call.get("exact", false);
  options.measured = call.get("measured", false);
  options.shapes = call.get("shapes", false);
  const std::vector<PageClip> clips = sampleClips(
      bench, settings, call.get("clips", std::vector<std::string>()), call.get("fps", 30.0));
  PageSummary summary;
  return call.get("html", false) ? pageHtml(bench, settings, clips, options, summary)
                                 : pageData(bench, settings, clips, options, summary);
}

// Positions of all vertices, floats, by the settings' first method at their clip and time.
std::string vertices(const Call& call) {
  const Settings settings = settingsIn(call);
  Workbench bench = benchIn(call, settings);
  evaluate(bench, static_cast<double>(settings.time), Wrap::clamp);
  const std::vector<vec3> positions = skinOnCpu(bench, bench.bound.front()).positions;
  return {reinterpret_cast<const char*>(positions.data()), positions.size() * sizeof(vec3)};
}

std::string glb(const Call& call) {
  return glbOf(call.model());
}

std::string shader(const Call& call) {
  const Settings settings = settingsIn(call);
  const Workbench bench = benchIn(call, settings);
  return es300Text(*bench.bound.front().method, bench.bound.front().binding, {});
}

std::string bakeGlb(const Call& call) {
  Settings settings = settingsIn(call);
  settings.clip = "bind";
  BakeRunOptions options;
  options.bake.progress = call.progress;
  options.drivers = false;
  if (call.request.contains("helpers")) options.bake.helpers = call.get("helpers", 0u);
  std::vector<std::uint32_t> clips(call.model().clips.size());
  std::iota(clips.begin(), clips.end(), 0u);
  options.bake.poses.clips = clips;
  return runBake(benchIn(call, settings), options).glb;
}

// Binds the meshes, whatever skin they have, to a skeleton; the session's model is then that.
std::string bind(const Call& call) {
  const Model meshes = meshesAlone(call.model());
  const JoinedMeshes mesh = joinMeshes(meshes);
  if (mesh.positions.empty()) throw inputError(call.session.file, "has no mesh to give weights to");
  const Skeleton skeleton =
      loadSkeleton(call.get("skeleton", std::string("template:humanoid")), mesh);
  WeightOptions options;
  const std::string word = call.get("algorithm", std::string(entryOf(options.algorithm).word));
  for (const WeightAlgorithmEntry& entry : weightAlgorithms())
    if (entry.word == word) options.algorithm = entry.algorithm;
  const AutomaticWeights weights = automaticWeights(mesh.positions, mesh.triangles, skeleton.bones,
                                                    options, skeleton.jointOfBone, call.progress);
  call.session.model = bindModel(meshes, skeleton, weights.influences);
  if (call.session.model->clips.empty())
    call.session.model->clips.push_back(rangeOfMotionClip(*call.session.model));
  return textIn(described(*call.session.model));
}

// What a page offers: methods with their parameters, skeletons of templates, algorithms of weights.
std::string choices(const Call& /*call*/) {
  Json out{{"methods", Json::array()}, {"templates", Json::array()}, {"algorithms", Json::array()}};
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
  return textIn(out);
}

struct Entry {
  WebRequest request;
  std::string (*answer)(const Call& call);
};
constexpr std::array kRequests = {
    Entry{{"open", "file, motions, textures: reads a model; what it holds, JSON"}, open},
    Entry{{"add-motion", "file: adds its clips to the model; what it holds, JSON"}, addMotion},
    Entry{{"info", "as `sinew info --json`"}, info},
    Entry{
        {"page",
         "settings, zones, clips, fps, exact, measured, shapes, html: a page's data, or the page"},
        page},
    Entry{{"vertices", "settings, zones: posed positions, floats"}, vertices},
    Entry{{"glb", "the model as .glb"}, glb},
    Entry{{"shader", "settings: the first method's vertex shader, GLSL ES 3.00"}, shader},
    Entry{{"bake", "settings, zones, helpers: baked by the first method, .glb"}, bakeGlb},
    Entry{{"bind", "skeleton, algorithm: automatic weights; what the model holds then, JSON"},
          bind},
    Entry{{"choices", "methods and their parameters, templates of skeletons, algorithms, JSON"},
          choices},
};

} // namespace

std::string answerRequest(WebSession& session, std::string_view request, const Progress& progress) {
  const Json read = Json::parse(request, nullptr, false);
  if (!read.is_object()) throw usageError("a request is a JSON object");
  const std::string name = read.value("do", std::string());
  for (const Entry& entry : kRequests) {
    if (entry.request.name != name) continue;
    try {
      return entry.answer({session, read, progress});
    } catch (const Json::exception& error) {
      throw usageError(fmt::format("request '{}': {}", name, error.what()));
    }
  }
  std::vector<std::string> names;
  names.reserve(std::size(kRequests));
  for (const Entry& entry : kRequests)
    names.emplace_back(entry.request.name);
  throw unknownNameOf("request", name, names);
}

std::vector<WebRequest> webRequests() {
  std::vector<WebRequest> out;
  out.reserve(std::size(kRequests));
  for (const Entry& entry : kRequests)
    out.push_back(entry.request);
  return out;
}

} // namespace sinew
