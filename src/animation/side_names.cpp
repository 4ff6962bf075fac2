#include "animation/side_names.h"

#include <cctype>
#include <functional>
#include <map>

namespace sinew {
namespace {

bool isLetter(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0;
}
bool isUpper(char c) {
  return std::isupper(static_cast<unsigned char>(c)) != 0;
}
char lower(char c) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

std::string lowered(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    c = lower(c);
  return out;
}

// `word` written as `like` is: LEFT, Left, left.
std::string matchCase(std::string_view like, std::string word) {
  for (std::size_t i = 0; i < word.size(); ++i)
    if (isUpper(like[i == 0 ? 0 : 1]))
      word[i] = static_cast<char>(std::toupper(static_cast<unsigned char>(word[i])));
  return word;
}

// A single l or r that means a side: between characters that are not letters, or in camel case
// before a capital at the start of a word (lShoulder) or as a capital at the end of one (armL).
bool isSideLetter(std::string_view name, std::size_t at) {
  const bool atStart = at == 0 || !isLetter(name[at - 1]);
  const bool atEnd = at + 1 == name.size() || !isLetter(name[at + 1]);
  if (atStart && (atEnd || isUpper(name[at + 1]))) return true;
  return atEnd && isUpper(name[at]) && !isUpper(name[at - 1]);
}

// Without a trailing number added by an exporter: "_011", ".003".
std::string withoutNumber(const std::string& name) {
  std::size_t end = name.size();
  while (end > 0 && std::isdigit(static_cast<unsigned char>(name[end - 1])) != 0)
    --end;
  const bool numbered =
      end < name.size() && end > 1 && (name[end - 1] == '_' || name[end - 1] == '.');
  return numbered ? name.substr(0, end - 1) : name;
}

std::string unchanged(const std::string& name) {
  return name;
}

using Reduce = std::function<std::string(const std::string&)>;

// Pairs the nodes without a partner whose reduced names match uniquely.
void pairBy(const Hierarchy& hierarchy, const Reduce& reduce, SidePartners& out) {
  std::map<std::string, std::vector<std::uint32_t>> byName;
  for (std::uint32_t i = 0; i < hierarchy.nodes.size(); ++i)
    if (out.partner[i] == kNoNode) byName[reduce(hierarchy.nodes[i].name)].push_back(i);
  for (std::uint32_t i = 0; i < hierarchy.nodes.size(); ++i) {
    if (out.partner[i] != kNoNode || byName[reduce(hierarchy.nodes[i].name)].size() != 1) continue;
    for (const SideName& name : sideNames(hierarchy.nodes[i].name)) {
      const auto found = byName.find(reduce(name.other));
      if (found == byName.end() || found->second.size() != 1) continue;
      const std::uint32_t other = found->second[0];
      if (other == i || out.partner[other] != kNoNode) continue;
      out.partner[i] = other;
      out.partner[other] = i;
      out.side[i] = name.side;
      out.side[other] = name.side == Side::left ? Side::right : Side::left;
      break;
    }
  }
}

} // namespace

std::vector<SideName> sideNames(std::string_view name) {
  std::vector<SideName> found;
  const std::string small = lowered(name);
  const auto offer = [&](std::size_t at, std::size_t length, const std::string& word, Side side) {
    std::string other(name);
    other.replace(at, length, matchCase(name.substr(at, std::max<std::size_t>(length, 2)), word));
    found.push_back({std::move(other), side});
  };
  for (std::size_t at = small.find("left"); at != std::string::npos;
       at = small.find("left", at + 1))
    offer(at, 4, "right", Side::left);
  for (std::size_t at = small.find("right"); at != std::string::npos;
       at = small.find("right", at + 1))
    offer(at, 5, "left", Side::right);
  for (std::size_t at = 0; at < small.size(); ++at) {
    if ((small[at] != 'l' && small[at] != 'r') || !isSideLetter(name, at)) continue;
    const bool left = small[at] == 'l';
    offer(at, 1, left ? "r" : "l", left ? Side::left : Side::right);
  }
  return found;
}

SidePartners partnersByName(const Hierarchy& hierarchy) {
  SidePartners out;
  out.partner.assign(hierarchy.nodes.size(), kNoNode);
  out.side.assign(hierarchy.nodes.size(), Side::none);
  pairBy(hierarchy, unchanged, out);
  pairBy(
      hierarchy, [](const std::string& name) { return lowered(name); }, out);
  pairBy(
      hierarchy, [](const std::string& name) { return withoutNumber(lowered(name)); }, out);
  return out;
}

} // namespace sinew
