#include "import/model_folder.h"

#include "core/error.h"

#include <algorithm>
#include <charconv>
#include <deque>
#include <system_error>
#include <utility>

namespace sinew {
namespace fs = std::filesystem;
namespace {

constexpr int kMaxLinks = 40; // Linux's own limit

// A name that cannot be passed to the system unchanged counts as hidden.
bool isHidden(const fs::path& part) {
  const std::string& name = part.native();
  return name.starts_with('.') || name.find('\0') != std::string::npos;
}

} // namespace

ModelFolder::ModelFolder(const fs::path& model, std::uint64_t maxFileBytes, FetchFile fetch)
    : path_(model.parent_path()), maxFileBytes_(maxFileBytes), fetch_(std::move(fetch)) {
  std::error_code error;
  absolute_ = fs::canonical(path_.empty() ? fs::path(".") : path_, error);
  if (error) throw inputError(model.string(), "its folder cannot be read");
}

// The name relative to the folder; nothing for an absolute one of elsewhere.
std::optional<fs::path> ModelFolder::below(const fs::path& named) const {
  if (!named.is_absolute()) return named;
  const auto [own, rest] =
      std::mismatch(absolute_.begin(), absolute_.end(), named.begin(), named.end());
  if (own != absolute_.end()) return std::nullopt;
  fs::path out;
  for (auto part = rest; part != named.end(); ++part)
    out /= *part;
  return out;
}

std::string ModelFolder::toInsideName(const fs::path& named) const {
  return below(named).value_or(named).lexically_normal().string();
}

// Walks the name part by part and resolves links itself: a look at the whole path would follow
// links and ".." to wherever they lead.
ModelFolder::Entry ModelFolder::find(const fs::path& named) const {
  const std::optional<fs::path> relative = below(named);
  if (!relative) return {Kind::refused, {}};
  const fs::path normal = relative->lexically_normal();
  if (!normal.empty() && *normal.begin() == "..") return {Kind::refused, {}};
  std::deque<fs::path> parts(relative->begin(), relative->end());
  fs::path inside;
  int links = 0;
  while (!parts.empty()) {
    const fs::path part = parts.front();
    parts.pop_front();
    if (part.empty() || part == ".") continue;
    if (part == "..") {
      if (inside.empty()) return {Kind::refused, {}};
      inside = inside.parent_path();
      continue;
    }
    if (isHidden(part)) return {Kind::refused, {}};
    const fs::path at = absolute_ / inside / part;
    std::error_code error;
    const fs::file_status status = fs::symlink_status(at, error);
    switch (status.type()) {
    case fs::file_type::directory:
      inside /= part;
      break;
    case fs::file_type::regular:
      if (!parts.empty()) return {};
      if (fs::file_size(at, error) > maxFileBytes_ || error) return {Kind::refused, {}};
      return {Kind::file, inside / part};
    case fs::file_type::symlink: {
      const fs::path target = fs::read_symlink(at, error);
      if (error || ++links > kMaxLinks) return {};
      const std::optional<fs::path> onward = below(target);
      if (!onward) return {Kind::refused, {}};
      if (target.is_absolute()) inside.clear();
      parts.insert(parts.begin(), onward->begin(), onward->end());
      break;
    }
    case fs::file_type::none:
    case fs::file_type::not_found:
      return {};
    default:
      return {Kind::refused, {}};
    }
  }
  return {Kind::folder, inside};
}

ModelFolder::Entry ModelFolder::findOrFetch(const fs::path& named) const {
  Entry entry = find(named);
  if (entry.kind != Kind::missing || !fetch_) return entry;
  const std::string name = below(named)->lexically_normal().generic_string();
  if (!isFetchable(name)) return entry;
  fetch_(name);
  return find(named);
}

bool isFetchable(std::string_view name) {
  constexpr std::size_t kLongestName = 1024;
  const fs::path path(name);
  const auto isControl = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
  return !name.empty() && name.size() <= kLongestName && path.is_relative() &&
         path.has_filename() && path.lexically_normal().generic_string() == name &&
         std::ranges::none_of(path, isHidden) && std::ranges::none_of(name, isControl);
}

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

} // namespace sinew
