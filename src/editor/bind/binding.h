// Automatic weights, made on a thread: for the skeleton being edited or the model's own joints; of
// one algorithm, or of both to compare them side by side.
#pragma once

#include "editor/bind/bind_state.h"
#include "editor/bind/draft.h"
#include "editor/document/document.h"

#include <string>
#include <vector>

namespace sinew {

// Reads a skeleton on the thread; pollBinding() makes it the draft.
void openSkeleton(Document& document, BindState& bind, const std::string& name);

// Start with bind.options on the draft, or else on the model's own joints.
void startBinding(Document& document, BindState& bind);
void startComparing(Document& document, BindState& bind);
void cancelBinding(Document& document, BindState& bind);
// Takes the result of the thread, if it has ended. True if the document or state has changed.
bool pollBinding(Document& document, BindState& bind);

bool comparing(const Document& document, const BindState& bind); // two heat maps are shown
void showCompared(Document& document, BindState& bind, bool shown);
void keepCompared(Document& document, BindState& bind, std::size_t which);
// The captions of the views, while comparing.
std::vector<std::string> comparedCaptions(const Document& document, const BindState& bind);
// The weights of the draft's selected joint in a view, per vertex; empty without one.
std::vector<float> comparedWeights(const Document& document, const BindState& bind,
                                   std::size_t view);

// Call it after another model has been opened.
void forgetBinding(Document& document, BindState& bind);

} // namespace sinew
