// Nodes of a Collada file that are instances of others (<instance_node>), which may themselves hold
// instances: a file of a few lines can ask for any number, and Assimp makes them all.
#pragma once

#include "import/import_budget.h"

#include <string>

namespace sinew {

// Takes what the repeated nodes and meshes cost from the budget. Throws Error with
// ErrorCause::limit beyond it, and for a node that is an instance within itself. Text that is no
// XML is left to Assimp.
void checkColladaInstances(const std::string& text, ImportBudget& budget);

} // namespace sinew
