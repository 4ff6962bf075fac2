// The skeleton that a mesh is to be bound to: which, where it stands, its joints.

#include "demo/demo.h"
#include "editor/bind/binding.h"
#include "editor/session.h"
#include "viewer/panels/controls.h"
#include "viewer/panels/panels.h"
#include "viewer/window/theme.h"
#include "weights/templates/skeleton_template.h"

#include <fmt/format.h>
#include <imgui/imgui.h>
#include <imgui/imgui_stdlib.h>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// Templates, which are fitted into the mesh, and the skeletons of the demos.
void madeSkeletons(Document& document, BindState& bind, bool idle) {
  ImGui::BeginDisabled(!idle);
  ImGui::SetNextItemWidth(-1.0f);
  if (ImGui::BeginCombo("##template", "From a template...")) {
    for (const SkeletonTemplate& entry : skeletonTemplates()) {
      if (ImGui::Selectable(std::string(entry.title).c_str()))
        openSkeleton(document, bind, fmt::format("template:{}", entry.name));
      itemHelp(std::string(entry.summary).c_str());
    }
    ImGui::Separator();
    for (const Demo& demo : demos())
      if (ImGui::Selectable(fmt::format("{} (demo)", demo.title).c_str()))
        openSkeleton(document, bind, fmt::format("demo:{}", demo.name));
    ImGui::EndCombo();
  }
  ImGui::EndDisabled();
  itemHelp("joints placed in the mesh by its shape, or those of a demo");
}

void skeletonChoice(Document& document, BindState& bind, Ui& ui) {
  const Draft* draft = getDraft(document).get();
  const bool idle = !binding(bind);
  heading("Skeleton");
  if (draft != nullptr)
    ImGui::TextWrapped("%s: %zu joints, %zu bones", draft->origin.c_str(),
                       draft->skeleton.joints.size(), draft->skeleton.bones.size());
  else if (document.joints.empty())
    faintText("This model has no skeleton. Choose one, or make one by hand.");
  else
    faintText(fmt::format("The model's own: {} joints. Bind gives them new weights; edit them "
                          "first, or choose another skeleton.",
                          document.joints.size()));
  if (wideButton("From a file...", "a .tgf, a .bvh, or a model with joints  Ctrl+K", idle, 0))
    openBrowser(ui, Browse::skeleton);
  if (wideButton("By hand", "start from a single joint in the middle of the mesh", idle, 1))
    draftByHand(document, bind);
  madeSkeletons(document, bind, idle);
  if (draft != nullptr) {
    if (wideButton("Leave it unbound", "back to the model without the skeleton; undo restores it",
                   idle, 0, 1))
      leaveDraft(document, bind);
  } else if (wideButton("Edit the model's joints",
                        "to move, add or remove joints before binding again",
                        idle && !document.joints.empty(), 0, 1)) {
    draftOwnJoints(document, bind);
  }
}

void endStep(Document& document, const char* what) {
  if (ImGui::IsItemDeactivatedAfterEdit()) commitEdit(document, what);
}

void placementControls(Document& document) {
  const Draft* draft = getDraft(document).get();
  if (draft == nullptr || !draft->source) return;
  section("Placement");
  SkeletonPlacement placement = draft->placement;
  bool changed = checkbox("Fit into the mesh", &placement.fit);
  itemHelp("scale and move the skeleton into the mesh's box");
  ImGui::SameLine(0.56f * ImGui::GetContentRegionAvail().x);
  changed |= checkbox("Z is up", &placement.zUp);
  itemHelp("the skeleton's axis that points up is Z, not Y");
  if (changed) {
    placeDraft(document, placement);
    commitEdit(document, "Place the skeleton");
    return;
  }
  ImGui::BeginDisabled(placement.fit);
  labelAbove("Scale");
  if (ImGui::DragFloat("##scale", &placement.scale, 0.01f * placement.scale, 1e-6f, 1e6f, "%.4g"))
    if (placement.scale > 0.0f) placeDraft(document, placement);
  endStep(document, "Scale the skeleton");
  itemHelp("the skeleton's size, as a multiple of the file's");
  const float step = 0.002f * document.orbit.framed.size();
  labelAbove("Offset");
  if (ImGui::DragFloat3("##offset", &placement.offset.x, step, 0.0f, 0.0f, "%.3g"))
    placeDraft(document, placement);
  endStep(document, "Move the skeleton");
  itemHelp("moves the skeleton after scaling, in the mesh's unit");
  ImGui::EndDisabled();
}

void nameField(Document& document, BindState& bind) {
  const std::string& name = document.workbench.model.hierarchy.nodes[*document.selected].name;
  if (bind.named != document.selected) bind.name = name;
  bind.named = document.selected;
  labelAbove("Name");
  ImGui::InputText("##name", &bind.name);
  if (ImGui::IsItemDeactivatedAfterEdit()) {
    renameDraftJoint(document, bind, bind.name);
    bind.named.reset();
  } else if (!ImGui::IsItemActive()) {
    bind.name = name;
  }
  itemHelp("Enter renames the joint; a name that is taken gets a number");
}

void placeField(Document& document, BindState& bind) {
  vec3 place(document.workbench.modelFromNode[*document.selected][3]);
  const float step = 0.001f * document.orbit.framed.size();
  labelAbove("Place");
  const bool changed = ImGui::DragFloat3("##place", &place.x, step, 0.0f, 0.0f, "%.4g");
  if (ImGui::IsItemActivated()) bind.grabbed = document.history.now().draft;
  if (changed) dragDraftJoint(document, bind, place);
  endStep(document, "Move the joint");
  itemHelp("in model space; or drag the arrows in the picture");
}

void jointControls(Document& document, BindState& bind) {
  if (getDraft(document) == nullptr) return;
  section("Joints");
  ImGui::BeginDisabled(binding(bind) || comparing(document, bind));
  if (document.selected) {
    nameField(document, bind);
    placeField(document, bind);
  } else {
    faintText("Click a joint in the picture or in the list, then drag its arrows.");
  }
  const bool selected = document.selected.has_value();
  if (wideButton("Add a joint", "below the selected one  Insert", selected, 0))
    addDraftJoint(document, bind);
  if (wideButton("Remove", "its children become children of its parent  Delete", selected, 1))
    removeDraftJoint(document, bind);
  bool along = bind.below == Below::moves;
  if (checkbox("Joints below follow", &along)) bind.below = along ? Below::moves : Below::stays;
  itemHelp("when a joint is moved; otherwise they keep their positions");
  checkbox("Both sides", &bind.bothSides);
  itemHelp("edits a joint and its mirror image, found by name (arm_L, arm_R) or position");
  if (bind.bothSides) {
    ImGui::SameLine(0.5f * ImGui::GetContentRegionAvail().x);
    ImGui::SetNextItemWidth(-1.0f);
    ImGui::Combo("##across", &bind.mirrorAxis, "across x\0across y\0across z\0");
    itemHelp("the mirror plane is perpendicular to this axis, in the middle of the mesh");
  }
  ImGui::EndDisabled();
}

} // namespace

void skeletonControls(Document& document, BindState& bind, Ui& ui) {
  skeletonChoice(document, bind, ui);
  if (comparing(document, bind)) return;
  placementControls(document);
  jointControls(document, bind);
}

} // namespace sinew
