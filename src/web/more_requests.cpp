#include "app/load_model.h"
#include "app/model_info.h"
#include "bake/bake_run.h"
#include "export/glb.h"
#include "metrics/range_of_motion.h"
#include "render/shader_es300.h"
#include "web/web_call.h"
#include "weights/automatic_weights.h"
#include "weights/bind_model.h"
#include "weights/weight_report.h"

#include <array>
#include <numeric>

namespace sinew {
namespace {

std::string info(const WebCall& call) {
  Settings settings;
  settings.clip = "none";
  return textIn(infoJson(openCallWorkbench(call, settings)));
}

std::string html(const WebCall& call) {
  return pageIn(call, pageHtml);
}

std::string glb(const WebCall& call) {
  return toGlb(inMetres(call.model()));
}

std::string shader(const WebCall& call) {
  const Settings settings = settingsIn(call);
  const Workbench workbench = openCallWorkbench(call, settings);
  return es300Text(*workbench.bound.front().method, workbench.bound.front().binding, {});
}

std::string bakeGlb(const WebCall& call) {
  Settings settings = settingsIn(call);
  settings.clip = "bind";
  BakeRunOptions options;
  options.bake.progress = call.progress;
  options.drivers = false;
  if (call.request.contains("helpers")) options.bake.helpers = call.get("helpers", 0u);
  std::vector<std::uint32_t> clips(call.model().clips.size());
  std::iota(clips.begin(), clips.end(), 0u);
  options.bake.poses.clips = clips;
  return runBake(openCallWorkbench(call, settings), options).glb;
}

// Binds the meshes, whatever skin they have, to a skeleton; the session's model is then that.
std::string bind(const WebCall& call) {
  const Model meshes = meshesAlone(call.model());
  const JoinedMeshes mesh = joinMeshes(meshes);
  if (mesh.positions.empty()) throw inputError(call.session.file, "has no mesh to give weights to");
  const Skeleton skeleton =
      loadSkeleton(call.get("skeleton", std::string("template:humanoid")), mesh);
  WeightOptions options;
  const std::string word = call.get("algorithm", std::string(findEntry(options.algorithm).word));
  for (const WeightAlgorithmEntry& entry : weightAlgorithms())
    if (entry.word == word) options.algorithm = entry.algorithm;
  const AutomaticWeights weights = automaticWeights(mesh.positions, mesh.triangles, skeleton.bones,
                                                    options, skeleton.jointOfBone, call.progress);
  call.session.model = bindModel(meshes, skeleton, weights.influences);
  if (call.session.model->clips.empty())
    call.session.model->clips.push_back(rangeOfMotionClip(*call.session.model));
  return textIn(described(*call.session.model));
}

constexpr std::array kMore = {
    WebEntry{{"info", "as `sinew info --json`"}, info},
    WebEntry{{"html", "as page: the page as a file"}, html},
    WebEntry{{"glb", "the model as .glb"}, glb},
    WebEntry{{"shader", "settings: the first method's vertex shader, GLSL ES 3.00"}, shader},
    WebEntry{{"bake", "settings, zones, helpers: baked by the first method, .glb"}, bakeGlb},
    WebEntry{{"bind", "skeleton, algorithm: automatic weights; what the model holds then, JSON"},
             bind},
};

} // namespace

std::span<const WebEntry> moreRequests() {
  return kMore;
}

} // namespace sinew
