// Collada files as Assimp's reader understands them. It reads UTF-8 alone, refuses numbers after
// blanks, and makes a clip of every <animation> of a file that names no clips.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sinew {

// The file's text with these repaired: in UTF-8, without blanks around the text of an element, and,
// without <animation_clip>, with all animations in one. Nothing where that changes nothing, or
// where the text is no XML.
std::optional<std::string> plainCollada(std::string_view text);

} // namespace sinew
