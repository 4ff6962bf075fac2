// A skeleton from a .tgf file (trivial graph format).
#pragma once

#include "weights/skeleton.h"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace sinew {

// Lines `index x y z`, a line `#`, lines `parent child`; further text on a line is ignored. Joints
// have no rotation; they are named joint1, joint2, ... by their indices, or as the file of names
// beside it gives (NAME.names.txt). If that file names bones, every bone has a joint of its
// own, and links move with the bone before them. Throws inputError with file and line: not a
// number, an index twice or undefined, a joint with two parents, a cycle, no joint at all, a name
// for an unknown joint or bone.
Skeleton readTgf(const std::filesystem::path& path);

// The joint of readTgf() that moves the bone of each line `parent child` of such a file.
std::vector<std::uint32_t> jointsOfTgfEdges(const std::filesystem::path& path);

} // namespace sinew
