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

// The same of a file's bytes, for the rows of formats().
std::string lostMilkshape(std::string_view bytes);
std::string lostMd2(std::string_view bytes);
std::string lostMd3(std::string_view bytes);
std::string lostMdl(std::string_view bytes); // Quake and 3D GameStudio, by the first word
std::string lostBlender(std::string_view bytes);
std::string lostOgre(std::string_view bytes);
std::string lostOpenGex(std::string_view bytes);

// The program or format behind an extension that no reader here knows ("Maya"), or empty.
std::string_view unreadFormat(std::string_view extension);

} // namespace sinew
