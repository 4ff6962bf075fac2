// What files of other formats hold and Assimp's readers do not give: a rig must not vanish without
// a word.
#pragma once

#include "import/source_kind.h"
#include "model/model.h"

#include <string>
#include <string_view>

namespace sinew {

// A line for Model::warnings, or empty. model: what Assimp gave of the file.
std::string lostParts(const SourceFile& file, const Model& model);

// The program or format behind an extension that no reader here knows ("Maya"), or empty.
std::string_view unreadFormat(std::string_view extension);

} // namespace sinew
