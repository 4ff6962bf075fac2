// Names for the joints or bones of a .tgf file, from a file beside it: of NAME.tgf, NAME.names.txt.
//
// Lines `index NAME` name joints. Lines `parent child NAME` name bones; a name in parentheses marks
// a link: it attaches its child to the bone before it and is not a bone itself.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <utility>

namespace sinew {

struct TgfNames {
  std::filesystem::path path;
  std::map<long, std::string> joints;                    // by index
  std::map<std::pair<long, long>, std::string> bones;    // by parent and child; empty: a link
  std::map<std::pair<long, long>, std::size_t> boneLine; // line of each name, for messages
};

// Empty if there is no such file. Throws inputError with file and line: no index, no name, a joint,
// bone or name twice, names of joints and of bones in one file.
TgfNames readTgfNames(const std::filesystem::path& tgf);

} // namespace sinew
