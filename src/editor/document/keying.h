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

// A clip without keys, or the one on the time line again under a free name; it is shown from its
// start. An edited pose becomes the keys of a new clip at 0. From then on every edit of the pose is
// a key (Document::autoKey).
void newClip(Document& document);
void duplicateClip(Document& document);
void removeClip(Document& document);
void addClips(Document& document, std::vector<Clip> clips);   // behind the others; one step
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
  float time = 0.0f;                    // where it was
  float now = 0.0f;                     // where it is
  vec3 value{0.0f};                     // that it had
  std::optional<int> axis;              // none: all keys at that time
  std::shared_ptr<const ClipList> base; // the history's clips before
  std::uint64_t discards = 0;           // Document::discards: another one ends the drag
};

KeyGrip gripKey(const Document& document, float time, const vec3& value, std::optional<int> axis);

// From where it was to another time and value (without an axis the value means nothing); no step
// yet. False when the drag has ended.
bool dragKey(Document& document, KeyGrip& grip, ChannelPart part, float time, float value);

// One key of one part of the selected joint; one step.
void removePartKeyAt(Document& document, ChannelPart part, float time);

// The clip on the time line changed by `change`, no step of the history yet. Nothing without a
// clip.
void changeClip(Document& document, const std::function<void(Clip&)>& change);

// An edited pose becomes keys of the clip and is released; false where it cannot.
bool keyEditedPose(Document& document);

// Brings the workbench up to date with the history's clips: the first part of applying an Edit.
void applyClips(Document& document);

// The model's clips before any edit.
const ClipList& openedClips(Document& document);

} // namespace sinew
