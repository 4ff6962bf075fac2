#include "editor/work_kinds.h"

#include "animation/drivers/driver_edit.h"
#include "animation/layers/layer_stack.h"
#include "app/sidecar.h"
#include "app/subdivision.h"
#include "core/base64.h"
#include "core/error.h"
#include "core/file.h"
#include "editor/bind/draft.h"
#include "editor/bind/laid_splines.h"
#include "editor/paint/velocity_paint.h"
#include "editor/pose/driving.h"
#include "editor/pose/editing.h"
#include "editor/ragdoll/ragdoll_files.h"
#include "editor/save_as.h"
#include "editor/session.h"
#include "editor/tasks/run_program.h"
#include "export/glb.h"
#include "export/gltf_patch.h"
#include "import/import_model.h"
#include "physics/ragdoll_config.h"
#include "weights/spline_set_file.h"
#include "weights/weights_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

namespace sinew {
namespace {

const Edit& getEdit(const Session& s) {
  return s.document.history.now();
}
const Model& getModel(const Session& s) {
  return s.document.workbench.model;
}
const char* when(bool so, const char* words) {
  return so ? words : nullptr;
}

// Painted weights of splines are in the file of the laid splines, if any are laid.
bool splinePaintDiffers(const Session& s, bool laid) {
  const Edit &now = getEdit(s), &saved = s.document.saved;
  return (now.splines || saved.splines) == laid && now.weights.splines != saved.weights.splines;
}
bool splinesDiffer(const Session& s) {
  return getEdit(s).splines != s.document.saved.splines || splinePaintDiffers(s, true);
}
bool weightsDiffer(const Session& s) {
  return getEdit(s).weights.bones != s.document.saved.weights.bones || splinePaintDiffers(s, false);
}
// False for another model than the opened one: its .glb holds its splines and weights.
bool isOpened(const Session& s) {
  return !getEdit(s).draft && !getEdit(s).model;
}

// The shown model, or the one that a skeleton returns to, if it was made here; else null.
const std::shared_ptr<const Model>& madeModel(const Document& document) {
  const Edit& now = document.history.now();
  return now.draft ? now.draft->before : now.model;
}
// What the files beside the model hold.
const Edit& savedBeside(const Session& s) {
  static const Edit kNothing;
  const auto& model = madeModel(s.document);
  if (!model) return s.document.saved;
  return model == s.document.made.model ? s.document.made.beside : kNothing;
}
// The same, to be changed after such a file was written.
Edit& markBeside(Session& s) {
  const auto& model = madeModel(s.document);
  if (!model) return s.document.saved;
  if (model != s.document.made.model) s.document.made = {model, {}, {}};
  return s.document.made.beside;
}

// Reads a model from a recovery file.
void readModel(Session& s, const WorkFile& file) {
  const auto bytes = fromBase64(file.text);
  if (!bytes) throw inputError("the unsaved model", "is not readable");
  const ScratchFolder scratch;
  const std::filesystem::path path = scratch.path() / "unsaved.glb";
  writeFile(path, *bytes);
  Model model = importModel(path);
  model.name = getModel(s).name;
  model.path = getModel(s).path;
  Edit& live = s.document.history.live();
  live.model = std::make_shared<const Model>(std::move(model));
  live.splines = nullptr; // the model has them
  s.document.wasBound = true;
}

WorkKind modelKind() {
  WorkKind kind{SaveKind::model, "model", "Model", "mesh, skeleton, weights, clips and textures",
                ".glb"};
  kind.unsaved = [](const Session& s) {
    const Edit &now = getEdit(s), &saved = s.document.saved;
    const bool bound = now.model != saved.model || weightsDiffer(s) || splinesDiffer(s);
    if (now.model && bound && !now.draft) return "the bound skin, as .glb";
    return when(!now.draft && now.clips != saved.clips, "the changed clips, as .glb");
  };
  kind.unwritable = [](const Session& s) {
    return when(drafting(s.document), "bind the mesh first: it has no weights to save yet");
  };
  kind.write = [](const Session& s, Writing& how) {
    Model model = paintedModel(s.document);
    if (how.recovery) return base64(toGlb(model));
    bakeDrivers(model, s.document.workbench.preparedDrivers);
    GlbFile file = writeGlb(model);
    if (!file.notes.empty()) how.note = fmt::format("; left out: {}", fmt::join(file.notes, ", "));
    return std::move(file.bytes);
  };
  kind.markSaved = [](Session& s, const std::string& path) {
    const Edit& now = getEdit(s);
    Edit& saved = s.document.saved;
    saved.model = now.model;
    saved.weights.bones = now.weights.bones;
    saved.weights.splines = now.weights.splines;
    saved.splines = now.splines;
    saved.clips = now.clips;
    SavedModel& made = s.document.made;
    if (now.model) made = {now.model, path, path == made.path ? made.beside : Edit()};
  };
  kind.read = readModel;
  kind.fits = [](const Edit& edit, const Model& model, const Rig&) {
    const auto node = [&](const auto& c) { return c.node < model.hierarchy.nodes.size(); };
    const auto target = [&](const auto& c) { return c.target < model.morphTargets.size(); };
    return !edit.clips || std::ranges::all_of(*edit.clips, [&](const auto& clip) {
      return std::ranges::all_of(clip->channels, node) && std::ranges::all_of(clip->twists, node) &&
             std::ranges::all_of(clip->morphs, target);
    });
  };
  return kind;
}

WorkKind splinesKind() {
  WorkKind kind{SaveKind::splines, "splines", "Free splines"};
  kind.sidecar = &kSplinesSidecar;
  kind.inModel = true;
  kind.unsaved = [](const Session& s) {
    return when(isOpened(s) && splinesDiffer(s), "the free splines");
  };
  kind.missing = [](const Session& s) {
    return when(getModel(s).splines.empty(), "the model has no free splines");
  };
  kind.unwritable = [](const Session& s) {
    return when(getEdit(s).model != nullptr,
                "these splines are on joints the file does not have: save the model (Ctrl+E)");
  };
  kind.write = [](const Session& s, Writing&) {
    return splinesToJson(bareModel(s.document, s.bind), laidSet(s.document, s.bind));
  };
  kind.markSaved = [](Session& s, const std::string& path) {
    s.document.saved.splines = getEdit(s).splines;
    s.document.saved.weights.splines = getEdit(s).weights.splines;
    s.document.workbench.splines.path = path;
  };
  kind.read = [](Session& s, const WorkFile& file) {
    SplineSet set = splinesFromJson(bareModel(s.document, s.bind), file.text, file.path);
    if (!laySplines(s.document, s.bind, std::move(set), file.step))
      throw inputError(file.path, "the model cannot have these free splines");
  };
  return kind;
}

void readWeightsFile(Session& s, const WorkFile& file) {
  Model model = getModel(s);
  weightsFromJson(model, file.text, file.path);
  const Rig rig = buildRig(model);
  if (rig.joints.size() != s.document.workbench.rig.joints.size())
    throw inputError(file.path, "the weights are of joints that the model's skins do not have");
  Edit& live = s.document.history.live();
  live.weights.bones = PaintedWeights(rig.influences);
  if (live.splines) return; // their weights are in the file of the splines
  live.weights.splines =
      rig.splines.empty() ? PaintedWeights() : PaintedWeights(rig.splineInfluences);
}

WorkKind weightsKind() {
  WorkKind kind{SaveKind::weights, "weights", "Weights"};
  kind.sidecar = &kWeightsSidecar;
  kind.inModel = true;
  kind.unsaved = [](const Session& s) {
    return when(isOpened(s) && weightsDiffer(s), "the painted weights");
  };
  kind.unwritable = [](const Session& s) {
    return when(getEdit(s).model || insertedVertexCount(getModel(s)) > 0,
                "these weights are for joints or vertices the file does not have: save the model "
                "(Ctrl+E)");
  };
  kind.write = [](const Session& s, Writing&) {
    return weightsToJson(paintedModel(s.document),
                         getEdit(s).splines ? SplineWeights::elsewhere : SplineWeights::here);
  };
  kind.markSaved = [](Session& s, const std::string&) {
    Edit& saved = s.document.saved;
    saved.weights.bones = getEdit(s).weights.bones;
    if (!getEdit(s).splines) saved.weights.splines = getEdit(s).weights.splines;
  };
  kind.read = readWeightsFile;
  kind.fits = [](const Edit& edit, const Model&, const Rig& rig) {
    return fitsRig(edit.weights, rig);
  };
  return kind;
}

WorkKind zonesKind() {
  WorkKind kind{SaveKind::bendRanges, "zones", "Bend ranges"};
  kind.sidecar = &kZonesSidecar;
  // Zones are saved over those the model was read with, so whatever differs from the file is
  // unsaved, also that there are none any more.
  kind.unsaved = [](const Session& s) {
    return when(getZones(getEdit(s)) != savedBeside(s).zones, "the bend ranges");
  };
  kind.beside = [](const Session& s) { return !getEdit(s).zones.empty(); };
  kind.write = [](const Session& s, Writing&) { return zonesToJson(getZones(getEdit(s))); };
  kind.markSaved = [](Session& s, const std::string& path) {
    markBeside(s).zones = getZones(getEdit(s));
    s.document.workbench.zones.path = path;
  };
  kind.read = [](Session& s, const WorkFile& file) {
    s.document.history.live().zones = readZoneTable(getModel(s), file.text, file.path);
  };
  kind.fits = [](const Edit& edit, const Model& model, const Rig&) {
    return std::ranges::all_of(edit.zones, [&](const auto& zone) {
      return findNode(model.hierarchy, zone.first).has_value();
    });
  };
  return kind;
}

WorkKind layersKind() {
  WorkKind kind{SaveKind::layers, "layers", "Layers", "for --layers"};
  kind.suffix = "-layers";
  kind.topic = Topic::layers;
  // Layers are saved to a file of their own: what the model was read with stays in its file.
  kind.unsaved = [](const Session& s) {
    const Edit& now = getEdit(s);
    const LayerStack& layers = getLayers(now);
    const bool wanted = !now.model || now.draft || !now.layerStack.layers.empty();
    const bool inFile =
        layers == s.document.saved.layerStack || layers == s.document.opened.edit.layerStack;
    return when(wanted && !inFile, "the layers");
  };
  kind.missing = [](const Session& s) {
    return when(getLayers(getEdit(s)).layers.empty(), "there are no layers");
  };
  kind.write = [](const Session& s, Writing&) { return layerStackToJson(getLayers(getEdit(s))); };
  kind.markSaved = [](Session& s, const std::string&) {
    s.document.saved.layerStack = getLayers(getEdit(s));
  };
  kind.read = [](Session& s, const WorkFile& file) {
    s.document.history.live().layerStack = layerStackFromJson(getModel(s), file.text, file.path);
    s.document.layer = 0;
  };
  kind.fits = [](const Edit& edit, const Model& model, const Rig&) {
    return std::ranges::all_of(edit.layerStack.layers, [&](const Layer& layer) {
      return findProblem(model, layer).empty();
    });
  };
  return kind;
}

WorkKind driversKind() {
  WorkKind kind{SaveKind::drivers, "drivers", "Pose drivers"};
  kind.sidecar = &kDriversSidecar;
  kind.unsaved = [](const Session& s) {
    const Edit& now = getEdit(s);
    return when(!now.draft && now.drivers != savedBeside(s).drivers, "the pose drivers");
  };
  kind.beside = [](const Session& s) { return getEdit(s).drivers != nullptr; };
  kind.missing = [](const Session& s) {
    return when(!getEdit(s).drivers, "there are no pose drivers");
  };
  kind.write = [](const Session& s, Writing&) { return driverSetToJson(getDrivers(s.document)); };
  kind.markSaved = [](Session& s, const std::string& path) {
    markBeside(s).drivers = getEdit(s).drivers;
    s.document.workbench.drivers.path = path;
  };
  kind.read = [](Session& s, const WorkFile& file) {
    Model with = getModel(s); // the shapes become its morph targets when the drivers are applied
    changeDrivers(s.document, driverSetFromJson(with, file.text, file.path), file.step);
  };
  return kind;
}

WorkKind poseKind() {
  WorkKind kind{SaveKind::pose, "pose", "Pose", "the shown pose, for --pose"};
  kind.suffix = "-pose";
  kind.unsaved = [](const Session& s) {
    const Edit& now = getEdit(s);
    return when(!now.draft && now.pose && now.pose != s.document.saved.pose, "the edited pose");
  };
  kind.write = [](const Session& s, Writing& how) {
    return poseToJson(getModel(s), how.recovery ? *getEdit(s).pose : s.document.workbench.pose);
  };
  kind.markSaved = [](Session& s, const std::string&) { s.document.saved.pose = getEdit(s).pose; };
  kind.read = [](Session& s, const WorkFile& file) {
    Pose pose = poseFromJson(getModel(s), file.text, file.path);
    editedPose(s.document) = std::move(pose);
  };
  kind.fits = [](const Edit& edit, const Model& model, const Rig&) {
    return !edit.pose || edit.pose->parentFromNode.size() == model.hierarchy.nodes.size();
  };
  return kind;
}

WorkKind motionMapKind() {
  WorkKind kind{SaveKind::motionMap, "motion-map", "Map of joints",
                "of the motion on the model, for --motion-map"};
  kind.suffix = "-motion-map";
  kind.unsaved = [](const Session& s) {
    const ModelRequest& loaded = s.document.loaded;
    return when(loaded.motionMap != loaded.motionMapSaved, "the map of joints");
  };
  kind.unwritable = [](const Session& s) {
    return when(s.document.loaded.motion.empty(), "no motion is on the model");
  };
  kind.write = [](const Session& s, Writing& how) {
    how.note = "; --motion-map reads it";
    return motionMapText(s.document.loaded.motionMap);
  };
  kind.markSaved = [](Session& s, const std::string&) {
    s.document.loaded.motionMapSaved = s.document.loaded.motionMap;
  };
  return kind;
}

WorkKind ragdollKind() {
  WorkKind kind{SaveKind::ragdoll, "ragdoll", "Ragdoll"};
  kind.sidecar = &kRagdollSidecar;
  kind.unsaved = [](const Session& s) { return when(s.play.changed, "the ragdoll's set-up"); };
  kind.beside = [](const Session& s) {
    return s.play.file && (s.play.changed || !s.play.file->path.empty());
  };
  kind.missing = [](const Session& s) {
    return when(!s.play.file && s.play.problem.empty(), "there is no ragdoll yet: Motion, Ragdoll");
  };
  kind.unwritable = [](const Session& s) {
    const std::string& problem = s.play.problem;
    return when(!s.play.file, problem.empty() ? "the ragdoll is being fitted" : problem.c_str());
  };
  kind.write = [](const Session& s, Writing&) { return ragdollToJson(s.play.file->config); };
  kind.markSaved = [](Session& s, const std::string& path) {
    s.play.file->path = path;
    s.play.watch = watchFile(path);
    s.play.changed = false;
  };
  kind.read = [](Session& s, const WorkFile& file) {
    RagdollConfig config = ragdollFromJson(getModel(s), file.text, file.path);
    if (s.play.file) return changeRagdoll(s.document, s.play, std::move(config));
    if (fittingRagdoll(s.play)) s.play.fitting->cancel();
    s.play.file = RagdollFile{std::move(config), {}, false, {}};
    s.play.changed = true;
  };
  return kind;
}

WorkKind programKind(WorkKind kind, void (*save)(Session&, const std::filesystem::path&)) {
  kind.missing = [](const Session& s) {
    if (s.document.workbench.rig.triangles.empty()) return "the model has no mesh";
    return when(reporting(s), "a report or a page is being written");
  };
  kind.save = save;
  return kind;
}

bool velocityDiffers(const Session& s) {
  const Edit &now = getEdit(s), &saved = savedBeside(s);
  return now.weights.strength != saved.weights.strength ||
         now.velocityJoints != saved.velocityJoints;
}

// The map of velocity skinning: what is painted, and the factors of joints.
WorkKind velocityKind() {
  WorkKind kind{SaveKind::velocity, "velocity", "Velocity map"};
  kind.sidecar = &kVelocitySidecar;
  kind.unsaved = [](const Session& s) {
    return when(!getEdit(s).draft && velocityDiffers(s), "the map of velocity skinning");
  };
  kind.beside = [](const Session& s) { return !s.document.workbench.moving.map.empty(); };
  kind.missing = [](const Session& s) {
    return when(s.document.workbench.moving.map.empty(),
                "all skin moves alike by velocity skinning: paint it in Weights, Paint");
  };
  kind.write = [](const Session& s, Writing&) {
    return velocityMapToJson(getModel(s), s.document.workbench.moving.map);
  };
  kind.markSaved = [](Session& s, const std::string& path) {
    Edit& saved = markBeside(s);
    saved.weights.strength = getEdit(s).weights.strength;
    saved.velocityJoints = getEdit(s).velocityJoints;
    s.document.workbench.moving.map.path = path;
  };
  kind.read = [](Session& s, const WorkFile& file) {
    VelocityMap map = velocityMapFromJson(getModel(s), file.text, file.path);
    map.strength.resize(s.document.workbench.rig.positions.size(), 1.0f);
    Edit& live = s.document.history.live();
    live.weights.strength = paintedStrength(map.strength);
    live.velocityJoints = std::make_shared<const VelocityJoints>(std::move(map.joints));
  };
  return kind;
}

WorkKind reportKind() {
  return programKind({SaveKind::report, "report", "Report",
                      "every method measured over the clip that plays, with pictures and plots",
                      ".html", "-report"},
                     startReport);
}

WorkKind pageKind() {
  return programKind({SaveKind::page, "page", "Page",
                      "the views' methods, moving, in any browser: one file without a network",
                      ".html", "-page"},
                     startPage);
}

WorkKind bakedKind() {
  WorkKind kind{SaveKind::baked,
                "baked",
                "Baked model",
                "what Weights, Bake has made: linear blending with helper joints, for any engine",
                ".glb",
                "-baked"};
  kind.missing = [](const Session& s) {
    return when(!s.bake.last, "bake it first: Weights, Bake");
  };
  kind.save = saveBaked;
  return kind;
}

} // namespace

std::span<const WorkKind> workKinds() {
  static const std::array kKinds{modelKind(),   splinesKind(),  weightsKind(), zonesKind(),
                                 layersKind(),  driversKind(),  poseKind(),    motionMapKind(),
                                 ragdollKind(), velocityKind(), reportKind(),  pageKind(),
                                 bakedKind()};
  return kKinds;
}

const WorkKind& workKind(SaveKind kind) {
  return workKinds()[static_cast<std::size_t>(kind)];
}

const char* unwritable(const Session& session, const WorkKind& kind) {
  return kind.unwritable == nullptr ? nullptr : kind.unwritable(session);
}

std::string modelFile(const Document& document) {
  const auto& model = madeModel(document);
  if (!model) return document.loaded.model;
  return model == document.made.model ? document.made.path : std::string();
}

bool fitsEdit(const Workbench& workbench, const Edit& edit) {
  const auto fit = [&](const Model& model, const Rig& rig) {
    return std::ranges::all_of(workKinds(), [&](const WorkKind& kind) {
      return kind.fits == nullptr || kind.fits(edit, model, rig);
    });
  };
  if (!edit.splines && !workbench.splines.set) return fit(workbench.model, workbench.rig);
  Model model = workbench.splines.bare ? *workbench.splines.bare : workbench.model;
  if (edit.splines) {
    if (!findProblem(model, *edit.splines).empty()) return false;
    putSplines(model, *edit.splines);
  }
  return fit(model, buildRig(model));
}

} // namespace sinew
