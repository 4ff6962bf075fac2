#include "check/joint_phrase.h"

#include "animation/retarget/joint_names.h"
#include "core/text.h"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <map>
#include <utility>

namespace sinew {
namespace {

// A bone turns at its upper end.
constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kUpperEnds{{
    {"forearm", "elbow"},
    {"hand", "wrist"},
    {"upper arm", "shoulder"},
    {"thigh", "hip"},
    {"calf", "knee"},
    {"foot", "ankle"},
    {"clavicle", "collarbone"},
}};

std::string turningPoint(const std::string& part) {
  for (const auto& [bone, joint] : kUpperEnds)
    if (part.ends_with(bone)) return part.substr(0, part.size() - bone.size()) + std::string(joint);
  return part;
}

// "hand middle" is a finger; what has no side, as a spine's middle, is not.
std::string withFinger(const std::string& words) {
  for (const std::string_view finger : {"index", "middle", "ring"})
    if (words == finger || words.ends_with(" " + std::string(finger))) return words + " finger";
  return words;
}

// The last number, without zeros before it: 2 of "Thumb2.R".
std::string numberIn(std::string_view name) {
  std::string last, digits;
  for (const char c : name) {
    if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
      digits += c;
    } else if (!digits.empty()) {
      last = std::exchange(digits, {});
    }
  }
  if (!digits.empty()) last = digits;
  const std::size_t first = last.find_first_not_of('0');
  return first == std::string::npos ? std::string() : last.substr(first);
}

} // namespace

std::string jointPhrase(std::string_view name) {
  std::string part = bodyPart(name);
  if (part.empty()) part = likelyBodyPart(name);
  if (!part.empty()) return capitalised(turningPoint(part));
  std::string side, rest;
  for (const std::string& word : jointNameWords(name)) {
    if (side.empty() && (word == "l" || word == "left"))
      side = "left";
    else if (side.empty() && (word == "r" || word == "right"))
      side = "right";
    else if (word.size() > 1)
      rest += (rest.empty() ? "" : " ") + word;
  }
  if (rest.empty()) return std::string(name);
  const std::string number = numberIn(name);
  return capitalised((side.empty() ? rest : side + " " + withFinger(rest)) +
                     (number.empty() ? "" : " " + number));
}

std::vector<std::string> jointPhrases(const Hierarchy& hierarchy,
                                      const std::vector<std::uint32_t>& joints) {
  std::vector<std::string> phrases;
  for (const Node& node : hierarchy.nodes)
    phrases.push_back(jointPhrase(node.name));
  std::map<std::string, int> count;
  for (const std::uint32_t joint : joints)
    ++count[phrases[joint]];
  for (const std::uint32_t joint : joints)
    if (const std::string& name = hierarchy.nodes[joint].name;
        count[phrases[joint]] > 1 && phrases[joint] != name)
      phrases[joint] += fmt::format(" ({})", name);
  return phrases;
}

std::string clipPhrase(std::string_view name) {
  const std::size_t bar = name.find_last_of('|');
  const bool within = bar != std::string_view::npos && bar + 1 < name.size();
  return std::string(within ? name.substr(bar + 1) : name);
}

} // namespace sinew
