// The menu of a model beside the document: by a click on its caption, or the right button in its
// view.

#include "editor/document/side_models.h"
#include "editor/document/views.h"
#include "editor/session.h"
#include "editor/side_imports.h"
#include "viewer/panels/controls.h"
#include "viewer/panels/panels.h"
#include "viewer/window/theme.h"

#include <imgui/imgui.h>

#include <utility>

namespace sinew {
namespace {

constexpr const char* kSideModelMenu = "##side-model";

} // namespace

void openSideModelMenu(Ui& ui, std::uint64_t id) {
  ui.sideModel = id;
  ui.sideModelOpening = true;
}

void sideModelMenu(Session& session, Ui& ui) {
  Document& document = session.document;
  if (std::exchange(ui.sideModelOpening, false)) {
    ImGui::OpenPopup(kSideModelMenu);
    for (std::size_t view = 0; view < viewCount(document); ++view)
      if (const SideModel* shown = sideModelIn(document, view); shown && shown->id == ui.sideModel)
        document.views.active = view;
  }
  if (!ImGui::BeginPopup(kSideModelMenu)) return;
  const SideModel* sideModel = findSideModel(document, ui.sideModel);
  if (sideModel == nullptr) {
    ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
    return;
  }
  const std::string& file = sideModel->request.model;
  ImGui::TextColored(faintColor(), "%s", shortenedText(file, scaled(360)).c_str());
  itemHelp(file.c_str());
  ImGui::Separator();
  const bool chosen = ImGui::MenuItem("Make it the main model", "Ctrl+Enter");
  ImGui::MenuItem("Models at one scale", nullptr, &document.oneScale);
  const bool removed = ImGui::MenuItem("Remove", "Shift+V");
  ImGui::EndPopup();
  arrangeSideModels(document);
  if (chosen) makeDocument(session, ui.sideModel);
  if (removed) removeSideModel(document, ui.sideModel);
}

} // namespace sinew
