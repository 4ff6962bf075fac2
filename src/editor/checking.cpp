#include "editor/checking.h"

#include "check/fault_view.h"
#include "check/weight_repair.h"
#include "editor/apply.h"
#include "editor/document/clip_time.h"
#include "editor/document/framing.h"
#include "editor/paint/painting.h"
#include "editor/ragdoll/ragdoll_play.h"
#include "editor/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sinew {
namespace {

constexpr float kAround = 1.6f; // what is seen of a joint's surroundings, beyond a close-up of it

// What a thread needs to make the workbench of the document again, by linear blending.
struct CheckedModel {
  Model model;
  Zones zones;
  ModelDrivers drivers;

  Workbench workbench() const {
    Settings settings;
    settings.methods = {{&findMethod("lbs")}};
    settings.clip = "bind";
    return makeWorkbench(model, settings, zones, {}, drivers);
  }
};

CheckedModel checkedModel(const Document& document) {
  return {paintedModel(document), document.workbench.zones, document.workbench.drivers};
}

const JointFault& faultAt(const Session& session, std::size_t index) {
  return session.check.last->joints[index];
}

void forgetRepairs(CheckState& check) {
  check.repairJob->cancel();
  check.repairs.clear();
  check.pointedAt.reset();
  check.chosen.reset();
}

// Whether what the check is about has changed since. A preview alone is no change.
bool outdated(const Session& session) {
  if (const auto& preview = session.check.preview) {
    const History<Edit>& history = session.document.history;
    return !history.previewing() || !(history.now() == preview->edit);
  }
  return session.check.revision != session.document.revisions.weights ||
         session.check.drivers != session.document.history.now().drivers;
}

// Automatic checks leave demos alone, which have a screen of their own, and whatever nobody sees.
bool checksByItself(const Session& session) {
  const Document& document = session.document;
  const CheckState& check = session.check;
  if (!checkProblem(document).empty() || session.imports.importing) return false;
  const bool repaired = check.repairedModel == document.loaded.model && outdated(session);
  const bool shown = !session.options.unattended && !document.loaded.model.starts_with("demo:") &&
                     check.modelChecked != document.revisions.model;
  return repaired || shown;
}

// Lists the repairs of the joint again that was chosen before the model changed.
void chooseAgain(Session& session) {
  CheckState& check = session.check;
  if (check.repairedModel != session.document.loaded.model) return;
  const auto& joints = check.last->joints;
  const auto same = std::ranges::find(joints, check.repairedJoint, &JointFault::name);
  if (same != joints.end()) startRepairs(session, static_cast<std::size_t>(same - joints.begin()));
}

void twoViews(Document& document, const MethodChoice& left, const MethodChoice& right) {
  Settings& settings = document.settings;
  settings.methods = {left};
  if (!(left == right)) settings.methods.push_back(right);
  settings.difference.reset();
  document.views = {.active = settings.methods.size() - 1, .alone = false, .divider = 0.5f};
}

void putRepair(const JointFault& fault, const JointRepair& repair, Edit& edit) {
  if (!repair.zone.empty()) edit.zones[fault.name] = repair.zone;
  if (repair.weights) edit.weights.bones = PaintedWeights(*repair.weights);
  if (repair.drivers) edit.drivers = repair.drivers;
}

// Linear blending and the repaired character.
void viewRepair(Document& document, const JointRepair& repair) {
  const MethodChoice linear{&findMethod("lbs")}, perJoint{&findMethod("per-joint")};
  if (!repair.zone.empty())
    twoViews(document, linear, perJoint);
  else if (repair.drivers)
    twoViews(document, linear, linear); // on another method the shape would correct twice
  else
    document.views.active = 0; // linear blending itself is repaired
}

// Looks from the side that shows most of the difference between the two views.
void lookAtFault(Document& document, const SkinRegion& region) {
  const Workbench& workbench = document.workbench;
  const std::vector<vec3> wrong = skinOnCpu(workbench, workbench.bound.front()).positions;
  const std::vector<vec3> right = skinOnCpu(workbench, workbench.bound.back()).positions;
  const ViewAngles view = viewOfFault(wrong, right, workbench.rig.triangles, region.vertices);
  document.settings.yaw = view.yaw;
  document.settings.pitch = view.pitch;
}

} // namespace

std::string checkProblem(const Document& document) {
  if (!hasModel(document) || document.crowd) return "there is no single model";
  if (drafting(document)) return "bind the mesh first, or leave the skeleton";
  if (document.workbench.model.skins.empty() || document.workbench.rig.triangles.empty())
    return "the model has no skin to check";
  return {};
}

void startChecking(Session& session) {
  const Document& document = session.document;
  CheckState& check = session.check;
  if (!checkProblem(document).empty()) return;
  endPreview(session);
  forgetRepairs(check);
  check.last.reset();
  check.automatic.reset();
  check.problem.clear();
  check.lineClosed = false;
  check.revision = document.revisions.weights;
  check.drivers = document.history.now().drivers;
  check.modelChecked = document.revisions.model;
  check.job->start(document.workbench.model.name,
                   [model = checkedModel(document)](const Progress& progress) {
                     CheckOptions options;
                     options.progress = progress;
                     return std::make_shared<const Check>(checkModel(model.workbench(), options));
                   });
}

bool pollChecking(Session& session, double now) {
  CheckState& check = session.check;
  const Document& document = session.document;
  const bool previewed = check.preview.has_value();
  if (check.pointedAt)
    previewRepair(session, *check.pointedAt);
  else
    endPreview(session);
  bool changed = previewed != check.preview.has_value();
  const auto& drivers = document.history.now().drivers;
  if (check.seen != document.revisions.weights || check.seenDrivers != drivers) {
    check.seen = document.revisions.weights;
    check.seenDrivers = drivers;
    check.seenAt = now;
  }
  if (outdated(session) && (check.job->running() || check.last)) {
    if (check.last && check.chosen) check.repairedJoint = check.last->joints[*check.chosen].name;
    check.job->cancel();
    check.last.reset();
    check.automatic.reset();
    forgetRepairs(check);
    changed = true;
  }
  if (checksByItself(session) && now - check.seenAt >= kCheckDelay) startChecking(session);
  if (auto result = check.job->take()) {
    changed = true;
    if (auto* done = std::get_if<std::shared_ptr<const Check>>(&*result)) {
      check.last = std::move(*done);
      chooseAgain(session);
    } else
      check.problem = std::get<TaskFailure>(*result).message;
  }
  if (auto result = check.repairJob->take()) {
    changed = true;
    if (auto* done = std::get_if<MeasuredRepairs>(&*result)) {
      check.repairs = std::move(done->repairs);
      check.automatic = std::move(done->automatic);
    } else
      check.problem = std::get<TaskFailure>(*result).message;
  }
  return changed;
}

std::shared_ptr<const Check> currentCheck(const Session& session) {
  return outdated(session) ? nullptr : session.check.last;
}

std::string checkLine(const Session& session) {
  const std::shared_ptr<const Check> check = currentCheck(session);
  if (!check || session.check.lineClosed || check->joints.empty()) return {};
  if (faultCount(*check) == 0) return unbrokenText(session.document.workbench.model, *check);
  return describeFault(session.document.workbench.model, check->joints.front());
}

void showFault(Session& session, std::size_t index) {
  Document& document = session.document;
  if (!currentCheck(session) || index >= session.check.last->joints.size()) return;
  const JointFault& fault = faultAt(session, index);
  const CheckMoment& moment = fault.moments.front();
  endGuide(session);
  if (ragdollActive(session.play)) endRagdoll(document, session.play);
  releasePose(document);
  const Method* best = fault.best ? fault.methods[*fault.best].method : &findMethod("lbs");
  twoViews(document, {&findMethod("lbs")}, {best});
  document.settings.skeleton = false; // bones would cover the skin
  document.heatMap = false;
  document.tool = Tool::rotate;
  document.settings.playing = false;
  if (moment.clip) {
    setClip(document, clipWord(document.workbench.model, *moment.clip));
    document.settings.time = static_cast<float>(moment.at);
  } else {
    document.history.live().pose = moment.pose;
    commitEdit(document, "show the joint bent");
  }
  applySettings(session);
  document.workbench.memory = {}; // at once, without a cross-fade
  document.clock = {static_cast<double>(document.settings.time), document.settings.time};
  if (moment.clip)
    evaluate(document.workbench, moment.at, getWrap(document.settings));
  else
    holdPose(document.workbench, moment.pose);
  frameModel(document);
  document.selected = fault.node;
  frameJoint(document);
  document.settings.distance = std::min(kAround * document.settings.distance, 1.0f);
  if (moment.clip)
    document.orbit.joint = {fault.node, nodeName(document, fault.node),
                            vec3(document.workbench.modelFromNode[fault.node][3])};
  lookAtFault(document, session.check.last->analysis.regions[fault.region]);
  document.selected.reset();
  document.stale = true;
  startRepairs(session, index);
}

void startRepairs(Session& session, std::size_t index) {
  CheckState& check = session.check;
  endPreview(session);
  if (!currentCheck(session)) return;
  forgetRepairs(check);
  check.chosen = index;
  check.repairJob->start(
      faultAt(session, index).name, [model = checkedModel(session.document), done = check.last,
                                     index, automatic = check.automatic](const Progress& progress) {
        const Workbench workbench = model.workbench();
        MeasuredRepairs measured;
        measured.automatic = automatic ? automatic : makeAutomaticWeights(workbench, progress);
        measured.repairs = tryRepairs(workbench, *done, done->joints[index], 0.0,
                                      measured.automatic.get(), progress);
        return measured;
      });
}

bool isApplied(const Document& document, const JointFault& fault, const JointRepair& repair) {
  const ZoneTable& zones = document.history.now().zones;
  const auto zone = zones.find(fault.name);
  return !repair.zone.empty() && zone != zones.end() && zone->second == repair.zone;
}

void endPreview(Session& session) {
  CheckState& check = session.check;
  Document& document = session.document;
  if (!check.preview) return;
  const bool unchanged = !outdated(session);
  document.history.endPreview();
  if (document.settings.methods == check.preview->shown) {
    document.settings.methods = check.preview->methods;
    document.views = check.preview->views;
  }
  applySettings(session);
  check.preview.reset();
  if (unchanged) check.revision = check.seen = document.revisions.weights; // still checked
}

void previewRepair(Session& session, std::size_t repair) {
  CheckState& check = session.check;
  Document& document = session.document;
  if (check.preview && check.preview->repair == repair && !outdated(session)) return;
  endPreview(session);
  if (!check.chosen || repair >= check.repairs.size() || outdated(session)) return;
  Edit edit = document.history.now();
  check.preview = {repair, edit, document.settings.methods, document.views, {}};
  putRepair(faultAt(session, *check.chosen), check.repairs[repair], edit);
  document.history.preview(std::move(edit));
  viewRepair(document, check.repairs[repair]);
  check.preview->shown = document.settings.methods;
}

void applyRepair(Session& session, const JointRepair& repair) {
  Document& document = session.document;
  endPreview(session);
  if (!currentCheck(session) || !session.check.chosen) return;
  session.check.repairedModel = document.loaded.model;
  const std::shared_ptr<const Check> check = session.check.last;
  const JointFault& fault = check->joints[*session.check.chosen];
  putRepair(fault, repair, document.history.live());
  viewRepair(document, repair);
  commitEdit(document, fmt::format("{}: {}", fault.phrase, repair.text));
  notify(document, fmt::format("applied to {}: {}; Ctrl+Z undoes it", fault.phrase, repair.text));
}

} // namespace sinew
