// A model by name: a file, or demo:NAME for one the program makes itself.
#pragma once

#include "model/model.h"

#include <string>

namespace sinew {

// `motion`, unless empty, names a file whose animation is put on the model. Throws Error; a file
// that takes longer than a minute to read is a limit error.
Model loadModel(const std::string& name, const std::string& motion = {});

} // namespace sinew
