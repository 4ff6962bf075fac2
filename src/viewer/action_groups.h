// The parts of the table of actions, and what they share.
#pragma once

#include "viewer/actions.h"
#include "viewer/viewer_state.h"

namespace sinew {

void addFileActions(std::vector<Action>& all);
void addHelpActions(std::vector<Action>& all);
void addPoseActions(std::vector<Action>& all);
void addWeightActions(std::vector<Action>& all);
void addMotionActions(std::vector<Action>& all); // layers and ragdoll

using ActionRun = std::function<void(Viewer&)>;

ActionRun onDocument(void (*run)(Document&));

// Only where there is a pose to edit: a model, no crowd, and no skeleton being edited.
ActionRun posable(ActionRun run);

// To the front, with its tool.
void chooseTool(Viewer& viewer, Tool tool);
Action toolAction(std::string group, const char* name, const char* key, const char* help,
                  Tool tool);

} // namespace sinew
