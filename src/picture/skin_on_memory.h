// What --skin-on auto chose, from one run to the next: $XDG_CACHE_HOME/sinew/skin-on.json (else
// ~/.cache). Another driver, number of cores, method or mesh is measured by itself.
//
// The file is no more than a shortcut: one that cannot be read or written is ignored.
#pragma once

#include "app/workbench.h"
#include "gl/load.h"
#include "view/draw_choices.h"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

namespace sinew {

inline constexpr std::size_t kRememberedChoices = 500; // the newest

// What a choice depends on.
std::string skinOnKey(const GlInfo& driver, const Workbench& workbench, const BoundMethod& bound,
                      PaletteStorage storage);

std::filesystem::path skinOnFile();
std::optional<SkinOn> rememberedSkinOn(const std::filesystem::path& file, const std::string& key);
void rememberSkinOn(const std::filesystem::path& file, const std::string& key, SkinOn chosen);

} // namespace sinew
