// Applies what was edited and chosen to the workbench, once a frame: model, weights, methods, clip
// and pose. Marks in Document::changes what has to be uploaded.
#pragma once

#include "editor/session.h"

#include <vector>

namespace sinew {

// Brings the workbench up to date with history and settings. A setting that the model cannot have
// is reverted and the reason reported.
void applySettings(Session& session);

// applySettings(), then advances time by `seconds` and poses if anything has changed.
void advanceSession(Session& session, float seconds);

// Whether a clip plays or something else moves, so that the next frame differs from this one.
bool moving(const Session& session);

// The values of a view's heat map per vertex, if Settings::weightsJoint names a joint.
std::vector<float> computeHeatMap(Session& session, std::size_t view);

// Go back to the settings that were last shown, or to the model before the last step, because the
// driver cannot hold the present ones.
void revertSettings(Document& document, const Settings& shown, const Error& error);
void revertModel(Session& session, const Error& error);

} // namespace sinew
