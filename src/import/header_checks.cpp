#include "import/header_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstring>
#include <fstream>
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

} // namespace sinew
