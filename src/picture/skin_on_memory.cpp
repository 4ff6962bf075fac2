#include "picture/skin_on_memory.h"

#include "core/error.h"
#include "core/file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <thread>

namespace sinew {
namespace {

namespace fs = std::filesystem;
using ChoicesJson = nlohmann::ordered_json; // the oldest first

constexpr std::uintmax_t kLargestFile = 1 << 20; // bytes

ChoicesJson readChoices(const fs::path& file) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(file, error);
  if (error || size > kLargestFile) return ChoicesJson::object();
  try {
    ChoicesJson choices = ChoicesJson::parse(readFile(file), nullptr, false);
    return choices.is_object() ? choices : ChoicesJson::object();
  } catch (const Error&) {
    return ChoicesJson::object();
  }
}

} // namespace

std::string skinOnKey(const GlInfo& driver, const Workbench& workbench, const BoundMethod& bound,
                      PaletteStorage storage) {
  const Variant& variant = bound.binding.variant;
  return fmt::format("{}, {}, {} cores: {} [{}], {} vertices, {} joints, {} influences, "
                     "{} attachments, {}",
                     driver.renderer, driver.version, std::thread::hardware_concurrency(),
                     bound.method->name, fmt::join(bound.binding.parameters, " "),
                     workbench.rig.positions.size(), workbench.rig.joints.size(),
                     variant.influences, variant.attachments, toString(storage));
}

fs::path skinOnFile() {
  return userFolder("XDG_CACHE_HOME", ".cache") / "skin-on.json";
}

std::optional<SkinOn> rememberedSkinOn(const fs::path& file, const std::string& key) {
  const ChoicesJson choices = readChoices(file);
  const auto found = choices.find(key);
  if (found == choices.end() || !found->is_string()) return {};
  const auto names = skinOnNames();
  const auto name = std::ranges::find(names, found->get<std::string>());
  const auto way = static_cast<SkinOn>(name - names.begin());
  return name != names.end() && way != SkinOn::automatic ? std::optional(way) : std::nullopt;
}

void rememberSkinOn(const fs::path& file, const std::string& key, SkinOn chosen) {
  ChoicesJson choices = readChoices(file);
  choices.erase(key);
  while (choices.size() >= kRememberedChoices)
    choices.erase(choices.begin());
  choices[key] = toString(chosen);
  try {
    std::error_code error;
    fs::create_directories(file.parent_path(), error);
    writeFile(file, choices.dump(2, ' ', false, ChoicesJson::error_handler_t::replace) + "\n");
  } catch (const Error&) { // the next run measures again
  }
}

} // namespace sinew
