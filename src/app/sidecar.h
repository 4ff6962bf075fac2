// Files that belong to a model and stand beside it: hero.glb.zones.json, hero.glb.weights.json.
#pragma once

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

} // namespace sinew
