#include "import/texture_finder.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <utility>

namespace sinew {
namespace fs = std::filesystem;
namespace {

constexpr std::array kFolders = {"textures", "texture", "tex",       "images", "image",
                                 "img",      "maps",    "materials", "skins",  "source"};
constexpr std::array kImageExtensions = {".png", ".jpg", ".jpeg", ".tga", ".dds",
                                         ".bmp", ".gif", ".psd",  ".webp"};
constexpr std::size_t kMaxEntries = 50'000; // entries read from one folder

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

std::string cleaned(std::string name) {
  std::replace(name.begin(), name.end(), '\\', '/');
  if (name.starts_with("file://")) name.erase(0, 7);
  return name;
}

// "C:/textures/skin.png"
bool isOfAnotherMachine(std::string_view name) {
  return name.size() > 1 && name[1] == ':';
}

} // namespace

TextureFinder::TextureFinder(const fs::path& model, std::uint64_t maxFileBytes, FetchFile fetch)
    : stem_(model.stem().string()), folder_(model, maxFileBytes, std::move(fetch)) {}

const TextureFinder::Listing& TextureFinder::list(const fs::path& folder) {
  const auto [listing, isNew] = listings_.try_emplace(folder);
  if (!isNew) return listing->second;
  std::error_code error;
  fs::directory_iterator it(folder_.absolute() / folder, error);
  for (; !error && it != fs::directory_iterator(); it.increment(error)) {
    if (listing->second.size() >= kMaxEntries) break;
    listing->second.emplace(lower(it->path().filename().string()), it->path().filename());
  }
  return listing->second;
}

// Each part as spelled where that exists, else without case.
ModelFolder::Entry TextureFinder::resolve(fs::path folder, const fs::path& relative) {
  ModelFolder::Entry entry = folder_.find(folder / relative);
  if (entry.kind != ModelFolder::Kind::missing) return entry;
  for (const fs::path& part : relative) {
    entry = folder_.find(folder / part);
    if (entry.kind == ModelFolder::Kind::missing) {
      const Listing& listing = list(folder);
      const auto found = listing.find(lower(part.string()));
      if (found == listing.end()) return {};
      entry = folder_.find(folder / found->second);
    }
    if (entry.kind != ModelFolder::Kind::folder) break;
    folder = entry.inside;
  }
  return entry;
}

// The folders to look for a bare name in, found once.
const std::vector<fs::path>& TextureFinder::searched() {
  if (!searched_.empty()) return searched_;
  std::vector<fs::path>& out = searched_;
  out.emplace_back();
  const auto add = [&](const std::string& name) {
    const ModelFolder::Entry entry = resolve({}, name);
    if (entry.kind == ModelFolder::Kind::folder) out.push_back(entry.inside);
  };
  for (const char* name : kFolders)
    add(name);
  add(stem_ + ".fbm"); // where FBX tools unpack embedded textures
  add(stem_);
  return out;
}

TextureFinder::Found TextureFinder::find(const std::string& name) {
  using Kind = ModelFolder::Kind;
  Found found;
  const auto look = [&](const fs::path& folder, const fs::path& file, bool otherExtension) {
    const ModelFolder::Entry entry = resolve(folder, file);
    if (entry.kind == Kind::file)
      found = {Kind::file, folder_.toPath(entry.inside), otherExtension};
    if (entry.kind == Kind::refused) found.kind = Kind::refused;
    return entry.kind == Kind::file;
  };
  for (const std::string& spelling : {cleaned(name), decodePercent(cleaned(name))}) {
    const fs::path asNamed(spelling);
    if (look({}, asNamed, false)) return found;
    const fs::path bare = asNamed.filename();
    if (bare.empty()) continue;
    if (folder_.fetches())
      for (const fs::path& wanted : {isOfAnotherMachine(spelling) ? bare : asNamed, bare})
        if (folder_.findOrFetch(wanted).kind == Kind::file && look({}, wanted, false)) return found;
    const std::vector<fs::path>& folders = searched();
    for (const fs::path& folder : folders)
      if (look(folder, bare, false)) return found;
    for (const fs::path& folder : folders)
      for (const char* extension : kImageExtensions)
        if (look(folder, fs::path(bare).replace_extension(extension), true)) return found;
  }
  return found;
}

std::vector<std::string> TextureFinder::imagesBeside() {
  std::vector<std::string> images;
  for (const auto& [name, path] : list({}))
    if (!name.starts_with('.') &&
        std::find(kImageExtensions.begin(), kImageExtensions.end(),
                  fs::path(name).extension().string()) != kImageExtensions.end())
      images.push_back(path.string());
  return images;
}

} // namespace sinew
