#include "check/check_text.h"

#include "animation/retarget/joint_names.h"
#include "core/text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <cctype>
#include <cmath>
#include <map>
#include <utility>

namespace sinew {
namespace {

using CheckJson = nlohmann::ordered_json;

CheckJson number(double value) {
  return std::isfinite(value) ? CheckJson(value) : CheckJson();
}

CheckJson shapeJson(const JointShape& shape) {
  return {{"cross_section", number(shape.section)},
          {"volume", number(shape.volume)},
          {"folded", number(shape.folded)},
          {"crossings_per_triangle", number(shape.crossing)}};
}

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

nlohmann::ordered_json faultJson(const Model& model, const JointFault& fault) {
  const CheckMoment& moment = fault.moments.front();
  CheckJson out{{"joint", fault.name},
                {"name", fault.phrase},
                {"clip", moment.clip ? CheckJson(model.clips[*moment.clip].name) : CheckJson()},
                {"time", moment.clip ? CheckJson(moment.at) : CheckJson()},
                {"degrees", moment.clip ? CheckJson() : CheckJson(moment.at)},
                {"kind", fault.kind->name},
                {"sentence", describeFault(model, fault)},
                {"damage_percent", number(100.0 * fault.kind->damage(fault.shape))},
                {"severity", number(fault.severity)},
                {"twist_degrees", number(fault.shape.twist)},
                {"figures", shapeJson(fault.shape)}};
  CheckJson methods = CheckJson::array();
  for (const MethodShape& each : fault.methods)
    methods.push_back({{"method", each.method->name},
                       {"severity", number(each.severity)},
                       {"figures", shapeJson(each.shape)}});
  out["methods"] = methods;
  out["best"] = fault.best ? CheckJson(fault.methods[*fault.best].method->name) : CheckJson();
  return out;
}

nlohmann::ordered_json repairJson(const JointRepair& repair) {
  return {{"kind", repair.kind},
          {"text", repair.text},
          {"severity", number(repair.severity)},
          {"worsened", repair.worsened.empty() ? CheckJson() : CheckJson(repair.worsened)},
          {"figures", shapeJson(repair.shape)}};
}

std::string bestText(const JointFault& fault) {
  if (!fault.best) return {};
  const MethodShape& best = fault.methods[*fault.best];
  return fmt::format("best by {}: {}{}", best.method->title, figureText(*fault.kind, best.shape),
                     best.severity < 1.0 ? "" : ", still a fault");
}

std::string checkText(const Model& model, const Check& check) {
  std::string text;
  for (const JointFault& fault : check.joints) {
    if (fault.severity < 1.0) continue;
    const std::string best = bestText(fault);
    text += fmt::format("{}\n    {}{}{}\n", describeFault(model, fault), fault.name,
                        best.empty() ? "" : ": ", best);
  }
  if (faultCount(check) == 0 && !check.joints.empty()) text += unbrokenText(model, check) + "\n";
  return text +
         fmt::format("{}; {}; {:.2f} s\n", countText(check), describeScope(check), check.seconds);
}

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
    else if (word.size() > 1 && !(rest.empty() && isNamePrefix(word)))
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
