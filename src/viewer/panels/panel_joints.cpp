// The joint tree on the left, with search, and what is known of the selected joint.

#include "editor/bind/binding.h"
#include "editor/document/framing.h"
#include "editor/file_list.h"
#include "editor/session.h"
#include "rig/rig.h"
#include "viewer/panels/panels.h"
#include "viewer/window/theme.h"

#include <fmt/format.h>
#include <imgui/imgui.h>
#include <imgui/imgui_stdlib.h>

#include <algorithm>
#include <cmath>
#include <utility>

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

// The list stays where it is: the row is in view.
void clicked(Document& document, Ui& ui, std::uint32_t node) {
  if (!ImGui::IsItemClicked() || ImGui::IsItemToggledOpen()) return;
  if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
    document.selected = node;
    frameJoint(document);
  } else {
    document.selected = document.selected == node ? std::nullopt : std::optional(node);
  }
  ui.shownJoint = document.selected;
}

// At the right end of the row of the item just drawn, while the mouse is on it or the joint is
// hidden. A click hides the joint and those below, or shows them again; with Ctrl the joint alone.
void eye(Document& document, std::uint32_t node) {
  const ImVec2 row = ImGui::GetItemRectMin();
  const float height = ImGui::GetItemRectSize().y;
  const bool hidden = isHidden(document, node);
  const float right =
      ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x + ImGui::GetScrollX();
  const ImVec2 c{right - 0.6f * height, row.y + 0.5f * height};
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const bool over = ImGui::IsWindowHovered() && std::abs(mouse.x - c.x) < 0.6f * height &&
                    std::abs(mouse.y - c.y) < 0.5f * height;
  if (over) {
    ImGui::SetTooltip("%s its bones and those below; Ctrl: this one alone",
                      hidden ? "show" : "hide");
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left))
      hideJoint(document, node, !hidden, !ImGui::GetIO().KeyCtrl);
  }
  if (!over && !hidden && !ImGui::IsItemHovered()) return;
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const ImU32 color =
      ImGui::GetColorU32(over ? ImGui::GetStyleColorVec4(ImGuiCol_Text) : faintColor());
  const float size = 0.26f * height;
  draw.AddBezierCubic({c.x - 1.4f * size, c.y}, {c.x - 0.5f * size, c.y - 1.3f * size},
                      {c.x + 0.5f * size, c.y - 1.3f * size}, {c.x + 1.4f * size, c.y}, color,
                      scaled(1));
  draw.AddBezierCubic({c.x - 1.4f * size, c.y}, {c.x - 0.5f * size, c.y + 1.3f * size},
                      {c.x + 0.5f * size, c.y + 1.3f * size}, {c.x + 1.4f * size, c.y}, color,
                      scaled(1));
  if (hidden)
    draw.AddLine({c.x - 1.3f * size, c.y + size}, {c.x + 1.3f * size, c.y - size}, color,
                 scaled(1.5f));
  else
    draw.AddCircleFilled(c, 0.5f * size, color);
}

bool onEye() {
  const float height = ImGui::GetItemRectSize().y;
  const float right =
      ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x + ImGui::GetScrollX();
  return std::abs(ImGui::GetIO().MousePos.x - right + 0.6f * height) < 0.6f * height;
}

void treeNode(Document& document, Ui& ui, const JointTree& tree, std::uint32_t node) {
  const Hierarchy& hierarchy = document.bench.model.hierarchy;
  const bool selected = document.selected == node;
  ImGuiTreeNodeFlags flags = ImGuiTreeNodeFlags_DefaultOpen | ImGuiTreeNodeFlags_OpenOnArrow |
                             ImGuiTreeNodeFlags_SpanFullWidth;
  if (tree.children[node].empty()) flags |= ImGuiTreeNodeFlags_Leaf;
  if (selected) flags |= ImGuiTreeNodeFlags_Selected;
  if (ui.scrollToJoint && document.selected && isAbove(hierarchy, node, *document.selected))
    ImGui::SetNextItemOpen(true);
  const bool open = ImGui::TreeNodeEx(std::to_string(node).c_str(), flags, "%s",
                                      hierarchy.nodes[node].name.c_str());
  if (!onEye()) clicked(document, ui, node);
  eye(document, node);
  if (selected && ui.scrollToJoint) {
    ImGui::SetScrollHereY(0.5f);
    ui.scrollToJoint = false;
  }
  if (!open) return;
  for (const std::uint32_t child : tree.children[node])
    treeNode(document, ui, tree, child);
  ImGui::TreePop();
}

void foundJoints(Document& document, Ui& ui, const std::vector<std::uint32_t>& joints) {
  bool any = false;
  for (const std::uint32_t node : joints) {
    const std::string& name = document.bench.model.hierarchy.nodes[node].name;
    if (!holdsWords(name, ui.jointSearch)) continue;
    any = true;
    ImGui::PushID(static_cast<int>(node));
    ImGui::Selectable(name.c_str(), document.selected == node);
    clicked(document, ui, node);
    ImGui::PopID();
  }
  if (!any) faintText("no joint of that name");
}

std::string influenceOf(const Document& document, std::uint32_t node) {
  const Rig& rig = document.bench.rig;
  std::size_t vertices = 0;
  float largest = 0.0f;
  for (const float weight : jointWeights(rig, node)) {
    if (weight > 0.0f) ++vertices;
    largest = std::max(largest, weight);
  }
  if (vertices == 0) return "moves no vertex itself";
  return fmt::format("{} vertices, weights to {:.2f}", vertices, largest);
}

void selectedJoint(Document& document, Ui& ui) {
  if (!document.selected) {
    faintText(document.joints.empty() ? "No joints. Weights, Bind gives the mesh a skeleton."
                                      : "Click a joint here or a bone in the picture.");
    return;
  }
  const std::uint32_t node = *document.selected;
  const Workbench& bench = document.bench;
  heading(bench.model.hierarchy.nodes[node].name.c_str());
  const vec3 at(bench.modelFromNode[node][3]);
  faintText(fmt::format("at {:.3g}, {:.3g}, {:.3g}", at.x, at.y, at.z));
  if (drafting(document)) return; // nothing hangs on it yet
  Notes& notes = ui.notes;
  if (notes.revision != document.revision) notes = Notes{};
  notes.revision = document.revision;
  if (notes.joint != node) notes.influence = influenceOf(document, node);
  notes.joint = node;
  faintText(notes.influence);
  ImGui::Checkbox("Weights as colours", &document.heatMap);
  if (document.heatMap) colorScale(document.settings);
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
  const ImU32* stops = settings.colormap == FieldColors::colorBlindSafe ? kSafe : kHeat;
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

float jointPanel(Document& document, Ui& ui, const Rect& r) {
  const std::vector<std::uint32_t>& joints = document.joints;
  if (std::exchange(ui.shownJoint, document.selected) != document.selected)
    ui.scrollToJoint = document.selected.has_value();
  const float widest = 0.4f * r.width;
  const float usual = std::min(scaled(250), 0.23f * r.width);
  ImGui::SetNextWindowPos({r.x, r.y});
  ImGui::SetNextWindowSize({usual, r.height},
                           ui.rescaled ? ImGuiCond_Always : ImGuiCond_FirstUseEver);
  ImGui::SetNextWindowSizeConstraints({std::min(scaled(150), widest), r.height},
                                      {widest, r.height});
  ImGui::Begin("Joints", nullptr, panelFlags());
  heading("Joints");
  ImGui::SameLine();
  ImGui::TextColored(faintColor(), "%zu", joints.size());
  ImGui::SetNextItemWidth(-1.0f);
  ImGui::InputTextWithHint("##search", "search", &ui.jointSearch);
  const float below = scaled(!document.selected ? 60.0f : document.heatMap ? 172.0f : 124.0f);
  ImGui::BeginChild("##tree", {0, std::max(ImGui::GetContentRegionAvail().y - below, scaled(60))},
                    false, ImGuiWindowFlags_HorizontalScrollbar);
  if (!ui.jointSearch.empty()) {
    foundJoints(document, ui, joints);
  } else {
    const JointTree tree = jointTree(document.bench.model, joints);
    ImGui::PushStyleVar(ImGuiStyleVar_IndentSpacing, scaled(9)); // skeletons are deep
    for (const std::uint32_t root : tree.roots)
      treeNode(document, ui, tree, root);
    ImGui::PopStyleVar();
  }
  ui.scrollToJoint = false;
  ImGui::EndChild();
  ImGui::Separator();
  selectedJoint(document, ui);
  const float width = ImGui::GetWindowWidth();
  ImGui::End();
  return width;
}

} // namespace sinew
