#include "animation/retarget/body_parts.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <vector>

namespace sinew {
namespace {

bool isCapital(char c) {
  return std::isupper(static_cast<unsigned char>(c)) != 0;
}

const std::map<std::string, std::string, std::less<>> kSided{
    {"thigh", "thigh"},       {"upleg", "thigh"},        {"upperleg", "thigh"},
    {"leg", "calf"},          {"lowerleg", "calf"},      {"loleg", "calf"},
    {"calf", "calf"},         {"shin", "calf"},          {"foot", "foot"},
    {"ankle", "foot"},        {"toe", "toes"},           {"toes", "toes"},
    {"toebase", "toes"},      {"ball", "toes"},          {"shoulder", "clavicle"},
    {"clavicle", "clavicle"}, {"collar", "clavicle"},    {"arm", "upper arm"},
    {"uparm", "upper arm"},   {"upperarm", "upper arm"}, {"forearm", "forearm"},
    {"lowerarm", "forearm"},  {"loarm", "forearm"},      {"hand", "hand"},
    {"wrist", "hand"},        {"palm", "hand"},
};

const std::map<std::string, std::string, std::less<>> kMiddleWords{
    {"hips", "hips"},   {"hip", "hips"},         {"pelvis", "hips"},   {"spine", "spine"},
    {"back", "spine"},  {"lowerback", "spine"},  {"abdomen", "spine"}, {"torso", "spine"},
    {"chest", "spine"}, {"upperchest", "spine"}, {"neck", "neck"},     {"head", "head"},
};

const std::map<std::string, std::string, std::less<>> kLikelySided{
    {"hip", "thigh"}, {"knee", "calf"}, {"elbow", "forearm"}};

// Prefixes that rigs put before every name.
bool isPrefix(const std::string& word) {
  return word == "bip" || word == "b" || word == "def" || word == "jnt" || word == "bone";
}

using PartNames = std::map<std::string, std::string, std::less<>>;

// sided: parts by the rest of a name with a side in it; middle: of one without.
std::string partIn(std::string_view name, const PartNames& sided, const PartNames& middle) {
  std::string side;
  std::string rest;
  for (const std::string& word : jointNameWords(name)) {
    if (word == "l" || word == "left" || word == "r" || word == "right") {
      if (!side.empty()) return {};
      side = word[0] == 'l' ? "left " : "right ";
    } else if (!rest.empty() || !isPrefix(word)) {
      rest += word;
    }
  }
  const PartNames& parts = side.empty() ? middle : sided;
  const auto found = parts.find(rest);
  return found != parts.end() ? side + found->second : std::string();
}

} // namespace

std::vector<std::string> jointNameWords(std::string_view name) {
  if (const std::size_t colon = name.find_last_of(":|"); colon != std::string_view::npos)
    name.remove_prefix(colon + 1);
  std::vector<std::string> words(1);
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    const bool letter = std::isalpha(static_cast<unsigned char>(c)) != 0;
    // A capital begins a word after a small letter, or before one (LFoot, UPPER).
    const bool begins =
        isCapital(c) && i > 0 &&
        (!isCapital(name[i - 1]) || (i + 1 < name.size() && !isCapital(name[i + 1]) &&
                                     std::isalpha(static_cast<unsigned char>(name[i + 1])) != 0));
    if ((!letter || begins) && !words.back().empty()) words.emplace_back();
    if (letter) words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

std::string bodyPart(std::string_view name) {
  return partIn(name, kSided, kMiddleWords);
}

std::string likelyBodyPart(std::string_view name) {
  return partIn(name, kLikelySided, {});
}

std::string bodyPart(const Node& node) {
  return bodyPart(node.humanBone.empty() ? node.name : node.humanBone);
}

std::string likelyBodyPart(const Node& node) {
  return likelyBodyPart(node.humanBone.empty() ? node.name : node.humanBone);
}

} // namespace sinew
