// The zone of the selected joint: the part of the bone over which its rotation blends in, and what
// gives a vertex its blend factor.

#include "app/method_list.h"
#include "editor/document/views.h"
#include "editor/edit_files.h"
#include "editor/pose/editing.h"
#include "editor/rig_edits.h"
#include "editor/session.h"
#include "skinning/joint_binding.h"
#include "skinning/methods.h"
#include "viewer/panels/controls.h"
#include "viewer/panels/curve_canvas.h"
#include "viewer/panels/panels.h"
#include "viewer/window/theme.h"

#include <fmt/format.h>
#include <imgui/imgui.h>

#include <algorithm>
#include <array>

namespace sinew {
namespace {

void sourceChoice(Document& document) {
  JointZone entry = selectedZoneEntry(document);
  const auto before = entry.source;
  ImGui::TextUnformatted("Blend factor");
  ImGui::SetNextItemWidth(-1.0f);
  const std::string now = entry.source ? std::string(toString(*entry.source)) : "as in the method";
  if (ImGui::BeginCombo("##source", now.c_str())) {
    if (ImGui::Selectable("as in the method", !entry.source)) entry.source.reset();
    for (const ParameterSource source : {ParameterSource::weights, ParameterSource::zone})
      if (ImGui::Selectable(std::string(toString(source)).c_str(), entry.source == source))
        entry.source = source;
    ImGui::EndCombo();
  }
  if (ImGui::IsItemHovered())
    ImGui::SetTooltip("from the artist's bone weights, or from the distance along the bone within "
                      "the bend range");
  if (entry.source == before) return;
  setSelectedZoneEntry(document, entry);
  commitEdit(document, "Source of a bend range");
}

// Percent of a bone for each unit of the file.
float toPercent(float bone) {
  return bone > 0.0f ? 100.0f / bone : 1.0f;
}

void endSlider(Document& document, Ui& ui, const ZoneShape& shape, bool low) {
  JointZone entry = selectedZoneEntry(document);
  std::optional<float>& end = low ? entry.min : entry.max;
  const float bone = low ? shape.axis.parentLength : shape.axis.length;
  const float now = low ? shape.zone.min : shape.zone.max;
  const float reach = std::max(bone, std::abs(now)); // a file may give more than the bone's length
  const float percent = toPercent(bone);
  float value = now * percent;
  ImGui::PushID(low ? 0 : 1);
  const bool changed =
      namedSlider(low ? "start" : "end", &value, low ? -reach * percent : 0.01f * bone * percent,
                  low ? -0.01f * bone * percent : reach * percent, "%.1f %%");
  const bool done = ImGui::IsItemDeactivatedAfterEdit();
  if (ImGui::IsItemHovered() || ImGui::IsItemActive())
    ui.bendEnd = low ? ZoneEnd::min : ZoneEnd::max;
  itemHelp(
      low ? "where the skin begins to follow: from the joint towards its parent, in percent of the "
            "parent's bone"
          : "where the skin follows the joint completely: along the bone, in percent of it");
  ImGui::BeginDisabled(!end);
  const bool fitted = ImGui::SmallButton("As fitted");
  ImGui::EndDisabled();
  if (ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled))
    ImGui::SetTooltip("fitted to the artist's weights");
  if (changed) end = value / percent;
  if (fitted) end.reset();
  if (changed || fitted) setSelectedZoneEntry(document, entry);
  if (done || fitted) commitEdit(document, "Bend range");
  ImGui::PopID();
}

// How the blend factor grows over the zone.
void curveChoice(Document& document, Ui& ui) {
  using Kind = BlendCurve::Kind;
  JointZone entry = selectedZoneEntry(document);
  const BlendCurve curve = entry.curve.value_or(BlendCurve{});
  ImGui::TextUnformatted("Curve");
  ImGui::SetNextItemWidth(-1.0f);
  static constexpr std::array kNames{"linear", "smooth", "drawn by hand"};
  auto chosen = static_cast<int>(curve.kind);
  if (ImGui::Combo("##curve", &chosen, kNames.data(), static_cast<int>(kNames.size()))) {
    BlendCurve other{static_cast<Kind>(chosen)};
    if (other.kind == Kind::drawn) // starts from the previous curve
      for (const float place : {0.25f, 0.75f})
        other.points.emplace_back(place, blendAt(curve, place));
    entry.curve = std::move(other);
    if (entry.curve->kind == Kind::linear) entry.curve.reset();
    setSelectedZoneEntry(document, entry);
    commitEdit(document, "Curve of a bend range");
  }
  itemHelp("the blend factor over the bend range. linear: as published; smooth: without a kink at "
           "its ends");
  const CurveEdit edit = curveCanvas(curve, ui.curvePoint);
  if (!edit.changed) return;
  if (edit.curve != curve) {
    entry.curve = edit.curve;
    setSelectedZoneEntry(document, entry);
  }
  if (edit.done) commitEdit(document, "Curve of a bend range");
}

void setTwist(Document& document, JointZone& entry, std::optional<TwistRange> twist) {
  entry.twist = twist;
  setSelectedZoneEntry(document, entry);
}

// Where the joint's twist blends in.
void twistChoice(Document& document, const ZoneShape& shape) {
  using Kind = TwistRange::Kind;
  static constexpr std::array kNames{"as in the method", "with the bend", "over the limb",
                                     "from start to end"};
  JointZone entry = selectedZoneEntry(document);
  ImGui::TextUnformatted("Twist");
  ImGui::SetNextItemWidth(-1.0f);
  int chosen = entry.twist ? 1 + static_cast<int>(entry.twist->kind) : 0;
  if (ImGui::Combo("##twist", &chosen, kNames.data(), static_cast<int>(kNames.size()))) {
    std::optional<TwistRange> twist;
    if (chosen > 0) twist = TwistRange{static_cast<Kind>(chosen - 1)};
    if (twist && twist->kind == Kind::given) twist->max = shape.axis.length;
    setTwist(document, entry, twist);
    commitEdit(document, "Twist range");
  }
  itemHelp("where the joint's rotation about its bone blends in: with its bend, as published, or "
           "evenly over the limb that it twists, which takes normals=cheap");
  if (!entry.twist || entry.twist->kind != Kind::given) return;
  TwistRange range = *entry.twist;
  const float least = 0.01f * shape.axis.length; // shortest range
  const auto slider = [](const char* name, float& at, float low, float high, float bone) {
    float value = at * toPercent(bone);
    const bool changed =
        namedSlider(name, &value, low * toPercent(bone), high * toPercent(bone), "%.1f %%");
    if (changed) at = value / toPercent(bone);
    return changed;
  };
  bool changed = slider("twist start", range.min, std::min(range.min, -shape.axis.parentLength),
                        0.0f, shape.axis.parentLength);
  bool done = ImGui::IsItemDeactivatedAfterEdit();
  changed |= slider("twist end", range.max, 0.0f, std::max(range.max, shape.axis.length),
                    shape.axis.length);
  done = done || ImGui::IsItemDeactivatedAfterEdit();
  if (range.max - range.min < least) range.max = range.min + least;
  range.max = std::max(range.max, 0.0f);
  if (changed) setTwist(document, entry, range);
  if (done) commitEdit(document, "Twist range");
}

// The joint's method in views with the method Per joint.
void methodChoice(Document& document) {
  JointZone entry = selectedZoneEntry(document);
  const std::string before = entry.method;
  const auto titleOfName = [](const std::string& name) {
    return name.empty() ? "as the view" : std::string(findMethod(name).title);
  };
  ImGui::TextUnformatted("Method of this joint");
  ImGui::SetNextItemWidth(-1.0f);
  if (ImGui::BeginCombo("##method", titleOfName(entry.method).c_str())) {
    if (ImGui::Selectable("as the view", entry.method.empty())) entry.method.clear();
    for (const Method& method : methods())
      if (!method.perJoint &&
          ImGui::Selectable(std::string(method.title).c_str(), entry.method == method.name))
        entry.method = method.name;
    ImGui::EndCombo();
  }
  itemHelp(
      "used if the view's method is Per joint; 'as the view': its parameter for all other joints");
  const bool shown = std::ranges::any_of(
      document.workbench.bound, [](const BoundMethod& bound) { return bound.method->perJoint; });
  if (!entry.method.empty() && !shown)
    faintText("Has an effect only in a view with the method Per joint.");
  if (entry.method == before) return;
  setSelectedZoneEntry(document, entry);
  commitEdit(document, "Method of a joint");
}

void subdivision(Document& document, Ui& ui) {
  ImGui::Spacing();
  ImGui::TextUnformatted("Subdivide");
  const bool joint = document.selected.has_value();
  if (wideButton("Split 1:3 here", "adds a vertex in every triangle at the selected joint", joint,
                 0))
    subdivideSelected(document, Subdivision::centroid);
  if (wideButton("Split 1:4 here", "adds a vertex on every edge at the selected joint", joint, 1))
    subdivideSelected(document, Subdivision::midpoints);
  namedSlider("angle", &ui.bentDegrees, 5.0f, 90.0f, "%.0f\xc2\xb0");
  if (button("Subdivide 1:4 above this angle", -1.0f)) subdivideBent(document, ui.bentDegrees);
  itemHelp(
      "splits triangles at edges where this pose folds the skin by more than the angle, relative "
      "to the bind pose");
}

// Whether the joint's blend factors come from distances along the bone; else its bend range says
// little, and the panel says why.
bool bendsByRange(const Document& document) {
  if (const auto source = selectedZoneEntry(document).source)
    return *source == ParameterSource::zone;
  const Method* method = activeChoice(document).method;
  const auto shown = std::ranges::find(document.workbench.bound, method, &BoundMethod::method);
  if (shown == document.workbench.bound.end()) return false;
  const std::vector<float> values = parameterValues(method->parameters, shown->options);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (method->parameters[i].name == kJointParameters[0].name) return values[i] != 0.0f;
  return false;
}

void whyNoEffect(Document& document) {
  if (activeChoice(document).method->perJoint || bendsByRange(document)) return;
  faintText("The skin bends by the artist's weights here, so the range has little effect.");
  if (!button("Bend by the range", -1.0f)) return;
  JointZone entry = selectedZoneEntry(document);
  entry.source = ParameterSource::zone;
  setSelectedZoneEntry(document, entry);
  commitEdit(document, "Source of a bend range");
}

void joint(Document& document, PoseEditing& posing, Ui& ui) {
  const ZoneShape* shape = selectedZone(document, posing);
  heading(document.workbench.model.hierarchy.nodes[*document.selected].name.c_str());
  if (shape == nullptr) {
    faintText("A root joint has no parent to bend against, so it has no bend range.");
    return;
  }
  const ZoneShape seen = *shape; // the sliders change what it is made from
  textInLines("Along the bone, the skin bends");
  endSlider(document, ui, seen, true);
  endSlider(document, ui, seen, false);
  whyNoEffect(document);
  ImGui::Spacing();
  sourceChoice(document);
  curveChoice(document, ui);
  twistChoice(document, seen);
  methodChoice(document);
}

} // namespace

void zoneTab(Session& session, Ui& ui) {
  Document& document = session.document;
  if (!hasModel(document) || document.crowd) {
    faintText("No single model to edit.");
    return;
  }
  const bool used = usesZones(document);
  if (!used)
    offerMethods(document, "bends by weights alone and ignores this.",
                 [](const Method& method) { return method.usesZones && !method.perJoint; });
  ImGui::BeginDisabled(!used);
  if (document.selected)
    joint(document, session.posing, ui);
  else
    faintText(
        "Click a bone in the picture or a joint in the list: rings show where the skin starts to "
        "bend and where it follows the joint completely. Drag them along the bone.");
  ImGui::EndDisabled();
  if (!drafting(document)) subdivision(document, ui);
  ImGui::Spacing();
  ImGui::Separator();
  ImGui::Spacing();
  undoButtons(document);
  if (button("Save bend ranges", -1.0f)) saveEdits(session, SaveKind::bendRanges);
  if (ImGui::IsItemHovered())
    ImGui::SetTooltip("beside the model, where they are read with it  Ctrl+Alt+Z");
  if (button("Open bend ranges...", -1.0f)) openBrowser(ui, Browse::edits);
  const std::size_t count = document.history.now().zones.size();
  faintText(fmt::format(
      "{} joint{} with a bend range of {} own{}", count, count == 1 ? "" : "s",
      count == 1 ? "its" : "their",
      document.workbench.zones.path.empty() ? "" : ", from " + document.workbench.zones.path));
}

} // namespace sinew
