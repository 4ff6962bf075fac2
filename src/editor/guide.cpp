#include "editor/guide.h"

#include "app/clip_bounds.h"
#include "editor/apply.h"
#include "editor/document/framing.h"
#include "editor/session.h"
#include "skinning/methods.h"

#include <algorithm>
#include <array>
#include <utility>

namespace sinew {
namespace {

constexpr const char* kClip = "stretch"; // a clip of the built-in character
constexpr std::string_view kElbow = "LeftLowerArm";

constexpr std::array<Remark, 2> kBendRemarks{{{"lbs", "collapses"}, {"arc-spline", "stays round"}}};
constexpr std::array<Remark, 2> kTwistRemarks{
    {{"lbs", "shrinks to a candy wrapper"}, {"bones-blending", "keeps its thickness"}}};

// The arms are stretched out, the forearm turns, then the elbow bends (demo/humanoid_clips.cpp). At
// both ends the pose is nearly the same.
constexpr float kBegin = 1.4f;
constexpr float kTwist = 2.25f;
constexpr float kTwistEnd = 2.4f;
constexpr float kBendBegin = 3.1f;
constexpr float kBend = 3.75f;
constexpr float kEnd = 4.4f;
constexpr float kAbove = 65.0f; // degrees: from there the bent elbow is seen

constexpr Scene kFirst{.title = "",
                       .text = "",
                       .methods = "lbs,arc-spline",
                       .begin = kBegin,
                       .end = kEnd,
                       .time = kTwist,
                       .joint = kElbow,
                       .remarks = kBendRemarks};

constexpr std::array<Scene, 6> kTour{{
    {.title = "The candy wrapper",
     .text = "Linear blending averages the matrices of two bones. Where the forearm turns against "
             "the upper arm, that average is thinner than either: the elbow shrinks.",
     .methods = "lbs",
     .begin = kBegin,
     .end = kTwistEnd,
     .time = kTwist,
     .pingPong = true,
     .joint = kElbow,
     .remarks = kTwistRemarks},
    {.title = "Bones blending",
     .text = "Bones blending (Kavan and Zara 2003) interpolates the rotation in place of the "
             "matrices. The weights are the same, and the elbow keeps its thickness.",
     .methods = "lbs,bones-blending",
     .begin = kBegin,
     .end = kTwistEnd,
     .time = kTwist,
     .pingPong = true,
     .joint = kElbow,
     .remarks = kTwistRemarks},
    {.title = "Arc-splines",
     .text = "Arc-splines (Forstmann and Ohya 2006) bend the skin along a curve through the joint. "
             "The bent elbow stays round, where linear blending folds it in.",
     .methods = "lbs,arc-spline",
     .begin = kBendBegin,
     .end = kBend,
     .time = kBend,
     .pingPong = true,
     .joint = kElbow,
     .pitch = kAbove,
     .remarks = kBendRemarks},
    {.title = "The difference",
     .text = "Colours tell how far each vertex is from where linear blending puts it; the scale is "
             "at the top. D turns them on and off, and the list beside it chooses another method.",
     .methods = "bones-blending,arc-spline",
     .begin = kBegin,
     .end = kEnd,
     .time = kTwist,
     .joint = kElbow,
     .difference = true},
    {.title = "The bend range",
     .text = "Rings about the bone show where the bend begins and where it is complete. Drag one "
             "along the bone, or its slider at the right: the skin between them bends.",
     .methods = "arc-spline:parameter-source=zone",
     .begin = kBendBegin,
     .end = kEnd,
     .time = kBend,
     .playing = false,
     .joint = kElbow,
     .pitch = kAbove,
     .bendRange = true},
    {.title = "Take it away",
     .text = "Record below makes a film of the views. The File menu writes a report with "
             "measurements, and the model as .glb. Now drop a character of your own here.",
     .methods = "lbs,arc-spline",
     .remarks = kBendRemarks},
}};

} // namespace

const Scene& firstScene() {
  return kFirst;
}

std::span<const Scene> tourScenes() {
  return kTour;
}

void putScene(const Scene& scene, Settings& settings) {
  settings.methods = parseMethods(scene.methods);
  settings.difference.reset();
  if (scene.difference) settings.difference = MethodChoice{&findMethod("lbs")};
  settings.clip = kClip;
  settings.rangeStart = scene.begin;
  settings.rangeEnd = scene.end;
  settings.time = scene.time;
  settings.playing = scene.playing;
  settings.speed = 1.0f;
  settings.yaw = scene.yaw;
  settings.pitch = scene.pitch;
  settings.turntable = false;
}

void showScene(Session& session, const Scene& scene) {
  const auto want = [&scene](Session& s) { s.guide.wanted = &scene; };
  if (session.document.loaded.model == kFirstModel && !session.document.crowd) return want(session);
  confirmDiscard(session, "Open the built-in character", [want](Session& s) {
    openModel(s, {{.model = kFirstModel}});
    want(s);
  });
}

void advanceGuide(Session& session) {
  Document& document = session.document;
  Guide& guide = session.guide;
  if (guide.wanted == nullptr || session.imports.importing || !hasModel(document)) return;
  const Scene& scene = *guide.wanted;
  endGuide(session);
  if (document.loaded.model != kFirstModel || document.crowd || drafting(document)) return;
  guide.scene = &scene;
  guide.loop = document.settings.loop;
  guide.pingPong = document.settings.pingPong;
  if (ragdollActive(session.play)) endRagdoll(document, session.play);
  releasePose(document);
  putScene(scene, document.settings);
  document.settings.loop = true;
  document.settings.pingPong = scene.pingPong;
  document.sideModels.clear();
  document.views = {};
  document.heatMap = false;
  document.tool = Tool::rotate;
  document.selected.reset();
  document.notices.topic = Topic::look;
  applySettings(session);
  document.workbench.memory = {}; // at once, without a cross-fade from the clip before
  document.clock = {static_cast<double>(scene.time), scene.time};
  evaluate(document.workbench, static_cast<double>(scene.time), getWrap(document.settings));
  frameModel(document);
  const auto joint = findNode(document.workbench.model.hierarchy, scene.joint);
  if (scene.joint.empty() || !joint) return;
  const Bounds box = jointOverClip(document.workbench, getWrap(document.settings), *joint,
                                   document.orbit.framed.size());
  closeUp(document.settings, document.orbit, box.center(), 0.42f * box.size());
  if (!scene.bendRange) return;
  document.selected = joint;
  document.notices.topic = Topic::bendRange;
}

void endGuide(Session& session) {
  const Guide guide = std::exchange(session.guide, {});
  if (guide.scene == nullptr) return;
  session.document.settings.loop = guide.loop;
  session.document.settings.pingPong = guide.pingPong;
}

std::string_view remarkOn(const Session& session, std::size_t view) {
  const Document& document = session.document;
  const Scene* scene = session.guide.scene;
  if (scene == nullptr || document.settings.clip != kClip ||
      view >= document.settings.methods.size())
    return {};
  const std::string_view method = document.settings.methods[view].method->name;
  const auto found = std::ranges::find(scene->remarks, method, &Remark::method);
  return found != scene->remarks.end() ? found->words : std::string_view();
}

bool tourKey(Session& session, std::string_view chord) {
  const std::size_t step = tourStep(session);
  const std::span<const Scene> scenes = tourScenes();
  if (step == 0) return false;
  if (chord == "Escape" || (chord == "Enter" && step == scenes.size()))
    endGuide(session);
  else if ((chord == "Enter" || chord == "Right") && step < scenes.size())
    showScene(session, scenes[step]);
  else if (chord == "Left" && step > 1)
    showScene(session, scenes[step - 2]);
  else
    return false;
  return true;
}

std::size_t tourStep(const Session& session) {
  for (std::size_t i = 0; i < kTour.size(); ++i)
    if (session.guide.scene == &kTour[i]) return i + 1;
  return 0;
}

} // namespace sinew
