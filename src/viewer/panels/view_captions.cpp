// What stands over the views: the method of each, and which is active.

#include "editor/bind/binding.h"
#include "editor/document/side_models.h"
#include "editor/document/views.h"
#include "editor/session.h"
#include "picture/captions.h"
#include "report/sheet.h"
#include "viewer/panels/panels.h"
#include "viewer/state/short_text.h"
#include "viewer/state/view_layout.h"
#include "viewer/window/theme.h"

#include <fmt/format.h>
#include <imgui/imgui.h>

#include <algorithm>

namespace sinew {
namespace {

// 14796 -> "14.8 k"
std::string shortNumber(std::size_t number) {
  const auto value = static_cast<double>(number);
  if (number < 1000) return std::to_string(number);
  return number < 1'000'000 ? fmt::format("{:.1f} k", 1e-3 * value)
                            : fmt::format("{:.2f} M", 1e-6 * value);
}

// Triangles and GPU time, or the time alone where there is little room. Software renderers work at
// several views at once, so the time of one is nothing they could tell.
std::string formatCost(const Graphics& graphics, const Statistics& statistics, std::size_t view,
                       float room) {
  if (view >= statistics.views.size()) return {};
  const ViewStatistics& of = statistics.views[view];
  const std::string time = of.gpu.count() > 0 && !graphics.info.software
                               ? fmt::format("{:.2f} ms", of.gpu.median())
                               : std::string();
  const std::string all = fmt::format("{} triangles{}{}", shortNumber(of.drawn.triangles),
                                      time.empty() ? "" : ", ", time);
  return ImGui::CalcTextSize(all.c_str()).x < room ? all : time;
}

// Words on a dark strip, its lower left corner at `corner`; `whole` under the mouse where they are
// shorter than that.
struct CaptionStrip {
  float top;
  bool hovered; // the mouse is over it
};
CaptionStrip strip(const Rect& cell, const ImVec2& corner, const std::string& text, ImU32 color,
                   const std::string& whole = {}) {
  if (text.empty()) return {corner.y, false};
  ImDrawList& draw = *ImGui::GetBackgroundDrawList();
  const float pad = scaled(5);
  const ImVec2 size = ImGui::CalcTextSize(text.c_str());
  const float top = corner.y - size.y - pad;
  const ImVec2 end{std::min(corner.x + size.x + 2 * pad, cell.x + cell.width), top + size.y + pad};
  draw.AddRectFilled({corner.x, top}, end, IM_COL32(14, 16, 20, 170), scaled(3));
  draw.PushClipRect({corner.x, top}, end, true);
  draw.AddText({corner.x + pad, top + 0.5f * pad}, color, text.c_str());
  draw.PopClipRect();
  if (ImGui::GetIO().WantCaptureMouse) return {top, false};
  const bool over = ImGui::IsMouseHoveringRect({corner.x, top}, end, false);
  if (over && !whole.empty() && whole != text) ImGui::SetTooltip("%s", whole.c_str());
  return {top, over};
}

// The colours of the differences at the picture's right, above `bottom`.
void legend(const Document& document, const Rect& picture, float bottom) {
  const std::string title = differenceTitle(document.settings);
  const std::string end = differenceEnd(document.workbench, document.settings);
  const float pad = scaled(6);
  const float line = ImGui::GetTextLineHeight();
  const float bar = scaled(9);
  const float wide = std::max(ImGui::CalcTextSize(title.c_str()).x, scaled(120));
  const ImVec2 at{picture.x + picture.width - wide - 2 * pad - scaled(5),
                  bottom - 2 * line - bar - 3 * pad - scaled(5)};
  ImDrawList& draw = *ImGui::GetBackgroundDrawList();
  draw.AddRectFilled(at, {at.x + wide + 2 * pad, at.y + 2 * line + bar + 3 * pad},
                     IM_COL32(14, 16, 20, 190), scaled(3));
  const float left = at.x + pad;
  const float top = at.y + pad + line + 0.5f * pad;
  draw.AddText({left, at.y + pad}, IM_COL32(238, 240, 243, 255), title.c_str());
  drawFieldColors(draw, document.settings, {left, top, wide, bar});
  const ImU32 faint = IM_COL32(200, 204, 212, 255);
  draw.AddText({left, top + bar + 0.5f * pad}, faint, "0");
  draw.AddText({left + wide - ImGui::CalcTextSize(end.c_str()).x, top + bar + 0.5f * pad}, faint,
               end.c_str());
}

// Shows at the top which views are shown, if not all are.
void pageNumbers(const Document& document, const Rect& picture) {
  const auto [first, last] = shownPage(document);
  const std::size_t count = viewCount(document);
  if (last - first == count || document.views.alone) return;
  const std::string text =
      fmt::format("views {} to {} of {}  Ctrl+PageUp, Ctrl+PageDown", first + 1, last, count);
  const float left = picture.x + 0.5f * (picture.width - ImGui::CalcTextSize(text.c_str()).x);
  const float bottom = picture.y + 2.0f * ImGui::GetTextLineHeight();
  strip(picture, {left, bottom}, text, IM_COL32(238, 240, 243, 255));
}

// Adds the remark on the method behind its name, or below it.
std::string remarked(const Session& session, std::size_t view, std::string caption,
                     const char* before) {
  const std::string_view remark = remarkOn(session, view);
  if (remark.empty()) return caption;
  return caption.insert(std::min(caption.find('\n'), caption.size()),
                        fmt::format("{}{}", before, remark));
}

std::string shortCaption(const Document& document, std::size_t view) {
  std::string title = makeTitle(document.settings.methods[view]);
  if (document.workbench.differences.empty()) return title;
  const Difference& difference = document.workbench.differences[view];
  return title + (difference.reference ? "\nreference"
                                       : fmt::format("\nto {}", percentText(difference.largest)));
}

} // namespace

namespace {

constexpr const char* kBeside = "  \xc2\xb7  "; // between file and method

// The captions of the document's views only.
Captions documentCaptions(const Session& session, std::vector<std::string>& lines,
                          std::vector<std::string>& brief) {
  const Document& document = session.document;
  Captions captions{comparedCaptions(document, session.bind), {}};
  const std::size_t views = document.settings.methods.size();
  for (std::size_t i = 0; i < views && captions.whole.size() < views; ++i) {
    const std::string caption = makeCaption(document.workbench, document.settings, i);
    captions.whole.push_back(remarked(session, i, caption, ": "));
    lines.push_back(remarked(session, i, caption, "\n")); // the whole caption in narrower lines
    brief.push_back(shortCaption(document, i));
  }
  if (brief.empty()) lines = brief = captions.whole;
  return captions;
}

// A model of another size that is drawn as large as the document says so.
std::string sideModelCaption(const Document& document, const SideModel& sideModel) {
  std::string title = makeTitle(sideModel.choice);
  if (!sideModel.fitted) return title;
  const float size = sideModel.bounds.size() / document.framing.bounds.size();
  return fmt::format("{}, {:.3g} times the size", title, size);
}

// Adds the file of its view before every caption; names alone if the methods are the same.
void addFiles(const Document& document, Captions& captions, std::vector<std::string>& lines,
              std::vector<std::string>& brief) {
  const std::vector<std::string> names = modelNames(document);
  const std::size_t own = captions.whole.size();
  std::vector<std::string> files(own, names.front());
  for (std::size_t i = 0; i < document.sideModels.size(); ++i) {
    const SideModel& sideModel = document.sideModels[i];
    files.push_back(names[i + 1]);
    captions.whole.push_back(sideModelCaption(document, sideModel));
    lines.push_back(captions.whole.back());
    brief.push_back(makeTitle(sideModel.choice));
  }
  const std::vector<std::string> part = withoutCommonStart(files, "_-. /");
  const bool same = own == 1 && std::ranges::count(brief, brief.front()) ==
                                    static_cast<std::ptrdiff_t>(brief.size());
  for (std::size_t i = 0; i < files.size(); ++i) {
    captions.whole[i] = files[i] + kBeside + captions.whole[i];
    lines[i] = fmt::format("{}\n{}", files[i], lines[i]);
    brief[i] = same ? part[i] : fmt::format("{}\n{}", part[i], brief[i]);
  }
}

} // namespace

Captions captionsFor(const Session& session, float room) {
  std::vector<std::string> lines;
  std::vector<std::string> brief;
  Captions captions = documentCaptions(session, lines, brief);
  const bool beside = !session.document.sideModels.empty();
  if (beside) addFiles(session.document, captions, lines, brief);
  captions.shown = firstThatFits(
      {captions.whole, lines, brief, beside ? brief : withoutCommonStart(brief)},
      [room](const std::string& text) { return ImGui::CalcTextSize(text.c_str()).x <= room; });
  return captions;
}

std::vector<std::string> pictureCaptions(const Session& session) {
  const Document& document = session.document;
  if (document.sideModels.empty()) return comparedCaptions(document, session.bind);
  std::vector<std::string> lines;
  std::vector<std::string> brief;
  Captions captions = documentCaptions(session, lines, brief);
  addFiles(document, captions, lines, brief);
  return lines;
}

Rect rectOfCell(const Ui& ui, const Viewport& cell, const Rect& picture) {
  const Viewport& area = ui.viewport;
  const float unit = picture.width / static_cast<float>(area.width);
  return {picture.x + unit * static_cast<float>(cell.x - area.x),
          picture.y + unit * static_cast<float>(area.y + area.height - cell.y - cell.height),
          unit * static_cast<float>(cell.width), unit * static_cast<float>(cell.height)};
}

// Between two views of one picture, at the left edge of the second.
static void divider(const Rect& right) {
  ImDrawList& draw = *ImGui::GetBackgroundDrawList();
  const ImU32 white = IM_COL32(245, 247, 250, 230), dark = IM_COL32(14, 16, 20, 200);
  const float middle = right.y + 0.5f * right.height;
  draw.AddLine({right.x, right.y}, {right.x, right.y + right.height}, dark, scaled(4));
  draw.AddLine({right.x, right.y}, {right.x, right.y + right.height}, white, scaled(1.5f));
  draw.AddCircleFilled({right.x, middle}, scaled(9), dark);
  for (const float side : {-1.0f, 1.0f})
    draw.AddTriangleFilled({right.x + side * scaled(6), middle},
                           {right.x + side * scaled(2), middle - scaled(4)},
                           {right.x + side * scaled(2), middle + scaled(4)}, white);
}

void viewCaptions(const Session& session, Ui& ui, const Graphics& graphics,
                  const Statistics& statistics, const Rect& picture) {
  const Document& document = session.document;
  const std::size_t count = document.workbench.bound.size() + document.sideModels.size();
  const bool differences = !document.workbench.differences.empty();
  const bool remarks = !remarkOn(session, 0).empty();
  if (count != viewCount(document) || document.crowd) return;
  if (count == 0 || (count == 1 && !differences && !remarks)) return;
  const std::vector<Viewport> cells = visibleCells(document, ui);
  const float edge = scaled(5);
  const Rect first = rectOfCell(ui, cells[activeView(document)], picture); // all have this size
  ImGui::PushFont(smallFont());
  const Captions captions = captionsFor(session, first.width - 2 * edge - scaled(10));
  // Above what covers the picture's lower end: below are feet, above would be heads.
  const float lowest = picture.y + picture.height - ui.covered;
  float top = lowest;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (cells[i].width == 0) continue;
    const Rect rect = rectOfCell(ui, cells[i], picture);
    const ImVec2 corner{rect.x + edge, std::min(rect.y + rect.height, lowest) - edge};
    const CaptionStrip caption =
        strip(rect, corner, captions.shown[i], IM_COL32(238, 240, 243, 255), captions.whole[i]);
    top = caption.top;
    const SideModel* sideModel = sideModelIn(document, i);
    if (sideModel != nullptr && caption.hovered && ImGui::IsMouseClicked(ImGuiMouseButton_Left))
      openSideModelMenu(ui, sideModel->id);
    if (document.settings.statistics)
      top = strip(rect, {corner.x, top}, formatCost(graphics, statistics, i, rect.width - 4 * edge),
                  IM_COL32(168, 174, 184, 255))
                .top;
    if (count > 1 && i == activeView(document) && !document.views.alone && !isDivided(document))
      ImGui::GetBackgroundDrawList()->AddRect(
          {rect.x, rect.y}, {rect.x + rect.width, rect.y + rect.height},
          ImGui::GetColorU32(accentColor()), 0.0f, 0, scaled(1.5f));
  }
  if (isDivided(document)) divider(rectOfCell(ui, cells[1], picture));
  if (differences && !ui.panels)
    legend(document, picture, top); // else it is in the strip of methods
  pageNumbers(document, picture);
  ImGui::PopFont();
}

} // namespace sinew
