// Files that belong to a model and stand beside it: hero.glb.zones.json, hero.glb.weights.json.
#pragma once

#include "model/model.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace sinew {

// The model's name with the ending added. For demo:NAME, NAME in the current folder, which is
// written but never read by itself.
std::filesystem::path sidecarPath(const std::string& model, std::string_view ending);

// The existing file: the one above, or with the model's extension replaced
// (hero.zones.json). Empty: none, or a demo model.
std::string findSidecar(const std::string& model, std::string_view ending);

// The bytes that a file about a model may have: 4 MB, 1 kB for each vertex, 16 kB for each node and
// 1 kB for each morph target and clip. Such files load by themselves, and what reads them takes
// twenty times their length in memory.
std::uint64_t sidecarLimit(const Model& model);

// The text of a file about the model. Throws as readFile() does.
std::string readAbout(const Model& model, const std::filesystem::path& path);

} // namespace sinew
