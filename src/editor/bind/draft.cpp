#include "editor/bind/draft.h"

#include "core/error.h"
#include "weights/bind_model.h"

#include <fmt/format.h>

#include <algorithm>

namespace sinew {
namespace {

using DraftPointer = std::shared_ptr<const Draft>;

// Replaces the skeleton of the current draft, which then differs from the file it was read from.
void setSkeleton(Document& document, Skeleton skeleton) {
  auto changed = std::make_shared<Draft>(*getDraft(document));
  changed->skeleton = std::move(skeleton);
  changed->source = nullptr;
  document.history.live().draft = std::move(changed);
}

std::optional<MirrorPlane> makeMirrorPlane(const Document& document, const BindState& bind) {
  if (!bind.bothSides) return std::nullopt;
  const int axis = bind.mirrorAxis;
  MirrorPlane plane{vec3(0.0f), computeBounds(document.workbench.rig.positions).center()[axis]};
  plane.normal[axis] = 1.0f;
  return plane;
}

// The selected joint of the draft that is shown; none while the thread works on it.
std::optional<std::uint32_t> editable(Document& document, BindState& bind) {
  if (!drafting(document)) return std::nullopt;
  if (binding(bind)) {
    notify(document, "weights are being computed for this skeleton: Escape cancels");
    return std::nullopt;
  }
  const auto& joints = getDraft(document)->skeleton.joints;
  if (document.selected && std::binary_search(joints.begin(), joints.end(), *document.selected))
    return document.selected;
  notify(document, "select a joint: in the list, or click a bone");
  return std::nullopt;
}

} // namespace

const Model& bareModel(const Document& document, const BindState& bind) {
  const Edit& now = document.history.now();
  return now.model ? *now.model : bind.opened ? *bind.opened : document.workbench.model;
}

bool binding(const BindState& bind) {
  return bind.job && bind.job->running();
}

void startDraft(Document& document, BindState& bind, Skeleton skeleton, std::string origin,
                bool placeable) {
  const Edit& now = document.history.now();
  auto draft = std::make_shared<Draft>();
  draft->origin = std::move(origin);
  draft->before = now.draft ? now.draft->before : now.model;
  draft->zones = now.draft ? now.draft->zones : now.zones;
  draft->weights = now.draft ? now.draft->weights : now.weights;
  draft->splines = now.draft ? now.draft->splines : now.splines;
  draft->layerStack = now.draft ? now.draft->layerStack : now.layerStack;
  draft->clips = now.draft ? now.draft->clips : now.clips;
  const Bounds mesh = computeBounds(document.workbench.rig.positions);
  if (placeable) {
    Bounds joints;
    for (const mat4& joint : skeleton.modelFromJoint)
      joints.include(vec3(joint[3]));
    draft->source = std::make_shared<const Skeleton>(skeleton);
    const float ratio = joints.size() / std::max(mesh.size(), 1e-30f);
    draft->placement.fit = ratio > 2.0f || (ratio > 0.0f && ratio < 0.4f);
    if (draft->placement.fit)
      notify(
          document,
          fmt::format("the skeleton is {:.2g} times as large as the mesh: fitted into it", ratio));
    placeSkeleton(skeleton, draft->placement, mesh);
  }
  draft->skeleton = withPlainRoot(std::move(skeleton));
  Edit fresh; // pose and zones are of another skeleton
  fresh.model =
      now.draft ? now.model : std::make_shared<const Model>(meshesAlone(bareModel(document, bind)));
  fresh.draft = draft;
  const std::string what = fmt::format("Skeleton: {}", draft->origin);
  document.history.live() = std::move(fresh);
  document.wasBound = true;
  commitEdit(document, what);
  bind.problem.clear();
  document.notices.topic = Topic::binding;
}

void draftOwnJoints(Document& document, BindState& bind) {
  if (!bindable(document) || binding(bind)) return;
  try {
    startDraft(document, bind, extractSkeleton(bareModel(document, bind)), "the model's own joints",
               false);
  } catch (const Error& problem) {
    bind.problem = problem.what();
  }
}

void draftByHand(Document& document, BindState& bind) {
  if (!bindable(document) || binding(bind)) return;
  startDraft(document, bind, singleJoint(computeBounds(document.workbench.rig.positions).center()),
             "created by hand", false);
  bind.select = "joint1";
}

void leaveDraft(Document& document, BindState& bind) {
  if (!drafting(document) || binding(bind)) return;
  Edit fresh;
  fresh.model = getDraft(document)->before;
  fresh.zones = getDraft(document)->zones;
  fresh.weights = getDraft(document)->weights;
  fresh.splines = getDraft(document)->splines;
  fresh.layerStack = getDraft(document)->layerStack;
  fresh.clips = getDraft(document)->clips;
  document.history.live() = std::move(fresh);
  commitEdit(document, "Leave the skeleton");
}

void placeDraft(Document& document, const SkeletonPlacement& placement) {
  const DraftPointer now = getDraft(document);
  auto placed = std::make_shared<Draft>(*now);
  placed->placement = placement;
  Skeleton skeleton = *now->source;
  placeSkeleton(skeleton, placement, computeBounds(document.workbench.rig.positions));
  placed->skeleton = withPlainRoot(std::move(skeleton));
  document.history.live().draft = std::move(placed);
}

void dragDraftJoint(Document& document, const BindState& bind, const vec3& place) {
  if (!document.selected) return;
  const DraftPointer& from = bind.grabbed ? bind.grabbed : getDraft(document);
  setSkeleton(document, withJointMoved(from->skeleton, *document.selected, place, bind.below,
                                       makeMirrorPlane(document, bind)));
}

void addDraftJoint(Document& document, BindState& bind) {
  const auto node = editable(document, bind);
  if (!node) return;
  const Skeleton& skeleton = getDraft(document)->skeleton;
  const vec3 place = positionForChild(skeleton, *node, document.orbit.framed.size());
  AddedJoint added =
      withJointAdded(skeleton, *node, place, fmt::format("joint{}", skeleton.joints.size() + 1),
                     makeMirrorPlane(document, bind));
  const std::string name = added.skeleton.hierarchy.nodes[added.node].name;
  setSkeleton(document, std::move(added.skeleton));
  bind.select = name;
  commitEdit(document, fmt::format("Add {}", name));
}

void removeDraftJoint(Document& document, BindState& bind) {
  const auto node = editable(document, bind);
  if (!node) return;
  const Skeleton& skeleton = getDraft(document)->skeleton;
  std::optional<MirrorPlane> mirror = makeMirrorPlane(document, bind);
  const std::uint32_t other = mirror ? otherSide(skeleton, *mirror, *node) : kNoNode;
  const bool both = other != kNoNode && other != *node;
  if (skeleton.joints.size() <= (both ? 2u : 1u))
    return notify(document, "the last joint cannot be removed: a skeleton has at least one");
  const std::uint32_t parent = skeleton.hierarchy.nodes[*node].parent;
  const std::string name = nodeName(document, *node);
  bind.select = skeleton.hierarchy.nodes[parent].name;
  setSkeleton(document, withoutJoint(skeleton, *node, mirror));
  commitEdit(document, fmt::format("Remove {}", name));
}

void renameDraftJoint(Document& document, BindState& bind, const std::string& name) {
  const auto node = editable(document, bind);
  if (!node || name.empty() || name == nodeName(document, *node)) return;
  Skeleton renamed =
      withJointRenamed(getDraft(document)->skeleton, *node, name, makeMirrorPlane(document, bind));
  bind.select = renamed.hierarchy.nodes[*node].name;
  const std::string what = fmt::format("Rename {}", nodeName(document, *node));
  setSkeleton(document, std::move(renamed));
  commitEdit(document, what);
}

} // namespace sinew
