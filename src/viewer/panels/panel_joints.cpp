// The joint tree on the left, with search, and what is known of the selected joint.

#include "app/settings_view.h"
#include "editor/bind/binding.h"
#include "editor/document/framing.h"
#include "editor/file_list.h"
#include "editor/session.h"
#include "rig/rig.h"
#include "viewer/panels/controls.h"
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
  std::vector<std::vector<std::uint32_t>> children; // indexed by node
};

JointTree jointTree(const Model& model, const std::vector<std::uint32_t>& joints) {
  const auto& nodes = model.hierarchy.nodes;
  std::vector<bool> isJoint(nodes.size(), false);
  for (const std::uint32_t node : joints)
    isJoint[node] = true;
  std::vector<std::uint32_t> above(nodes.size(), kNoNode); // the nearest joint, parents come first
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (const std::uint32_t parent = nodes[i].parent; parent != kNoNode)
      above[i] = isJoint[parent] ? parent : above[parent];
  JointTree tree;
  tree.children.resize(nodes.size());
  for (const std::uint32_t node : joints)
    (above[node] == kNoNode ? tree.roots : tree.children[above[node]]).push_back(node);
  return tree;
}

// The nodes above one, by node.
std::vector<bool> markAncestors(const Hierarchy& hierarchy, std::uint32_t node) {
  std::vector<bool> out(hierarchy.nodes.size(), false);
  for (node = hierarchy.nodes[node].parent; node != kNoNode; node = hierarchy.nodes[node].parent)
    out[node] = true;
  return out;
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

// An eye at the right end of the row just drawn, while the mouse is on it or the joint is hidden. A
// click hides or shows the joint and those below; with Ctrl the joint alone.
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

// Returns whether the joint is open: then ImGui::TreePop() ends its children.
bool drawJoint(Document& document, Ui& ui, const JointTree& tree, std::uint32_t node,
               bool leadsToSelected) {
  const bool selected = document.selected == node;
  ImGuiTreeNodeFlags flags = ImGuiTreeNodeFlags_DefaultOpen | ImGuiTreeNodeFlags_OpenOnArrow |
                             ImGuiTreeNodeFlags_SpanFullWidth;
  if (tree.children[node].empty()) flags |= ImGuiTreeNodeFlags_Leaf;
  if (selected) flags |= ImGuiTreeNodeFlags_Selected;
  if (leadsToSelected) ImGui::SetNextItemOpen(true);
  const bool open = ImGui::TreeNodeEx(std::to_string(node).c_str(), flags, "%s",
                                      document.workbench.model.hierarchy.nodes[node].name.c_str());
  if (!onEye()) clicked(document, ui, node);
  eye(document, node);
  if (selected && ui.scrollToJoint) {
    ImGui::SetScrollHereY(0.5f);
    ui.scrollToJoint = false;
  }
  return open;
}

// Draws without recursion: a file may have a chain of 65,536 joints.
void drawTree(Document& document, Ui& ui, const JointTree& tree) {
  std::vector<bool> leads(document.workbench.model.hierarchy.nodes.size(), false);
  if (ui.scrollToJoint && document.selected)
    leads = markAncestors(document.workbench.model.hierarchy, *document.selected);
  struct Level {
    const std::vector<std::uint32_t>* joints;
    std::size_t next;
  };
  std::vector<Level> levels{{&tree.roots, 0}};
  while (!levels.empty()) {
    Level& level = levels.back();
    if (level.next == level.joints->size()) {
      levels.pop_back();
      if (!levels.empty()) ImGui::TreePop();
      continue;
    }
    const std::uint32_t node = (*level.joints)[level.next++];
    if (drawJoint(document, ui, tree, node, leads[node]))
      levels.push_back({&tree.children[node], 0});
  }
}

void foundJoints(Document& document, Ui& ui, const std::vector<std::uint32_t>& joints) {
  bool any = false;
  for (const std::uint32_t node : joints) {
    const std::string& name = document.workbench.model.hierarchy.nodes[node].name;
    if (!holdsWords(name, ui.jointSearch)) continue;
    any = true;
    ImGui::PushID(static_cast<int>(node));
    ImGui::Selectable(name.c_str(), document.selected == node);
    clicked(document, ui, node);
    ImGui::PopID();
  }
  if (!any) faintText("no joint of that name");
}

std::string describeInfluence(const Document& document, std::uint32_t node) {
  const Rig& rig = document.workbench.rig;
  std::size_t vertices = 0;
  float largest = 0.0f;
  for (const float weight : jointWeights(rig, node)) {
    if (weight > 0.0f) ++vertices;
    largest = std::max(largest, weight);
  }
  if (vertices == 0) return "moves no vertex";
  return fmt::format("{} vertices, weights to {:.2f}", vertices, largest);
}

void selectedJoint(Document& document, Ui& ui) {
  if (!document.selected) {
    faintText(document.joints.empty() ? "No joints. Weights, Bind gives the mesh a skeleton."
                                      : "Click a joint here or a bone in the picture.");
    return;
  }
  const std::uint32_t node = *document.selected;
  const Workbench& workbench = document.workbench;
  heading(workbench.model.hierarchy.nodes[node].name.c_str());
  const vec3 at(workbench.modelFromNode[node][3]);
  faintText(fmt::format("at {:.3g}, {:.3g}, {:.3g}", at.x, at.y, at.z));
  if (drafting(document)) return; // nothing hangs on it yet
  Notes& notes = ui.notes;
  if (notes.revision != document.revisions.weights) notes = Notes{};
  notes.revision = document.revisions.weights;
  if (notes.joint != node) notes.influence = describeInfluence(document, node);
  notes.joint = node;
  faintText(notes.influence);
  checkbox("Weights as colours", &document.heatMap);
  if (document.heatMap) colorScale(document.settings);
}

} // namespace

void drawFieldColors(ImDrawList& draw, const Settings& settings, const Rect& bar) {
  const std::vector<vec3> colors = fieldColors(settings);
  const auto packed = [&](std::size_t i) {
    return ImGui::GetColorU32(ImVec4(colors[i].x, colors[i].y, colors[i].z, 1.0f));
  };
  const float step = bar.width / static_cast<float>(colors.size() - 1);
  for (std::size_t i = 0; i + 1 < colors.size(); ++i) {
    const float x = bar.x + step * static_cast<float>(i);
    draw.AddRectFilledMultiColor({x, bar.y}, {x + step, bar.y + bar.height}, packed(i),
                                 packed(i + 1), packed(i + 1), packed(i));
  }
}

void colorScale(const Settings& settings) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const Rect bar{at.x, at.y, ImGui::GetContentRegionAvail().x, scaled(10)};
  drawFieldColors(*ImGui::GetWindowDrawList(), settings, bar);
  ImGui::Dummy({bar.width, bar.height});
  ImGui::TextColored(faintColor(), "0");
  ImGui::SameLine(ImGui::GetContentRegionMax().x - ImGui::CalcTextSize("1").x);
  ImGui::TextColored(faintColor(), "1");
}

float jointPanel(Document& document, Ui& ui, const Rect& r) {
  const std::vector<std::uint32_t>& joints = document.joints;
  if (std::exchange(ui.shownJoint, document.selected) != document.selected)
    ui.scrollToJoint = document.selected.has_value();
  ImGui::SetNextWindowPos({r.x, r.y});
  const float usual = std::min(scaled(250), 0.23f * r.width);
  beginColumn("Joints", ui.jointsColumn, usual, scaled(150), r);
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
    const JointTree tree = jointTree(document.workbench.model, joints);
    ImGui::PushStyleVar(ImGuiStyleVar_IndentSpacing, scaled(9)); // skeletons are deep
    drawTree(document, ui, tree);
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
