// A file on disk becomes a Model: the only door to Assimp.
//
// In: a path, limits and a progress callback. Out: one plain value, complete or not at all: nothing
// here knows OpenGL, keeps globals or shares state, so it may run on any thread.
// The result is right-handed and Y up whatever the file says, keeps the file's unit, keeps every
// influence, and has its broken weights, keys and matrices mended (Model::repairs lists them).
//
// Errors: inputError for a file that is missing, empty, damaged or of an unknown kind; Error with
// ExitCode::limit beyond the limits; Cancelled when the callback asks for it.
#pragma once

#include "core/progress.h"
#include "model/model.h"

#include <cstdint>
#include <filesystem>

namespace sinew {

using ImportProgress = Progress;

struct ImportOptions {
  ImportProgress progress;
  std::uint64_t maxFileBytes = std::uint64_t{2} << 30;
  std::uint64_t maxVertices = 50'000'000; // before identical ones are joined
  std::uint64_t maxImagePixels = std::uint64_t{1} << 28;
  bool decodeTextures = true; // false: textures are looked for, but their images stay empty
};

Model importModel(const std::filesystem::path& path, const ImportOptions& options = {});

} // namespace sinew
