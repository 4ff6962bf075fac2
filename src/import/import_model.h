// A file on disk becomes a Model: glTF, FBX, .x, IQM and Collada by our own readers, others by
// Assimp, which nothing else uses.
//
// In: a path, limits and a progress callback. Out: one plain value, complete or not at all: nothing
// here knows OpenGL, keeps globals or shares state, so it may run on any thread.
// The result is right-handed and Y up whatever the file's axes, keeps the file's unit, keeps every
// influence, and has its damaged weights, keys and matrices repaired (Model::repairs lists them).
//
// Errors: inputError for a file that is missing, empty, damaged or of an unknown kind; Error with
// ErrorCause::limit beyond the limits; Cancelled when the callback returns false.
#pragma once

#include "core/progress.h"
#include "import/up_axis.h"
#include "model/model.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace sinew {

using ImportProgress = Progress;

// Asked for a file that the model names and that is not there: may put it into the model's folder.
// The name is relative to that folder, with '/', and never leads out of it or to a hidden file.
using FetchFile = std::function<void(const std::string& name)>;

struct ImportOptions {
  ImportProgress progress;
  std::uint64_t maxFileBytes = std::uint64_t{2} << 30;
  std::uint64_t maxVertices = 50'000'000;                 // before identical ones are joined
  std::uint64_t maxNodes = 262'144;                       // scene nodes, repetitions included
  std::uint64_t maxMeshes = 65'536;                       // each as often as nodes show it
  std::uint64_t maxKeys = 100'000'000;                    // keys of all clips together
  std::uint32_t maxImageSide = 16384;                     // pixels
  std::uint64_t maxImageBytes = std::uint64_t{512} << 20; // all textures together, decoded
  UpAxis up = UpAxis::automatic;
  bool raw = false; // a mesh alone, vertices as they are (readRawMesh()), not turned upright
  // Where textures are looked for, with the folders below, after the model's own folder: nothing
  // else outside that one is opened.
  std::vector<std::filesystem::path> textureFolders = {};
  bool decodeTextures = true; // false: textures are looked for, but their images stay empty
  bool checkTextures = false; // without decoding: whether they look like images, within the limits
  // A name may be asked for several times; images that are neither decoded nor checked are not.
  // importIsolated() calls it in its own process and thread.
  FetchFile fetch = {};
};

Model importModel(const std::filesystem::path& path, const ImportOptions& options = {});

} // namespace sinew
