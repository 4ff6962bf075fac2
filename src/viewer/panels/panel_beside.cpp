// The menu of a model beside the document: by a click on its caption, or the right button in its
// view.

#include "editor/beside.h"
#include "editor/document/companions.h"
#include "editor/document/views.h"
#include "editor/session.h"
#include "viewer/panels/controls.h"
#include "viewer/panels/panels.h"
#include "viewer/window/theme.h"

#include <imgui/imgui.h>

#include <utility>

namespace sinew {
namespace {

constexpr const char* kCompanionMenu = "##companion";

} // namespace

void openCompanionMenu(Ui& ui, std::uint64_t id) {
  ui.companion = id;
  ui.companionOpening = true;
}

void companionMenu(Session& session, Ui& ui) {
  Document& document = session.document;
  if (std::exchange(ui.companionOpening, false)) {
    ImGui::OpenPopup(kCompanionMenu);
    for (std::size_t view = 0; view < viewCount(document); ++view)
      if (const Companion* shown = companionIn(document, view); shown && shown->id == ui.companion)
        document.views.active = view;
  }
  if (!ImGui::BeginPopup(kCompanionMenu)) return;
  const Companion* companion = findCompanion(document, ui.companion);
  if (companion == nullptr) {
    ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
    return;
  }
  const std::string& file = companion->request.model;
  ImGui::TextColored(faintColor(), "%s", shortenedText(file, scaled(360)).c_str());
  itemHelp(file.c_str());
  ImGui::Separator();
  const bool chosen = ImGui::MenuItem("Make it the document", "Ctrl+Enter");
  ImGui::MenuItem("Models at one scale", nullptr, &document.oneScale);
  const bool removed = ImGui::MenuItem("Remove", "Shift+V");
  ImGui::EndPopup();
  arrangeCompanions(document);
  if (chosen) makeDocument(session, ui.companion);
  if (removed) removeCompanion(document, ui.companion);
}

} // namespace sinew
