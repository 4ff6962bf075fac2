// Files of the ragdoll: its configuration, read, watched and saved; its recordings.
#pragma once

#include "editor/ragdoll/ragdoll_play.h"

namespace sinew {

// The model's ragdoll: that of the file beside it, else fitted and in no file until it is saved.
// Null while it is being fitted, and where there is none (RagdollPlay::problem).
const RagdollConfig* ragdollConfig(Document& document, RagdollPlay& play);
bool fittingRagdoll(const RagdollPlay& play);
void cancelFitting(Document& document, RagdollPlay& play);
bool pollFitting(Document& document, RagdollPlay& play); // true when it has ended

// Reads the file again where it has been written since: true then.
bool pollRagdollFile(Document& document, RagdollPlay& play, double now);

// A recording becomes a clip of the model; the export is a .glb beside the model.
void recordRagdoll(Document& document, RagdollPlay& play, bool on);
void exportRagdoll(Document& document, RagdollPlay& play);

} // namespace sinew
