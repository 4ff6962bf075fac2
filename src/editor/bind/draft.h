// The skeleton that a mesh is to be bound to: chosen, placed and edited joint by joint. Every
// change is an edit of Edit::draft; what fails is reported in BindState::problem and changes
// nothing.
#pragma once

#include "editor/bind/bind_state.h"
#include "editor/document/document.h"

#include <string>

namespace sinew {

// The model without free splines laid on it.
const Model& bareModel(const Document& document, const BindState& bind);

bool binding(const BindState& bind); // the thread works on weights or reads a skeleton

// Steps of the history. placeable: it was read from a file and may be scaled and moved.
void startDraft(Document& document, BindState& bind, Skeleton skeleton, std::string origin,
                bool placeable);
void draftOwnJoints(Document& document, BindState& bind);
void draftByHand(Document& document, BindState& bind);
void leaveDraft(Document& document, BindState& bind); // restores the model without the draft

// Places a skeleton that was read from a file and not edited since.
void placeDraft(Document& document, const SkeletonPlacement& placement);

// Edits of the selected joint. A drag writes to the history's live value; commitEdit() ends it.
void dragDraftJoint(Document& document, const BindState& bind, const vec3& place);
void addDraftJoint(Document& document, BindState& bind);
void removeDraftJoint(Document& document, BindState& bind);
void renameDraftJoint(Document& document, BindState& bind, const std::string& name);

} // namespace sinew
