// The skeleton that a mesh is to be bound to: which, where it stands, its joints.

#include "viewer/bind.h"
#include "viewer/controls.h"
#include "viewer/file_browser.h"
#include "viewer/panels.h"
#include "viewer/session.h"
#include "viewer/theme.h"

#include <fmt/format.h>
#include <imgui/imgui.h>
#include <imgui/imgui_stdlib.h>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

void skeletonChoice(Viewer& viewer) {
  const Draft* draft = draftOf(viewer).get();
  const bool idle = !binding(viewer);
  heading("Skeleton");
  if (draft != nullptr)
    ImGui::TextWrapped("%s: %zu joints, %zu bones", draft->origin.c_str(),
                       draft->skeleton.joints.size(), draft->skeleton.bones.size());
  else if (viewer.joints.empty())
    faintText("This model has no skeleton. Choose one, or make one by hand.");
  else
    faintText(fmt::format("The model's own: {} joints. Bind gives them new weights; edit them "
                          "first, or choose another skeleton.",
                          viewer.joints.size()));
  if (wideButton("From a file...", "a .tgf, a .bvh, or a model whose joints are taken  Ctrl+K",
                 idle, 0))
    openBrowser(viewer, Browse::skeleton);
  if (wideButton("By hand", "begin with a single joint in the middle of the mesh", idle, 1))
    draftByHand(viewer);
  if (draft != nullptr) {
    if (wideButton("Leave it unbound", "back to the model as it was; undo brings the skeleton back",
                   idle, 0, 1))
      leaveDraft(viewer);
  } else if (wideButton("Edit the model's joints",
                        "to move, add or remove joints before binding again",
                        idle && !viewer.joints.empty(), 0, 1)) {
    draftOwnJoints(viewer);
  }
}

void endStep(Viewer& viewer, const char* what) {
  if (ImGui::IsItemDeactivatedAfterEdit()) commitEdit(viewer, what);
}

void placementControls(Viewer& viewer) {
  const Draft* draft = draftOf(viewer).get();
  if (draft == nullptr || !draft->source) return;
  section("Where it stands");
  SkeletonPlacement placement = draft->placement;
  bool changed = ImGui::Checkbox("Fit into the mesh", &placement.fit);
  itemHelp("scale and move the skeleton into the mesh's box");
  ImGui::SameLine(0.56f * ImGui::GetContentRegionAvail().x);
  changed |= ImGui::Checkbox("Z is up", &placement.zUp);
  itemHelp("the skeleton's axis that points up is Z, not Y");
  if (changed) {
    placeDraft(viewer, placement);
    commitEdit(viewer, "Place the skeleton");
    return;
  }
  ImGui::BeginDisabled(placement.fit);
  ImGui::SetNextItemWidth(-scaled(56));
  if (ImGui::DragFloat("scale", &placement.scale, 0.01f * placement.scale, 1e-6f, 1e6f, "%.4g"))
    if (placement.scale > 0.0f) placeDraft(viewer, placement);
  endStep(viewer, "Scale the skeleton");
  itemHelp("the skeleton's size, as a multiple of the file's");
  ImGui::SetNextItemWidth(-scaled(56));
  const float step = 0.002f * viewer.orbit.framed.size();
  if (ImGui::DragFloat3("offset", &placement.offset.x, step, 0.0f, 0.0f, "%.3g"))
    placeDraft(viewer, placement);
  endStep(viewer, "Move the skeleton");
  itemHelp("moves the skeleton after scaling, in the mesh's unit");
  ImGui::EndDisabled();
}

void nameField(Viewer& viewer) {
  BindState& bind = viewer.bind;
  const std::string& name = viewer.bench.model.hierarchy.nodes[*viewer.selected].name;
  if (bind.named != viewer.selected) bind.name = name;
  bind.named = viewer.selected;
  ImGui::SetNextItemWidth(-scaled(56));
  ImGui::InputText("name", &bind.name);
  if (ImGui::IsItemDeactivatedAfterEdit()) {
    renameDraftJoint(viewer, bind.name);
    bind.named.reset();
  } else if (!ImGui::IsItemActive()) {
    bind.name = name;
  }
  itemHelp("Enter renames the joint; a name that is taken gets a number");
}

void placeField(Viewer& viewer) {
  vec3 place(viewer.bench.modelFromNode[*viewer.selected][3]);
  ImGui::SetNextItemWidth(-scaled(56));
  const float step = 0.001f * viewer.orbit.framed.size();
  const bool changed = ImGui::DragFloat3("place", &place.x, step, 0.0f, 0.0f, "%.4g");
  if (ImGui::IsItemActivated()) viewer.bind.grabbed = viewer.edit.history.now().draft;
  if (changed) dragDraftJoint(viewer, place);
  endStep(viewer, "Move the joint");
  itemHelp("in model space; or drag the arrows in the picture");
}

void jointControls(Viewer& viewer) {
  if (draftOf(viewer) == nullptr) return;
  BindState& bind = viewer.bind;
  section("Joints");
  ImGui::BeginDisabled(binding(viewer) || comparing(viewer));
  if (viewer.selected) {
    nameField(viewer);
    placeField(viewer);
  } else {
    faintText("Click a joint in the picture or in the list, then drag its arrows.");
  }
  const bool selected = viewer.selected.has_value();
  if (wideButton("Add a joint", "below the selected one  Insert", selected, 0))
    addDraftJoint(viewer);
  if (wideButton("Remove", "joints below it hang on the one above then  Delete", selected, 1))
    removeDraftJoint(viewer);
  bool along = bind.below == Below::goesAlong;
  if (ImGui::Checkbox("Joints below go along", &along))
    bind.below = along ? Below::goesAlong : Below::stays;
  itemHelp("when a joint is moved; else they stay where they are");
  ImGui::Checkbox("Both sides", &bind.bothSides);
  itemHelp(
      "what is done to a joint is done to its mirror image, found by name (arm_L, arm_R) or place");
  if (bind.bothSides) {
    ImGui::SameLine(0.5f * ImGui::GetContentRegionAvail().x);
    ImGui::SetNextItemWidth(-1.0f);
    ImGui::Combo("##across", &bind.mirrorAxis, "across x\0across y\0across z\0");
    itemHelp("the plane between the sides stands across this axis, in the middle of the mesh");
  }
  ImGui::EndDisabled();
}

} // namespace

void skeletonControls(Viewer& viewer) {
  skeletonChoice(viewer);
  if (comparing(viewer)) return;
  placementControls(viewer);
  jointControls(viewer);
}

} // namespace sinew
