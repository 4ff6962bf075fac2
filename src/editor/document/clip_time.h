// The clip that plays: its length, its keys the range that is played back, and the trail of a joint
// over it.
#pragma once

#include "editor/document/document.h"

#include <string>

namespace sinew {

// The length of the clip that plays, or of the layers if they have a length; else 0.
float clipSeconds(const Document& document);

// The same, also while a pose is held over the clip; its played range; and a frame's seconds.
float timelineSeconds(const Document& document);
TimeMap timelineRange(const Document& document);
float frameOnTimeline(Document& document);

// The clip's name without the beginning that all names share, up to a bar ("Armature|Run"). A clip
// without a name has its number.
std::string clipLabel(const Model& model, std::size_t clip);

// Plays another clip from its start, whole: a word of Settings::clip.
void setClip(Document& document, std::string word);

// Pauses and steps by frames of the clip.
void stepFrames(Document& document, int frames);

// Brings document.keys up to date with the clip and the selected joint.
void findKeys(Document& document);

// Jumps to the key before or after: the selected joint's, where it has keys, else the clip's.
void stepKey(Document& document, int direction);

// The playback range: an end of it at `time`, or the whole clip again.
void setRangeStart(Document& document, float time);
void setRangeEnd(Document& document, float time);
void resetRange(Document& document);

// The trail of the selected joint: where it goes over the clip, with the layers on it. Model space,
// at even times over the playback range; empty without a clip or a selected joint. Made again when
// the clip, its range, the layers or the joint have changed. Springs of layers run along.
const Trail& getTrail(Document& document);

} // namespace sinew
