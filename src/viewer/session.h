// What happens to the model on screen: opening, reloading, dropped files, joints, and bringing rig
// and GPU up to date with the settings.
#pragma once

#include "viewer/state.h"

namespace sinew {

inline constexpr const char* kFirstModel = "demo:humanoid";

// False until the first model has been read.
bool hasModel(const Viewer& viewer);

// Starts the import; the current model stays until it has succeeded.
void openModel(Viewer& viewer, ImportRequest request);
void reloadModel(Viewer& viewer);

// Files dropped on the window or chosen in the dialog. A file of motion alone is put on the current
// model.
void openFile(Viewer& viewer, const std::string& file);

void cancelImport(Viewer& viewer);

// The failure on screen, else the import under way, else the selection.
void dismiss(Viewer& viewer);

// Puts the motion of a file on the current model.
void openMotion(Viewer& viewer, const std::string& file);

// Now and then: takes the result of an import, if there is one, and looks at the watched file. True
// if something has happened.
bool pollImport(Viewer& viewer, double now);

// Puts a workbench and its mesh in the place of the old ones. Where the driver cannot hold it, the
// old ones stay and the error is thrown. The heat map comes with the next applySettings().
void exchangeBench(Viewer& viewer, Workbench fresh);

void selectJoint(Viewer& viewer, std::optional<std::uint32_t> node);

// Middle of the joints as they are posed; the origin without any.
vec3 jointCenter(const Viewer& viewer);

// How far the model has been carried from where it was framed. Small movements are none, so that
// neither camera nor ground answers to breathing and steps on the spot.
vec3 carriedBy(const Viewer& viewer);

// How far the camera has gone along: by a clip at once, by a fall slowly, by a pose not at all.
vec3 carriedAway(const Viewer& viewer);

// The whole model in view as it is now posed.
void frameModel(Viewer& viewer);

// Length of the time line: of the clip that plays, or of the movement where it has one; 0 without.
float clipSeconds(const Viewer& viewer);

// Plays another clip from its start, whole: a word of Settings::clip.
void setClip(Viewer& viewer, std::string word);

// Pauses and goes on by frames of the clip.
void stepFrames(Viewer& viewer, int frames);

// Key marks for the clip and the selected joint, in viewer.ui.timeline.
void findKeys(Viewer& viewer);

// Goes to the key before or after: the selected joint's, where it has keys, else the clip's.
void stepKey(Viewer& viewer, int direction);

// The range that plays: an end of it at `time`, or all of the clip again.
void setRangeStart(Viewer& viewer, float time);
void setRangeEnd(Viewer& viewer, float time);
void resetRange(Viewer& viewer);

// Whether a clip plays or the crowd moves, so that the next frame differs from this one.
bool moving(const Viewer& viewer);

// Brings rig, GPU meshes and clip up to date with viewer.settings. A setting that cannot be had is
// taken back and the reason shown.
void applySettings(Viewer& viewer);

// Moves time on by `seconds`, poses and uploads if anything has changed.
void advanceScene(Viewer& viewer, float seconds);

// A tab to the front; one that edits brings its tool.
void showTab(Viewer& viewer, SideTab tab);

void toast(Viewer& viewer, std::string text);

} // namespace sinew
