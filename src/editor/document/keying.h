// Editing the clip on the time line: new clips, and keys of joints. Changes go to
// document.history.live() and, where it says so, become one step of the history.
#pragma once

#include "animation/clip_edit.h"
#include "editor/document/document.h"

#include <functional>
#include <optional>
#include <string>

namespace sinew {

// The clip on the time line, also while an edited pose is held over it.
std::optional<std::uint32_t> clipOnTimeline(const Document& document);

// Why no key can be set now; empty: one can.
std::string keyingProblem(const Document& document);

// Add a clip without keys, or a copy of the one on the time line under a free name, and show it
// from its start. An edited pose becomes the keys of a new clip at 0. From then on every edit of
// the pose is a key (Document::autoKey).
void newClip(Document& document);
void duplicateClip(Document& document);
void removeClip(Document& document);
void addClips(Document& document, std::vector<Clip> clips); // appended; one step
// Appends a clip under a free name, which it returns; one step. The clip on the time line stays.
std::string keepRecordedClip(Document& document, Clip clip);
void renameClip(Document& document, const std::string& name); // an empty name does nothing
void setClipLength(Document& document, float seconds);        // not below its last key; no step yet

// Sets keys at the current time: for all that an edited pose changes, and releases that pose; else
// for the selected joint as it is. One step.
void setKeysHere(Document& document);
// Removes the keys of the selected joint at the current time; without one, those of all joints.
void removeKeysHere(Document& document);
// Changes the interpolation of one part of the selected joint; without `part`, of all its parts.
void setInterpolation(Document& document, std::optional<ChannelPart> part,
                      Interpolation interpolation);

// A key that the mouse drags: one part of the selected joint along one axis, or all keys at this
// time, either of the selected joint or of the clip.
struct KeyGrip {
  float time = 0.0f;                    // time of the key at the start
  float now = 0.0f;                     // time of the key now
  vec3 value{0.0f};                     // value of the key at the start
  std::optional<int> axis;              // none: all keys at that time
  std::shared_ptr<const ClipList> base; // the history's clips at the start
  std::uint64_t discards = 0;           // Document::discards: another one ends the drag
};

KeyGrip gripKey(const Document& document, float time, const vec3& value, std::optional<int> axis);

// Moves the key to another time and value (ignored without an axis); no step yet. False when the
// drag has ended.
bool dragKey(Document& document, KeyGrip& grip, ChannelPart part, float time, float value);

// Removes one key of one part of the selected joint; one step.
void removePartKeyAt(Document& document, ChannelPart part, float time);

// Changes the clip on the time line by `change`; no step of the history yet. Does nothing without a
// clip.
void changeClip(Document& document, const std::function<void(Clip&)>& change);

// Turns an edited pose into keys of the clip and releases it; false if that is not possible.
bool keyEditedPose(Document& document);

// Brings the workbench up to date with the history's clips: the first part of applying an Edit.
void applyClips(Document& document);

// The model's clips before any edit.
const ClipList& openedClips(Document& document);

} // namespace sinew
