#include "editor/document/keying.h"

#include "animation/clip_keys.h"
#include "animation/sample.h"
#include "core/error.h"
#include "editor/time/joint_curves.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sinew {
namespace {

constexpr float kNewClip = 2.0f; // seconds

using ClipPointer = std::shared_ptr<const Clip>;

// The list that the history shows, to be changed.
ClipList listToChange(Document& document) {
  const auto& now = document.history.now().clips;
  return now ? *now : openedClips(document);
}

void setList(Document& document, ClipList list) {
  document.history.live().clips = std::make_shared<const ClipList>(std::move(list));
}

// "clip", "clip 2", ...: not a name or an index that means another clip.
std::string freeClipName(const ClipList& list, const std::string& stem) {
  std::string name = stem;
  for (std::size_t n = 2;
       std::ranges::any_of(list, [&](const ClipPointer& clip) { return clip->name == name; }); ++n)
    name = fmt::format("{} {}", stem, n);
  return name;
}

// A key near the end of the clip is meant to be at the end: playback that loops never is there.
float keyTimeNow(const Document& document, const Clip& clip) {
  const float time = std::clamp(document.settings.time, 0.0f, clip.seconds);
  return time > clip.seconds - kSameKey ? clip.seconds : time;
}

// Which clip is shown after the list has changed: a new one, else the one that was.
std::optional<std::uint32_t> clipAfter(const ClipList& before, const ClipList& after,
                                       std::optional<std::uint32_t> shown) {
  if (after.empty()) return std::nullopt;
  if (after.size() > before.size())
    for (std::uint32_t i = 0; i < after.size(); ++i)
      if (std::ranges::find(before, after[i]) == before.end()) return i;
  if (!shown) return std::nullopt;
  const auto found = std::ranges::find(after, before[*shown]);
  if (found != after.end()) return static_cast<std::uint32_t>(found - after.begin());
  return std::min(*shown, static_cast<std::uint32_t>(after.size() - 1));
}

// Chooses it without the consequences of another choice by the user: the time stays.
void showClip(Document& document, std::optional<std::uint32_t> clip) {
  Settings& settings = document.settings;
  const Model& model = document.workbench.model;
  if (clip)
    settings.clip = clipWord(model, *clip);
  else if (settings.clip != "bind")
    settings.clip = "none";
  const float seconds = clip ? model.clips[*clip].seconds : 0.0f;
  if (settings.rangeStart > seconds || settings.rangeEnd > seconds)
    settings.rangeStart = settings.rangeEnd = 0.0f;
  settings.time = std::min(settings.time, seconds);
  document.applied.settings.clip = settings.clip;
  if (!document.history.now().pose) chooseClip(document.workbench, settings);
}

} // namespace

const ClipList& openedClips(Document& document) {
  std::shared_ptr<const ClipList>& opened = document.opened.clips;
  if (opened) return *opened;
  ClipList list;
  for (const Clip& clip : document.workbench.model.clips)
    list.push_back(std::make_shared<const Clip>(clip));
  opened = std::make_shared<const ClipList>(std::move(list));
  return *opened;
}

std::optional<std::uint32_t> clipOnTimeline(const Document& document) {
  // The workbench has none from the edit of a pose until what has become of that is applied.
  if (document.workbench.clip && !holdsPose(document)) return document.workbench.clip;
  const Model& model = document.workbench.model;
  const std::string& word = document.settings.clip;
  if (word == "none" || word == "bind" || model.clips.empty()) return std::nullopt;
  if (word.empty()) return 0;
  try {
    return findClip(model, word);
  } catch (const Error&) {
    return std::nullopt;
  }
}

std::string keyingProblem(const Document& document) {
  if (!hasModel(document) || document.crowd) return "there is no single model to key";
  if (drafting(document)) return "bind the mesh first, or leave the skeleton";
  if (!clipOnTimeline(document)) return "there is no clip to key: make a new one";
  if (!document.workbench.layerStack.layers.empty())
    return "keys are of the clip alone: remove the layers, or save them and open them later";
  if (document.settings.root != RootMotion::keep)
    return "keys are of the clip as it is: keep its root motion";
  return {};
}

void newClip(Document& document) {
  if (!hasModel(document) || document.crowd || drafting(document))
    return notify(document, "there is no single model to animate");
  ClipList list = listToChange(document);
  Clip clip{freeClipName(list, "clip"), kNewClip, {}};
  Edit& live = document.history.live();
  const Model& model = document.workbench.model;
  if (live.pose) keyDifferences(clip, model, restPose(model), *live.pose, 0.0f);
  live.pose.reset();
  const std::string name = clip.name;
  list.push_back(std::make_shared<const Clip>(std::move(clip)));
  setList(document, std::move(list));
  Settings& settings = document.settings;
  settings.time = settings.rangeStart = settings.rangeEnd = 0.0f;
  settings.playing = false;
  document.autoKey = true;
  document.history.commit(fmt::format("New clip {}", name));
  notify(document, fmt::format("{}: pose joints, go on in time, pose again; each edit is a key "
                               "(automatic keys)",
                               name));
}

void duplicateClip(Document& document) {
  const auto shown = clipOnTimeline(document);
  if (!shown || document.crowd || drafting(document))
    return notify(document, "there is no clip to duplicate");
  ClipList list = listToChange(document);
  Clip clip = *list[*shown];
  clip.name = freeClipName(list, clip.name.empty() ? "clip" : clip.name);
  const std::string what = fmt::format("Duplicate as {}", clip.name);
  list.push_back(std::make_shared<const Clip>(std::move(clip)));
  setList(document, std::move(list));
  document.history.commit(what);
}

void addClips(Document& document, std::vector<Clip> clips) {
  if (clips.empty()) return notify(document, "there are no clips in these files");
  ClipList list = listToChange(document);
  const std::string what = clips.size() == 1 ? fmt::format("Add clip {}", clips.front().name)
                                             : fmt::format("Add {} clips", clips.size());
  for (Clip& clip : clips)
    list.push_back(std::make_shared<const Clip>(std::move(clip)));
  setList(document, std::move(list));
  document.history.commit(what);
  notify(document, what);
}

std::string keepRecordedClip(Document& document, Clip clip) {
  applyClips(document);
  openedClips(document); // before they are changed
  ClipList list = listToChange(document);
  clip.name = freeClipName(list, clip.name);
  std::string name = clip.name;
  document.workbench.model.clips.push_back(clip);
  list.push_back(std::make_shared<const Clip>(std::move(clip)));
  setList(document, std::move(list));
  document.applied.edit.clips = document.history.now().clips;
  ++document.revisions.clips;
  document.history.commit(fmt::format("Record clip {}", name));
  return name;
}

void removeClip(Document& document) {
  const auto shown = clipOnTimeline(document);
  if (!shown || document.crowd || drafting(document))
    return notify(document, "there is no clip to remove");
  ClipList list = listToChange(document);
  const std::string what = fmt::format("Remove clip {}", list[*shown]->name);
  list.erase(list.begin() + *shown);
  setList(document, std::move(list));
  document.history.commit(what);
}

void renameClip(Document& document, const std::string& name) {
  const auto shown = clipOnTimeline(document);
  if (!shown || name.empty()) return;
  const std::string before = listToChange(document)[*shown]->name;
  changeClip(document, [&](Clip& clip) { clip.name = name; });
  document.history.commit(fmt::format("Rename clip {}", before));
}

void setClipLength(Document& document, float seconds) {
  changeClip(document, [&](Clip& clip) {
    const std::vector<float> keys = keyTimes(clip);
    clip.seconds = std::max(seconds, keys.empty() ? 0.01f : keys.back());
  });
}

bool keyEditedPose(Document& document) {
  std::optional<Pose>& pose = document.history.live().pose;
  const auto index = clipOnTimeline(document);
  if (!pose || !index || !keyingProblem(document).empty()) return false;
  const Model& model = document.workbench.model;
  changeClip(document, [&](Clip& clip) {
    const float time = keyTimeNow(document, clip);
    const Pose shown = sample(model, clip, time);
    keyDifferences(clip, model, shown, *pose, time);
  });
  pose.reset();
  return true;
}

void setKeysHere(Document& document) {
  if (const std::string problem = keyingProblem(document); !problem.empty())
    return notify(document, problem);
  if (document.history.now().pose) {
    keyEditedPose(document);
    return document.history.commit(fmt::format("Set keys at {:.3f} s", document.settings.time));
  }
  if (!document.selected) return notify(document, "select the joint to key, or edit the pose");
  document.settings.playing = false;
  const Model& model = document.workbench.model;
  const std::uint32_t node = *document.selected;
  changeClip(document, [&](Clip& clip) {
    const float time = keyTimeNow(document, clip);
    keyNode(clip, model, sample(model, clip, time), node, time);
  });
  document.history.commit(fmt::format("Set a key of {}", nodeName(document, node)));
}

void removeKeysHere(Document& document) {
  if (const std::string problem = keyingProblem(document); !problem.empty())
    return notify(document, problem);
  bool any = false;
  changeClip(document, [&](Clip& clip) {
    any = removeKeys(clip, document.selected, keyTimeNow(document, clip));
  });
  if (!any) {
    document.history.drop();
    return notify(document, "there is no key at this time: < and > go to one");
  }
  document.history.commit(
      document.selected ? fmt::format("Remove a key of {}", nodeName(document, *document.selected))
                        : fmt::format("Remove the keys at {:.3f} s", document.settings.time));
}

void setInterpolation(Document& document, std::optional<ChannelPart> part,
                      Interpolation interpolation) {
  if (!document.selected) return;
  const std::uint32_t node = *document.selected;
  changeClip(document, [&](Clip& clip) { setInterpolation(clip, node, part, interpolation); });
  document.history.commit(fmt::format("Interpolation of {}", nodeName(document, node)));
}

KeyGrip gripKey(const Document& document, float time, const vec3& value, std::optional<int> axis) {
  return {time, time, value, axis, document.history.now().clips, document.discards};
}

bool dragKey(Document& document, KeyGrip& grip, ChannelPart part, float time, float value) {
  if (grip.discards != document.discards || !keyingProblem(document).empty()) return false;
  document.settings.playing = false;
  document.history.live().clips = grip.base;
  const Model& model = document.workbench.model;
  const auto node = document.selected;
  changeClip(document, [&](Clip& clip) {
    grip.now = std::clamp(time, 0.0f, clip.seconds);
    if (!grip.axis) {
      moveKeys(clip, node, grip.time, grip.now);
      return;
    }
    vec3 moved = grip.value;
    moved[*grip.axis] = value;
    movePartKey(clip, *node, part, grip.time, grip.now);
    setKeyValue(clip, model, *node, part, grip.now, moved);
  });
  return true;
}

void removePartKeyAt(Document& document, ChannelPart part, float time) {
  if (!document.selected || !keyingProblem(document).empty()) return;
  const std::uint32_t node = *document.selected;
  changeClip(document, [&](Clip& clip) { removePartKey(clip, node, part, time); });
  document.history.commit(fmt::format("Remove a key of {}", nodeName(document, node)));
}

void changeClip(Document& document, const std::function<void(Clip&)>& change) {
  const auto index = clipOnTimeline(document);
  if (!index) return;
  ClipList list = listToChange(document);
  auto changed = std::make_shared<Clip>(*list[*index]);
  change(*changed);
  list[*index] = std::move(changed);
  setList(document, std::move(list));
}

void applyClips(Document& document) {
  const auto& now = document.history.now().clips;
  const auto was = document.applied.edit.clips;
  if (now == was) return;
  const ClipList& opened = openedClips(document); // before they are changed
  const ClipList& before = was ? *was : opened;
  const ClipList& after = now ? *now : opened;
  const auto shown = clipAfter(before, after, clipOnTimeline(document));
  std::vector<Clip>& clips = document.workbench.model.clips;
  clips.resize(after.size());
  for (std::size_t i = 0; i < after.size(); ++i)
    if (i >= before.size() || before[i] != after[i]) clips[i] = *after[i];
  showClip(document, shown);
  document.applied.edit.clips = now;
  ++document.revisions.clips;
  document.stale = true;
}

} // namespace sinew
