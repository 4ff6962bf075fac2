// The views: the same model, pose and camera, each drawn by a method of its own, and behind them
// other models beside it (side_models.h). Settings::methods is the list of the former; here is how
// keys and panels change both.
#pragma once

#include "app/method_list.h"
#include "editor/document/document.h"

#include <cstddef>

namespace sinew {

std::size_t viewCount(const Document& document);
// The other model that a view shows; null: it shows the document.
const SideModel* sideModelIn(const Document& document, std::size_t view);
std::size_t activeView(const Document& document); // index of an existing view

MethodChoice activeChoice(const Document& document);
void setActiveChoice(Document& document, const MethodChoice& choice);

// Adds a view after the last and makes it active: by linear blending where no view has it, else by
// the next method that no view has yet; rigid skinning comes last.
void addView(Document& document);
// Removes the active view, unless it is the document's only one.
void removeView(Document& document);
void nextView(Document& document, int step);
void toggleAlone(Document& document);

// Colours by the distance from linear blending, with the parameters of its view where there is one,
// or back.
void toggleDifference(Document& document);

} // namespace sinew
