// The joint tree on the left, with search, and what is known of the selected joint.

#include "rig/rig.h"
#include "viewer/bind.h"
#include "viewer/file_list.h"
#include "viewer/panels.h"
#include "viewer/session.h"
#include "viewer/theme.h"

#include <fmt/format.h>
#include <imgui/imgui.h>
#include <imgui/imgui_stdlib.h>

#include <algorithm>

namespace sinew {
namespace {

// The joints as a tree: scene nodes between two joints are left out.
struct JointTree {
  std::vector<std::uint32_t> roots;
  std::vector<std::vector<std::uint32_t>> children; // by node
};

JointTree jointTree(const Model& model, const std::vector<std::uint32_t>& joints) {
  const auto& nodes = model.hierarchy.nodes;
  std::vector<bool> isJoint(nodes.size(), false);
  for (const std::uint32_t node : joints)
    isJoint[node] = true;
  JointTree tree;
  tree.children.resize(nodes.size());
  for (const std::uint32_t node : joints) {
    std::uint32_t above = nodes[node].parent;
    while (above != kNoNode && !isJoint[above])
      above = nodes[above].parent;
    (above == kNoNode ? tree.roots : tree.children[above]).push_back(node);
  }
  return tree;
}

bool isAbove(const Hierarchy& hierarchy, std::uint32_t ancestor, std::uint32_t node) {
  for (node = hierarchy.nodes[node].parent; node != kNoNode; node = hierarchy.nodes[node].parent)
    if (node == ancestor) return true;
  return false;
}

void clicked(Viewer& viewer, std::uint32_t node) {
  if (!ImGui::IsItemClicked() || ImGui::IsItemToggledOpen()) return;
  viewer.selected = viewer.selected == node ? std::nullopt : std::optional(node);
}

void treeNode(Viewer& viewer, const JointTree& tree, std::uint32_t node) {
  const Hierarchy& hierarchy = viewer.bench.model.hierarchy;
  const bool selected = viewer.selected == node;
  ImGuiTreeNodeFlags flags = ImGuiTreeNodeFlags_DefaultOpen | ImGuiTreeNodeFlags_OpenOnArrow |
                             ImGuiTreeNodeFlags_SpanFullWidth;
  if (tree.children[node].empty()) flags |= ImGuiTreeNodeFlags_Leaf;
  if (selected) flags |= ImGuiTreeNodeFlags_Selected;
  if (viewer.ui.scrollToJoint && viewer.selected && isAbove(hierarchy, node, *viewer.selected))
    ImGui::SetNextItemOpen(true);
  const bool open = ImGui::TreeNodeEx(std::to_string(node).c_str(), flags, "%s",
                                      hierarchy.nodes[node].name.c_str());
  clicked(viewer, node);
  if (selected && viewer.ui.scrollToJoint) {
    ImGui::SetScrollHereY(0.5f);
    viewer.ui.scrollToJoint = false;
  }
  if (!open) return;
  for (const std::uint32_t child : tree.children[node])
    treeNode(viewer, tree, child);
  ImGui::TreePop();
}

void foundJoints(Viewer& viewer, const std::vector<std::uint32_t>& joints) {
  bool any = false;
  for (const std::uint32_t node : joints) {
    const std::string& name = viewer.bench.model.hierarchy.nodes[node].name;
    if (!holdsWords(name, viewer.ui.jointSearch)) continue;
    any = true;
    ImGui::PushID(static_cast<int>(node));
    ImGui::Selectable(name.c_str(), viewer.selected == node);
    clicked(viewer, node);
    ImGui::PopID();
  }
  if (!any) faintText("no joint of that name");
}

std::string influenceOf(const Viewer& viewer, std::uint32_t node) {
  const Rig& rig = viewer.bench.rig;
  std::size_t vertices = 0;
  float largest = 0.0f;
  for (const float weight : jointWeights(rig, node)) {
    if (weight > 0.0f) ++vertices;
    largest = std::max(largest, weight);
  }
  if (vertices == 0) return "moves no vertex itself";
  return fmt::format("{} vertices, weights to {:.2f}", vertices, largest);
}

void selectedJoint(Viewer& viewer) {
  if (!viewer.selected) {
    faintText("Click a joint here or a bone in the picture.");
    return;
  }
  const std::uint32_t node = *viewer.selected;
  const Workbench& bench = viewer.bench;
  heading(bench.model.hierarchy.nodes[node].name.c_str());
  const vec3 at(bench.modelFromNode[node][3]);
  faintText(fmt::format("at {:.3g}, {:.3g}, {:.3g}", at.x, at.y, at.z));
  if (drafting(viewer)) return; // nothing hangs on it yet
  Notes& notes = viewer.ui.notes;
  if (notes.joint != node) notes.influence = influenceOf(viewer, node);
  notes.joint = node;
  faintText(notes.influence);
  ImGui::Checkbox("Weights as colours", &viewer.heatMap);
  if (viewer.heatMap) colorScale(viewer.settings);
}

} // namespace

void colorScale(const Settings& settings) {
  // The same stops as the shader's, close enough for a legend.
  static constexpr ImU32 kHeat[] = {IM_COL32(30, 60, 220, 255), IM_COL32(20, 190, 220, 255),
                                    IM_COL32(60, 200, 70, 255), IM_COL32(240, 210, 40, 255),
                                    IM_COL32(220, 40, 30, 255)};
  static constexpr ImU32 kSafe[] = {IM_COL32(0, 34, 78, 255), IM_COL32(66, 78, 108, 255),
                                    IM_COL32(124, 123, 120, 255), IM_COL32(188, 175, 111, 255),
                                    IM_COL32(254, 232, 56, 255)};
  const ImU32* stops = settings.colormap == "safe" ? kSafe : kHeat;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float height = scaled(10);
  for (int i = 0; i < 4; ++i) {
    const float x0 = at.x + width * static_cast<float>(i) / 4.0f;
    const float x1 = at.x + width * static_cast<float>(i + 1) / 4.0f;
    ImGui::GetWindowDrawList()->AddRectFilledMultiColor({x0, at.y}, {x1, at.y + height}, stops[i],
                                                        stops[i + 1], stops[i + 1], stops[i]);
  }
  ImGui::Dummy({width, height});
  ImGui::TextColored(faintColor(), "0");
  ImGui::SameLine(ImGui::GetContentRegionMax().x - ImGui::CalcTextSize("1").x);
  ImGui::TextColored(faintColor(), "1");
}

float jointPanel(Viewer& viewer, const Rect& r) {
  const std::vector<std::uint32_t>& joints = viewer.joints;
  const float widest = 0.4f * r.width;
  const float usual = std::min(scaled(250), 0.23f * r.width);
  ImGui::SetNextWindowPos({r.x, r.y});
  ImGui::SetNextWindowSize({usual, r.height}, ImGuiCond_FirstUseEver);
  ImGui::SetNextWindowSizeConstraints({std::min(scaled(150), widest), r.height},
                                      {widest, r.height});
  ImGui::Begin("Joints", nullptr, panelFlags());
  heading("Joints");
  ImGui::SameLine();
  ImGui::TextColored(faintColor(), "%zu", joints.size());
  ImGui::SetNextItemWidth(-1.0f);
  ImGui::InputTextWithHint("##search", "search", &viewer.ui.jointSearch);
  const float below = scaled(!viewer.selected ? 60.0f : viewer.heatMap ? 172.0f : 124.0f);
  ImGui::BeginChild("##tree", {0, std::max(ImGui::GetContentRegionAvail().y - below, scaled(60))},
                    false, ImGuiWindowFlags_HorizontalScrollbar);
  if (!viewer.ui.jointSearch.empty()) {
    foundJoints(viewer, joints);
  } else {
    const JointTree tree = jointTree(viewer.bench.model, joints);
    ImGui::PushStyleVar(ImGuiStyleVar_IndentSpacing, scaled(9)); // skeletons are deep
    for (const std::uint32_t root : tree.roots)
      treeNode(viewer, tree, root);
    ImGui::PopStyleVar();
  }
  viewer.ui.scrollToJoint = false;
  ImGui::EndChild();
  ImGui::Separator();
  selectedJoint(viewer);
  const float width = ImGui::GetWindowWidth();
  ImGui::End();
  return width;
}

} // namespace sinew
