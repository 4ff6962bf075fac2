#include "animation/layers/joint_limit_text.h"

#include "animation/layers/layer_joints.h"
#include "core/error.h"
#include "core/text.h"

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include <array>
#include <charconv>
#include <cmath>
#include <system_error>

namespace sinew {
namespace {

Error wrong(const std::string& line, std::string_view what) {
  return usageError(fmt::format("limit '{}': {}", line, what),
                    "JOINT hinge AX AY AZ BACK FRONT or JOINT universal DX DY DZ ROTATION BEND");
}

std::array<float, 5> parseNumbers(const std::string& line, const std::string& text) {
  std::array<float, 5> numbers{};
  std::size_t count = 0;
  for (std::string_view word : split(text, ' ')) {
    if (word.empty()) continue;
    if (count == numbers.size()) throw wrong(line, fmt::format("'{}' is unexpected", word));
    if (word.starts_with('+')) word.remove_prefix(1);
    const char* last = word.data() + word.size();
    const auto [end, error] = std::from_chars(word.data(), last, numbers[count]);
    if (error != std::errc() || end != last || !std::isfinite(numbers[count])) break;
    ++count;
  }
  if (count < numbers.size()) throw wrong(line, "five numbers are needed");
  return numbers;
}

JointLimit parseLimit(const std::string& line, bool hinge, const std::string& text) {
  const auto [x, y, z, a, b] = parseNumbers(line, text);
  if (!(glm::length(vec3(x, y, z)) > 0.0f)) throw wrong(line, "the axis has no direction");
  const vec3 axis = glm::normalize(vec3(x, y, z));
  if (hinge && a > b) throw wrong(line, "the back angle is beyond the front one");
  if (hinge && (a < -360.0f || b > 360.0f)) throw wrong(line, "more than 360 degrees");
  if (hinge) return HingeLimit{axis, glm::radians(a), glm::radians(b)};
  if (a < 0.0f || b < 0.0f) throw wrong(line, "a freedom must not be negative");
  return UniversalLimit{axis, glm::radians(a), glm::radians(b)};
}

} // namespace

JointLimits limitsOfText(const Hierarchy& hierarchy, const std::vector<std::string>& lines) {
  JointLimits limits;
  for (const std::string& line : lines) {
    const std::size_t hinge = line.rfind(" hinge ");
    const std::size_t universal = line.rfind(" universal ");
    const std::size_t at = hinge != std::string::npos ? hinge : universal;
    if (at == std::string::npos) throw wrong(line, "is neither hinge nor universal");
    const std::uint32_t node = namedJoint(hierarchy, line.substr(0, at));
    const std::size_t word = hinge != std::string::npos ? 7 : 11;
    limits.resize(hierarchy.nodes.size());
    limits[node] = parseLimit(line, hinge != std::string::npos, line.substr(at + word));
  }
  return limits;
}

std::string toString(const std::string& joint, const JointLimit& limit) {
  const auto deg = [](float radians) { return glm::degrees(radians); };
  if (const auto* hinge = std::get_if<HingeLimit>(&limit))
    return fmt::format("{} hinge {:.6g} {:.6g} {:.6g} {:.6g} {:.6g}", joint, hinge->axis.x,
                       hinge->axis.y, hinge->axis.z, deg(hinge->back), deg(hinge->front));
  if (const auto* free = std::get_if<UniversalLimit>(&limit))
    return fmt::format("{} universal {:.6g} {:.6g} {:.6g} {:.6g} {:.6g}", joint, free->direction.x,
                       free->direction.y, free->direction.z, deg(free->rotation), deg(free->bend));
  return {};
}

} // namespace sinew
