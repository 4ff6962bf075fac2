#include "editor/document/side_models.h"

#include "app/clip_bounds.h"
#include "app/settings_view.h"
#include "core/error.h"
#include "editor/document/framing.h"
#include "editor/document/keying.h"
#include "editor/document/views.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <filesystem>

namespace sinew {
namespace {

namespace fs = std::filesystem;

// The middle of the ground below a box.
vec3 findGroundPoint(const Bounds& box) {
  const vec3 center = box.center();
  return {center.x, box.min.y, center.z};
}

// FBX files name their clips "Armature|Run" where others have "Run".
std::string_view withoutOwner(std::string_view clip) {
  const std::size_t bar = clip.rfind('|');
  return bar == std::string_view::npos ? clip : clip.substr(bar + 1);
}

// The document's clip by its name, or the word for the pose it holds; empty: it has neither.
const std::string& followedClip(const Document& document) {
  const auto clip = clipOnTimeline(document);
  return clip ? document.workbench.model.clips[*clip].name : document.settings.clip;
}

std::string clipFor(const Document& document, const Model& model) {
  const std::string& name = followedClip(document);
  const bool held = !clipOnTimeline(document) && (name == "none" || name == "bind");
  return held ? name : clipNamed(model, name);
}

// The playback range where the clip has it, else the whole clip.
void chooseSideModelClip(SideModel& sideModel) {
  Settings chosen = sideModel.applied;
  const Model& model = sideModel.workbench.model;
  const bool held = chosen.clip == "none" || chosen.clip == "bind" || model.clips.empty();
  const std::uint32_t clip = held || chosen.clip.empty() ? 0 : findClip(model, chosen.clip);
  const float length = held ? 0.0f : model.clips[clip].seconds;
  if (chosen.rangeStart >= length || chosen.rangeEnd > length)
    chosen.rangeStart = chosen.rangeEnd = 0.0f;
  chooseClip(sideModel.workbench, chosen);
  sideModel.stale = true;
}

void bindAgain(Document& document, SideModel& sideModel, const MethodChoice& before) {
  try {
    rebind(sideModel.workbench, sideModel.applied);
  } catch (const Error& problem) {
    notify(document, problem.what());
    sideModel.applied.methods.front() = sideModel.choice = before;
    rebind(sideModel.workbench, sideModel.applied);
  }
  sideModel.changes.bindings = true;
  sideModel.stale = true;
}

void applySettings(Document& document, SideModel& sideModel) {
  const Settings& now = document.settings;
  const Settings& was = sideModel.applied;
  const MethodChoice& shown = was.methods.front();
  const bool bind = shown != sideModel.choice || was.parameters != now.parameters ||
                    was.influences != now.influences;
  const bool store = was.palette != now.palette || was.skinOn != now.skinOn;
  const bool colors = was.boneColors != now.boneColors;
  const bool clip = followedClip(document) != sideModel.followedClip ||
                    was.rangeStart != now.rangeStart || was.rangeEnd != now.rangeEnd ||
                    was.root != now.root;
  if (!bind && !store && !colors && !clip) return;
  const MethodChoice before = shown;
  sideModel.applied = settingsFor(document, sideModel);
  sideModel.followedClip = followedClip(document);
  sideModel.changes.storage |= store;
  sideModel.changes.field |= colors;
  if (clip) chooseSideModelClip(sideModel);
  if (bind) bindAgain(document, sideModel, before);
}

// Whether its pose depends on the time.
bool plays(const Workbench& workbench) {
  return workbench.clip.has_value() || !workbench.layerStack.layers.empty();
}

} // namespace

SideModel* findSideModel(Document& document, std::uint64_t id) {
  const auto found = std::ranges::find(document.sideModels, id, &SideModel::id);
  return found != document.sideModels.end() ? &*found : nullptr;
}

void removeSideModel(Document& document, std::uint64_t id) {
  std::erase_if(document.sideModels, [id](const SideModel& each) { return each.id == id; });
  document.views = {.active = activeView(document), .alone = false};
  arrangeSideModels(document);
}

void arrangeSideModels(Document& document) {
  if (document.crowd || document.framing.bounds.empty()) return;
  const vec3 stand = findGroundPoint(document.framing.bounds);
  const float size = document.framing.bounds.size();
  Outline all = document.framing.bounds;
  for (SideModel& sideModel : document.sideModels) {
    const float own = sideModel.bounds.size();
    sideModel.fitted = !document.oneScale || own > kOneScale * size || size > kOneScale * own;
    const bool near =
        glm::distance(sideModel.bounds.center(), document.framing.bounds.center()) < size;
    sideModel.offset = near ? vec3(0.0f) : findGroundPoint(sideModel.bounds) - stand;
    if (!sideModel.fitted) all.include(moved(sideModel.bounds, -sideModel.offset));
  }
  // A camera that somebody has placed stays.
  const bool whole = document.settings.distance == 1.0f && document.orbit.pan == vec3(0.0f);
  if (whole) document.orbit.framed = all;
}

Camera makeCamera(const Document& document, const SideModel& sideModel, float aspect) {
  const Settings& settings = document.settings;
  const Outline& own = sideModel.bounds;
  Camera camera = makeCamera(settings, document.orbit, aspect);
  if (!sideModel.fitted) {
    camera.target += sideModel.offset;
    return camera;
  }
  const Outline& framed = document.orbit.framed;
  const float scale =
      makeCamera(settings, own, aspect).distance / makeCamera(settings, framed, aspect).distance;
  camera.target = own.center() + scale * (camera.target - framed.center());
  camera.distance *= scale;
  return camera;
}

Bounds computeSceneBounds(const Document& document, const SideModel& sideModel) {
  Bounds scene = sideModel.bounds;
  const Bounds& framed = document.orbit.framed;
  if (!sideModel.fitted && !framed.empty()) scene.include(moved(framed, sideModel.offset));
  return scene;
}

vec3 carriedBy(const SideModel& sideModel) {
  const vec3 by =
      jointCenter(sideModel.joints, sideModel.workbench.modelFromNode) - sideModel.framedAt;
  return followed(by, sideModel.bounds.size());
}

std::string clipToFollow(const Document& document) {
  return clipOnTimeline(document) ? followedClip(document) : std::string();
}

std::string clipNamed(const Model& model, std::string_view name) {
  for (std::uint32_t i = 0; i < model.clips.size(); ++i)
    if (model.clips[i].name == name) return clipWord(model, i);
  for (std::uint32_t i = 0; i < model.clips.size(); ++i)
    if (!name.empty() && withoutOwner(model.clips[i].name) == withoutOwner(name))
      return clipWord(model, i);
  return {};
}

Settings settingsFor(const Document& document, const SideModel& sideModel) {
  Settings settings = document.settings;
  settings.methods = {sideModel.choice};
  settings.difference.reset(); // only the document has differences and heat maps
  settings.weightsJoint.clear();
  settings.clip = clipFor(document, sideModel.workbench.model);
  return settings;
}

void followDocument(Document& document) {
  const double seconds = playedTime(document.clock, document.settings.time);
  const Wrap wrap = getWrap(document.settings);
  for (SideModel& sideModel : document.sideModels) {
    applySettings(document, sideModel);
    Workbench& workbench = sideModel.workbench;
    const bool same = !plays(workbench) || (workbench.seconds == seconds && sideModel.wrap == wrap);
    if (same && !sideModel.stale) continue;
    evaluate(workbench, seconds, wrap);
    sideModel.wrap = wrap;
    sideModel.stale = false;
    sideModel.changes.pose = true;
  }
}

bool sideModelsPlay(const Document& document) {
  return std::ranges::any_of(document.sideModels,
                             [](const SideModel& each) { return plays(each.workbench); });
}

std::vector<std::string> distinctNames(std::span<const std::string> paths) {
  std::vector<std::string> names;
  for (const std::string& path : paths)
    names.push_back(fs::path(path).filename().string());
  // Equal ones take a folder more at a time, while they have some.
  std::vector<fs::path> above;
  for (const std::string& path : paths)
    above.push_back(fs::path(path).parent_path());
  const auto another = [&] {
    std::vector<bool> equal(names.size(), false);
    for (std::size_t i = 0; i < names.size(); ++i)
      equal[i] = std::ranges::count(names, names[i]) > 1 && above[i].has_filename();
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (!equal[i]) continue;
      names[i] = above[i].filename().string() + "/" + names[i];
      above[i] = above[i].parent_path();
    }
    return std::ranges::find(equal, true) != equal.end();
  };
  while (another()) {
  }
  return names;
}

std::vector<std::string> modelNames(const Document& document) {
  std::vector<std::string> paths{document.loaded.model};
  for (const SideModel& sideModel : document.sideModels)
    paths.push_back(sideModel.request.model);
  return distinctNames(paths);
}

} // namespace sinew
