// Models made by this project's own code: the papers' scenes and a character to start with. The
// command line takes `demo:NAME` wherever it takes a model file.
//
// Each is complete (normals, texture coordinates, materials, one skin with smooth weights, looping
// clips), in metres, Y up, and the same on every call. Adding one is a pair of files here and one
// line in demo.cpp.
#pragma once

#include "model/model.h"

#include <span>
#include <string_view>

namespace sinew {

struct Demo {
  std::string_view name;    // the command line's word
  std::string_view title;   // for menus
  std::string_view summary; // one sentence: what it shows
  Model (*make)();
};

std::span<const Demo> demos();

// By name; '_' and '-' are the same. Throws usageError that lists the names.
const Demo& findDemo(std::string_view name);

} // namespace sinew
