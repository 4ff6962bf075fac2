// What panel, keys and tools do about binding: skeletons chosen and edited, weights made on a
// thread and compared. bind_state.h has the values.
#pragma once

#include "viewer/state.h"

#include <memory>
#include <string>
#include <vector>

namespace sinew {

const std::shared_ptr<const Draft>& draftOf(const Viewer& viewer); // the skeleton being edited
bool drafting(const Viewer& viewer);                               // there is one
bool binding(const Viewer& viewer);                                // the thread is at it
bool bindable(const Viewer& viewer);                               // there is a mesh, and no crowd

// The skeleton to be edited, as a step of the history. What fails is shown and changes nothing.
void openSkeleton(Viewer& viewer, const std::string& file); // on the thread
void startDraft(Viewer& viewer, Skeleton skeleton, std::string origin, bool placeable);
void draftOwnJoints(Viewer& viewer);
void draftByHand(Viewer& viewer);
void leaveDraft(Viewer& viewer); // back to the model as it was

// Of a skeleton as it was read.
void placeDraft(Viewer& viewer, const SkeletonPlacement& placement);

// On the selected joint. A drag writes to the history's live value; commitEdit() ends it.
void dragDraftJoint(Viewer& viewer, const vec3& place);
void addDraftJoint(Viewer& viewer);
void removeDraftJoint(Viewer& viewer);
void renameDraftJoint(Viewer& viewer, const std::string& name);

// With the options of the panel, on the draft or else on the model's own joints.
void startBinding(Viewer& viewer);
void startComparing(Viewer& viewer);
void cancelBinding(Viewer& viewer);
bool pollBinding(Viewer& viewer); // true if something has happened

bool comparing(const Viewer& viewer); // two heat maps are shown
void showCompared(Viewer& viewer, bool shown);
void keepCompared(Viewer& viewer, std::size_t which);
std::vector<std::string> comparedCaptions(const Viewer& viewer); // of the views, while comparing
void applyComparedWeights(Viewer& viewer);                       // the fields of the meshes

// After another model has been opened.
void forgetBinding(Viewer& viewer);

// Brings the workbench up to date with the history's model and draft; true if the model is another.
bool applyModel(Viewer& viewer);

// The model as .glb, where screenshots go too.
void saveModel(Viewer& viewer);

void addBindActions(std::vector<Action>& all);

} // namespace sinew
