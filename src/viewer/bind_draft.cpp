// Skeletons chosen and edited before binding: the first half of bind.h.

#include "animation/pose.h"
#include "core/error.h"
#include "viewer/bind.h"
#include "viewer/session.h"
#include "weights/bind_model.h"

#include <fmt/format.h>
#include <glm/matrix.hpp>

#include <algorithm>

namespace sinew {
namespace {

using DraftPointer = std::shared_ptr<const Draft>;

// The draft there is, with another skeleton: it no longer stands as it was read.
void setSkeleton(Viewer& viewer, Skeleton skeleton) {
  auto changed = std::make_shared<Draft>(*draftOf(viewer));
  changed->skeleton = std::move(skeleton);
  changed->source = nullptr;
  viewer.edit.history.live().draft = std::move(changed);
}

std::optional<MirrorPlane> mirrorPlaneOf(const Viewer& viewer) {
  if (!viewer.bind.bothSides) return std::nullopt;
  const int axis = viewer.bind.mirrorAxis;
  MirrorPlane plane{vec3(0.0f), boundsOf(viewer.bench.rig.positions).center()[axis]};
  plane.normal[axis] = 1.0f;
  return plane;
}

const std::string& nameOf(const Viewer& viewer, std::uint32_t node) {
  return viewer.bench.model.hierarchy.nodes[node].name;
}

// The selected joint of the draft that is shown; none while the thread works on it.
std::optional<std::uint32_t> editable(Viewer& viewer) {
  if (!drafting(viewer)) return std::nullopt;
  if (binding(viewer)) {
    toast(viewer, "weights are being made for this skeleton: Escape stops that");
    return std::nullopt;
  }
  const auto& joints = draftOf(viewer)->skeleton.joints;
  if (viewer.selected && std::binary_search(joints.begin(), joints.end(), *viewer.selected))
    return viewer.selected;
  toast(viewer, "select a joint: in the list, or click a bone");
  return std::nullopt;
}

} // namespace

const std::shared_ptr<const Draft>& draftOf(const Viewer& viewer) {
  return viewer.edit.history.now().draft;
}

bool drafting(const Viewer& viewer) {
  return draftOf(viewer) != nullptr;
}

bool bindable(const Viewer& viewer) {
  return hasModel(viewer) && !viewer.crowd && !viewer.bench.rig.triangles.empty();
}

void startDraft(Viewer& viewer, Skeleton skeleton, std::string origin, bool placeable) {
  const Edit& now = viewer.edit.history.now();
  auto draft = std::make_shared<Draft>();
  draft->origin = std::move(origin);
  draft->before = now.draft ? now.draft->before : now.model;
  draft->zones = now.draft ? now.draft->zones : now.zones;
  draft->weights = now.draft ? now.draft->weights : now.weights;
  draft->movement = now.draft ? now.draft->movement : now.movement;
  const Bounds mesh = boundsOf(viewer.bench.rig.positions);
  if (placeable) {
    Bounds joints;
    for (const mat4& joint : skeleton.modelFromJoint)
      joints.include(vec3(joint[3]));
    draft->source = std::make_shared<const Skeleton>(skeleton);
    const float ratio = joints.size() / std::max(mesh.size(), 1e-30f);
    draft->placement.fit = ratio > 2.0f || (ratio > 0.0f && ratio < 0.4f);
    if (draft->placement.fit)
      toast(viewer, fmt::format("the skeleton is {:.2g} times as large as the mesh: fitted into it",
                                ratio));
    placeSkeleton(skeleton, draft->placement, mesh);
  }
  draft->skeleton = withPlainRoot(std::move(skeleton));
  Edit fresh; // pose and zones are of another skeleton
  fresh.model =
      now.draft ? now.model : std::make_shared<const Model>(meshesAlone(viewer.bench.model));
  fresh.draft = draft;
  const std::string what = fmt::format("Skeleton: {}", draft->origin);
  viewer.edit.history.live() = std::move(fresh);
  viewer.edit.everBound = true;
  commitEdit(viewer, what);
  viewer.bind.problem.clear();
  showTab(viewer, SideTab::bind);
}

void draftOwnJoints(Viewer& viewer) {
  if (!bindable(viewer) || binding(viewer)) return;
  try {
    startDraft(viewer, skeletonOf(viewer.bench.model), "the model's own joints", false);
  } catch (const Error& problem) {
    viewer.bind.problem = problem.what();
  }
}

void draftByHand(Viewer& viewer) {
  if (!bindable(viewer) || binding(viewer)) return;
  startDraft(viewer, singleJoint(boundsOf(viewer.bench.rig.positions).center()), "made by hand",
             false);
  viewer.bind.select = "joint1";
}

void leaveDraft(Viewer& viewer) {
  if (!drafting(viewer) || binding(viewer)) return;
  Edit fresh;
  fresh.model = draftOf(viewer)->before;
  fresh.zones = draftOf(viewer)->zones;
  fresh.weights = draftOf(viewer)->weights;
  fresh.movement = draftOf(viewer)->movement;
  viewer.edit.history.live() = std::move(fresh);
  commitEdit(viewer, "Leave the skeleton");
}

void placeDraft(Viewer& viewer, const SkeletonPlacement& placement) {
  const DraftPointer now = draftOf(viewer);
  auto placed = std::make_shared<Draft>(*now);
  placed->placement = placement;
  Skeleton skeleton = *now->source;
  placeSkeleton(skeleton, placement, boundsOf(viewer.bench.rig.positions));
  placed->skeleton = withPlainRoot(std::move(skeleton));
  viewer.edit.history.live().draft = std::move(placed);
}

void dragDraftJoint(Viewer& viewer, const vec3& place) {
  if (!viewer.selected) return;
  const DraftPointer& from = viewer.bind.grabbed ? viewer.bind.grabbed : draftOf(viewer);
  setSkeleton(viewer, withJointMoved(from->skeleton, *viewer.selected, place, viewer.bind.below,
                                     mirrorPlaneOf(viewer)));
}

void addDraftJoint(Viewer& viewer) {
  const auto node = editable(viewer);
  if (!node) return;
  const Skeleton& skeleton = draftOf(viewer)->skeleton;
  const vec3 place = placeForChild(skeleton, *node, viewer.orbit.framed.size());
  AddedJoint added =
      withJointAdded(skeleton, *node, place, fmt::format("joint{}", skeleton.joints.size() + 1),
                     mirrorPlaneOf(viewer));
  const std::string name = added.skeleton.hierarchy.nodes[added.node].name;
  setSkeleton(viewer, std::move(added.skeleton));
  viewer.bind.select = name;
  commitEdit(viewer, fmt::format("Add {}", name));
}

void removeDraftJoint(Viewer& viewer) {
  const auto node = editable(viewer);
  if (!node) return;
  const Skeleton& skeleton = draftOf(viewer)->skeleton;
  std::optional<MirrorPlane> mirror = mirrorPlaneOf(viewer);
  const std::uint32_t other = mirror ? otherSide(skeleton, *mirror, *node) : kNoNode;
  const bool both = other != kNoNode && other != *node;
  if (skeleton.joints.size() <= (both ? 2u : 1u))
    return toast(viewer, "the last joint stays: a skeleton has at least one");
  const std::uint32_t parent = skeleton.hierarchy.nodes[*node].parent;
  const std::string name = nameOf(viewer, *node);
  viewer.bind.select = skeleton.hierarchy.nodes[parent].name;
  setSkeleton(viewer, withoutJoint(skeleton, *node, mirror));
  commitEdit(viewer, fmt::format("Remove {}", name));
}

void renameDraftJoint(Viewer& viewer, const std::string& name) {
  const auto node = editable(viewer);
  if (!node || name.empty() || name == nameOf(viewer, *node)) return;
  Skeleton renamed =
      withJointRenamed(draftOf(viewer)->skeleton, *node, name, mirrorPlaneOf(viewer));
  viewer.bind.select = renamed.hierarchy.nodes[*node].name;
  const std::string what = fmt::format("Rename {}", nameOf(viewer, *node));
  setSkeleton(viewer, std::move(renamed));
  commitEdit(viewer, what);
}

namespace {

void selectByName(Viewer& viewer, const std::optional<std::string>& name) {
  viewer.selected.reset();
  if (!name) return;
  const auto node = findNode(viewer.bench.model.hierarchy, *name);
  if (node && std::binary_search(viewer.joints.begin(), viewer.joints.end(), *node))
    viewer.selected = node;
}

// What was made for the joints of before.
void dropCaches(Viewer& viewer) {
  Editing& edit = viewer.edit;
  edit.mirror.reset();
  edit.axes.clear();
  edit.fitted.clear();
  edit.shape.reset();
  edit.told = quat(0.0f, 0.0f, 0.0f, 0.0f);
  viewer.ui.notes = {};
  viewer.stale = true;
}

// The draft's joints in the place of the workbench's: a skin no mesh uses, posed as it binds. Rig
// and meshes stay, for they hang on the root.
void showDraft(Viewer& viewer, const Skeleton& skeleton) {
  Workbench& bench = viewer.bench;
  Skin skin;
  for (std::size_t j = 0; j < skeleton.joints.size(); ++j)
    skin.joints.push_back({skeleton.joints[j], glm::inverse(skeleton.modelFromJoint[j])});
  bench.model.hierarchy = skeleton.hierarchy;
  bench.model.skins = {std::move(skin)};
  bench.clip.reset();
  bench.posed = true;
  bench.pose = bindPose(bench.model);
  modelFromNodes(bench.model.hierarchy, bench.pose, bench.modelFromNode);
  viewer.joints = skeleton.joints;
}

void replaceModel(Viewer& viewer, const Edit& now) {
  if (!viewer.edit.applied.model)
    viewer.bind.opened = std::make_shared<const Model>(viewer.bench.model);
  Settings& settings = viewer.settings;
  Model model = now.model ? *now.model : *viewer.bind.opened;
  Settings wanted = settings;
  wanted.weightsOf.clear();
  if (now.draft) wanted.clip = "none";
  const bool named = !wanted.clip.empty() && wanted.clip != "none" && wanted.clip != "bind";
  try {
    if (named) findClip(model, wanted.clip);
  } catch (const Error&) {
    wanted.clip = settings.clip = "";
  }
  exchangeBench(viewer,
                makeWorkbench(std::move(model), wanted, {now.zones, viewer.bench.zones.path}));
  viewer.applied.clip = settings.clip;
  viewer.joints = jointNodes(viewer.bench.model);
}

} // namespace

bool applyModel(Viewer& viewer) {
  const Edit now = viewer.edit.history.now();
  const Edit& was = viewer.edit.applied;
  const bool another = now.model != was.model;
  if (!another && now.draft == was.draft) return false;
  if (viewer.bind.compared && viewer.bind.compared->draft != now.draft) showCompared(viewer, false);
  std::optional<std::string> name = std::exchange(viewer.bind.select, std::nullopt);
  if (!name && viewer.selected) name = nameOf(viewer, *viewer.selected);
  viewer.selected.reset(); // of the nodes that were
  if (another) {
    forgetRagdoll(viewer); // its bodies are of the joints that were
    try {
      replaceModel(viewer, now);
    } catch (const Error& problem) {
      viewer.edit.history.undo();
      viewer.bind.problem = problem.what();
      toast(viewer, problem.what());
      return false;
    }
    viewer.statistics = {};
  }
  if (now.draft) showDraft(viewer, now.draft->skeleton);
  selectByName(viewer, name);
  dropCaches(viewer);
  if (another) viewer.framedAt = jointCenter(viewer);
  return another;
}

} // namespace sinew
