#include "import/format_checks.h"

#include "core/file.h"
#include "core/text.h"
#include "import/formats.h"
#include "import/load_value.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstring>
#include <fstream>
#include <optional>
#include <vector>

namespace sinew {
namespace {

std::vector<std::string_view> words(std::string_view text) {
  std::vector<std::string_view> out;
  const auto isSpace = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  for (auto it = text.begin(); it != text.end();) {
    const auto start = std::find_if_not(it, text.end(), isSpace);
    it = std::find_if(start, text.end(), isSpace);
    if (start != it) out.emplace_back(start, it);
  }
  return out;
}

// A count; what is no number counts as 0, what overflows as the maximum.
std::uint64_t count(std::string_view word) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  return error == std::errc::result_out_of_range ? ~std::uint64_t{0} : value;
}

std::string complaint(std::string_view what, std::uint64_t declared, std::uint64_t bytes) {
  return fmt::format("declares {} {}, more than its {} bytes can hold", declared, what, bytes);
}

constexpr const char* kSaveAsGltf = "save it as glTF 2.0 or FBX from the program that made it";

std::string missing(std::string_view what) {
  return fmt::format("the file has {}, not read here: {}", what, kSaveAsGltf);
}

// Numbers of a file by their place; nothing beyond its end.
class FileBytes {
 public:
  explicit FileBytes(std::string_view bytes) : bytes_(bytes) {}

  template <class T>
  std::optional<T> at(std::size_t place) const {
    if (place > bytes_.size() || sizeof(T) > bytes_.size() - place) return std::nullopt;
    return loadValue<T>(bytes_.data() + place);
  }
  std::uint32_t countAt(std::size_t place) const { return at<std::uint32_t>(place).value_or(0); }

  // Steps over a list of Milkshape: how many, and so many bytes each.
  std::uint32_t skipList(std::size_t& place, std::size_t bytesEach) const {
    const std::uint32_t count = at<std::uint16_t>(place).value_or(0);
    place += 2 + count * bytesEach;
    return count;
  }

 private:
  std::string_view bytes_;
};

std::string lostFrames(std::uint32_t frames) {
  if (frames < 2) return {};
  return fmt::format("the file has {} frames of moved vertices and no skeleton: the first frame is "
                     "shown",
                     frames);
}

} // namespace

std::string brokenOff(std::string_view head, std::uint64_t bytes) {
  const auto all = words(head);
  for (std::size_t i = 1; i < std::min<std::size_t>(all.size(), 3); ++i)
    if (count(all[i]) > bytes / 2) return complaint("vertices or faces", count(all[i]), bytes);
  return {};
}

std::string brokenPly(std::string_view head, std::uint64_t bytes) {
  const auto all = words(head.substr(0, head.find("end_header")));
  for (std::size_t i = 0; i + 2 < all.size(); ++i)
    if (all[i] == "element" && count(all[i + 2]) > bytes)
      return complaint(all[i + 1], count(all[i + 2]), bytes);
  return {};
}

std::string brokenMd5(std::string_view head, std::uint64_t bytes) {
  const auto all = words(head);
  for (std::size_t i = 0; i + 1 < all.size(); ++i)
    if (all[i].starts_with("num") && count(all[i + 1]) > bytes)
      return complaint(all[i].substr(3), count(all[i + 1]), bytes);
  return {};
}

std::string brokenGlb(std::string_view head, std::uint64_t bytes) {
  if (head.size() < 12) return "ends within its header";
  std::uint32_t version = 0;
  std::uint32_t length = 0;
  std::memcpy(&version, head.data() + 4, sizeof version);
  std::memcpy(&length, head.data() + 8, sizeof length);
  if (length <= bytes || version == 1) return {}; // version 1 is not read, whole or not
  return fmt::format("is cut short: it says it has {} bytes, but there are only {}", length, bytes);
}

std::string brokenB3d(std::string_view head, std::uint64_t bytes) {
  if (head.size() < 8) return "ends within its header";
  std::uint32_t length = 0;
  std::memcpy(&length, head.data() + 4, sizeof length);
  if (std::uint64_t{length} + 8 <= bytes) return {};
  return fmt::format("is cut short: it says it has {} bytes, but there are only {}",
                     std::uint64_t{length} + 8, bytes);
}

namespace {

// Counts braces outside of quoted strings and comments.
class BraceCounter {
 public:
  explicit BraceCounter(const std::array<std::string_view, 2>& comments) : comments_(comments) {}

  void read(char c) {
    if (comment_) {
      comment_ = c != '\n';
    } else if (c == '"') {
      quoted_ = !quoted_;
    } else if (c == '\n') {
      quoted_ = false; // no string spans lines
    } else if (!quoted_) {
      if (startsComment(c))
        comment_ = true;
      else if (c == '{')
        ++depth_;
      else if (c == '}')
        --depth_;
    }
    last_ = c;
  }
  std::int64_t depth() const { return depth_; }

 private:
  bool startsComment(char c) const {
    return std::ranges::any_of(comments_, [&](std::string_view sign) {
      return !sign.empty() && c == sign.back() && (sign.size() == 1 || last_ == sign.front());
    });
  }

  std::array<std::string_view, 2> comments_;
  bool quoted_ = false;
  bool comment_ = false;
  char last_ = 0;
  std::int64_t depth_ = 0;
};

} // namespace

std::string unbalancedBlock(const std::filesystem::path& path,
                            const std::array<std::string_view, 2>& comments) {
  std::ifstream in(path, std::ios::binary);
  BraceCounter braces(comments);
  std::vector<char> chunk(std::size_t{1} << 16);
  do {
    in.read(chunk.data(), static_cast<std::streamsize>(chunk.size()));
    std::for_each(chunk.begin(), chunk.begin() + in.gcount(), [&](char c) { braces.read(c); });
  } while (in);
  if (braces.depth() <= 0) return {};
  return fmt::format("ends inside a block: {} closing '}}' missing", braces.depth());
}

// Vertices, triangles, groups, materials, then the joints.
std::string lostMilkshape(std::string_view all) {
  const FileBytes bytes(all);
  std::size_t at = 14;
  bytes.skipList(at, 15);
  bytes.skipList(at, 70);
  const std::uint32_t groups = bytes.skipList(at, 0);
  for (std::uint32_t i = 0; i < groups; ++i) {
    at += 33;
    bytes.skipList(at, 2);
    ++at;
  }
  bytes.skipList(at, 361);
  at += 12; // frames per second, time, count of frames
  const std::uint32_t joints = bytes.at<std::uint16_t>(at).value_or(0);
  if (joints == 0) return {};
  return missing(fmt::format("a skeleton of {} joints", joints));
}

std::string lostMd2(std::string_view all) {
  return lostFrames(FileBytes(all).countAt(40));
}

std::string lostMd3(std::string_view all) {
  return lostFrames(FileBytes(all).countAt(76));
}

std::string lostMdl(std::string_view head) {
  const FileBytes bytes(head);
  if (head.starts_with("IDPO") || head.starts_with("MDL3") || head.starts_with("MDL4") ||
      head.starts_with("MDL5"))
    return lostFrames(bytes.countAt(68));
  const std::uint32_t bones = head.starts_with("MDL7") ? bytes.countAt(8) : 0;
  return bones > 0 ? missing(fmt::format("{} bones", bones)) : std::string();
}

// Blocks with a code and a length each; 'AR' is an armature.
std::string lostBlender(std::string_view all) {
  const FileBytes bytes(all);
  if (!all.starts_with("BLENDER") || all.size() < 12 || all[8] != 'v') return {};
  const std::size_t head = all[7] == '-' ? 24 : 20;
  std::size_t armatures = 0;
  for (std::size_t at = 12; at < all.size();) {
    armatures += all.substr(at).starts_with(std::string_view("AR\0\0", 4)) ? 1 : 0;
    const std::optional<std::uint32_t> length = bytes.at<std::uint32_t>(at + 4);
    if (!length) break;
    at += head + *length;
  }
  if (armatures == 0) return {};
  return missing(armatures == 1 ? std::string("an armature")
                                : fmt::format("{} armatures", armatures));
}

// A mesh names the file of its skeleton, in XML as an attribute, in the binary form in a
// chunk of its own.
std::string lostOgre(std::string_view all) {
  std::string_view name;
  constexpr std::string_view kLink = "<skeletonlink name=\"";
  if (const std::size_t link = all.find(kLink); link != all.npos) {
    name = all.substr(link + kLink.size());
    name = name.substr(0, name.find('"'));
  } else if (const std::size_t end = all.find(".skeleton\n"); end != all.npos) {
    std::size_t start = end;
    while (start > 0 && all[start - 1] > ' ' && all[start - 1] < 0x7f)
      --start;
    name = all.substr(start, end - start);
  } else {
    return {};
  }
  return fmt::format("the skeleton '{}', which the file names, was not read: it has to lie beside "
                     "it",
                     validUtf8(name.substr(0, 80)));
}

std::string lostOpenGex(std::string_view all) {
  return all.find("BoneRefArray") != all.npos ? missing("skins") : std::string();
}

std::string lostParts(const SourceFile& file, const Model& model) {
  const Format* format = findFormat(file.extension);
  if (!model.skins.empty() || format == nullptr || format->lost == nullptr) return {};
  return format->lost(readFile(file.path));
}

} // namespace sinew
