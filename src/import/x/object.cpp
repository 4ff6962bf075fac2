#include "import/x/object.h"

#include "core/text.h"

#include <fmt/format.h>

#include <cmath>

namespace sinew {

std::string makeLabel(const XObject& object) {
  constexpr std::size_t kLongestName = 60;
  std::string type(utf8Prefix(object.type, kLongestName));
  if (object.name.empty()) return type;
  return fmt::format("{} '{}'", type, utf8Prefix(object.name, kLongestName));
}

double XValues::number() {
  if (left() == 0)
    throw XError(
        fmt::format("{} has only {} numbers, too few", makeLabel(object_), object_.numbers.size()));
  return object_.numbers[at_++];
}

std::uint32_t XValues::index() {
  const double value = number();
  if (!(value >= 0.0 && value <= 4294967295.0) || value != std::floor(value))
    throw XError(
        fmt::format("{} has {} where a count or an index belongs", makeLabel(object_), value));
  return static_cast<std::uint32_t>(value);
}

std::uint32_t XValues::word() {
  if (left() > 0 && object_.numbers[at_] < 0.0 && object_.numbers[at_] >= -2147483648.0)
    return static_cast<std::uint32_t>(static_cast<std::int32_t>(number()));
  return index();
}

std::uint32_t XValues::count(std::size_t numbersEach, std::string_view what) {
  const std::uint32_t value = index();
  if (value > left() / numbersEach)
    throw XError(fmt::format("{} declares {} {}, but has numbers for {} only", makeLabel(object_),
                             value, what, left() / numbersEach));
  return value;
}

} // namespace sinew
