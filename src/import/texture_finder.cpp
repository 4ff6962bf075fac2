#include "import/texture_finder.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <string_view>

namespace sinew {
namespace fs = std::filesystem;
namespace {

constexpr std::array kFolders = {"textures", "texture", "tex",       "images", "image",
                                 "img",      "maps",    "materials", "skins",  "source"};
constexpr std::array kExtensions = {".png", ".jpg", ".jpeg", ".tga",
                                    ".dds", ".bmp", ".gif",  ".psd"};
constexpr std::size_t kMostEntries = 50'000; // of one folder

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

// "%20" and its like, which URIs in Collada and glTF files carry.
std::string decodePercent(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned value = 0;
    if (text[i] == '%' && i + 2 < text.size() &&
        std::from_chars(&text[i + 1], &text[i + 3], value, 16).ptr == &text[i + 3] && value != 0) {
      out += static_cast<char>(value);
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

std::string cleaned(std::string name) {
  std::replace(name.begin(), name.end(), '\\', '/');
  if (name.starts_with("file://")) name.erase(0, 7);
  return name;
}

} // namespace

TextureFinder::TextureFinder(fs::path model) : model_(std::move(model)) {}

const TextureFinder::Listing& TextureFinder::list(const fs::path& folder) {
  const auto [place, isNew] = listings_.try_emplace(folder);
  if (!isNew) return place->second;
  std::error_code error;
  fs::directory_iterator it(folder.empty() ? fs::path(".") : folder, error);
  for (; !error && it != fs::directory_iterator(); it.increment(error)) {
    if (place->second.size() >= kMostEntries) break;
    place->second.emplace(lower(it->path().filename().string()), folder / it->path().filename());
  }
  return place->second;
}

// An entry of a folder: as spelt where that exists, else without case.
std::optional<fs::path> TextureFinder::entry(const fs::path& folder, const std::string& name) {
  std::error_code error;
  if (name == "." || name == "..") return folder / name;
  if (fs::exists(folder / name, error)) return folder / name;
  const Listing& listing = list(folder);
  const auto found = listing.find(lower(name));
  if (found == listing.end()) return std::nullopt;
  return found->second;
}

std::optional<fs::path> TextureFinder::resolve(fs::path folder, const fs::path& relative) {
  for (const fs::path& part : relative) {
    if (part.empty()) return std::nullopt;
    const auto next = entry(folder, part.string());
    if (!next) return std::nullopt;
    folder = *next;
  }
  std::error_code error;
  if (!fs::is_regular_file(folder, error)) return std::nullopt;
  return folder;
}

std::vector<fs::path> TextureFinder::folders() {
  const fs::path beside = model_.parent_path();
  const std::string stem = model_.stem().string();
  std::vector<fs::path> out{beside};
  const auto addBelow = [&](const fs::path& folder, const std::string& name) {
    std::error_code error;
    if (const auto found = entry(folder, name); found && fs::is_directory(*found, error))
      out.push_back(*found);
  };
  for (const char* name : kFolders)
    addBelow(beside, name);
  addBelow(beside, stem + ".fbm"); // where FBX tools unpack embedded textures
  addBelow(beside, stem);
  const fs::path above = beside / "..";
  out.push_back(above);
  for (const char* name : kFolders)
    addBelow(above, name);
  return out;
}

std::optional<TextureFinder::Found> TextureFinder::find(const std::string& name) {
  for (const std::string& spelling : {cleaned(name), decodePercent(cleaned(name))}) {
    fs::path asNamed(spelling);
    std::error_code error;
    if (asNamed.is_absolute() && fs::is_regular_file(asNamed, error)) return Found{asNamed, false};
    if (!asNamed.is_absolute())
      if (const auto found = resolve(model_.parent_path(), asNamed)) return Found{*found, false};
    const fs::path bare = asNamed.filename();
    if (bare.empty()) continue;
    const std::vector<fs::path> places = folders();
    for (const fs::path& folder : places)
      if (const auto found = resolve(folder, bare)) return Found{*found, false};
    for (const fs::path& folder : places)
      for (const char* extension : kExtensions)
        if (const auto found = resolve(folder, fs::path(bare).replace_extension(extension)))
          return Found{*found, true};
  }
  return std::nullopt;
}

std::vector<std::string> TextureFinder::imagesBeside() {
  std::vector<std::string> images;
  for (const auto& [name, path] : list(model_.parent_path()))
    if (std::find(kExtensions.begin(), kExtensions.end(), fs::path(name).extension().string()) !=
        kExtensions.end())
      images.push_back(path.filename().string());
  return images;
}

} // namespace sinew
