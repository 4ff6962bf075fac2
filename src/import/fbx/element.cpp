#include "import/fbx/element.h"

#include "core/text.h"
#include "import/load_value.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <zlib.h>

namespace sinew {
namespace {

constexpr std::string_view kArrays = "fdlibc";
// No stream of zlib grows by more (zlib, "Technical details").
constexpr std::uint64_t kMaxExpansion = 1032;

std::size_t sizeOfType(char type) {
  switch (type) {
  case 'C':
  case 'B':
  case 'b':
  case 'c':
    return 1;
  case 'Y':
    return 2;
  case 'I':
  case 'F':
  case 'i':
  case 'f':
    return 4;
  default:
    return 8;
  }
}

bool isArray(const FbxValue& value) {
  return kArrays.find(value.type) != kArrays.npos;
}

template <class T>
T fromReal(double value) {
  if constexpr (std::is_integral_v<T>) {
    if (!(std::abs(value) < 9e18)) throw FbxError(fmt::format("{} is no whole number", value));
    return static_cast<T>(static_cast<std::int64_t>(value)); // as of a whole number
  } else {
    return static_cast<T>(value);
  }
}

// One number of binary data.
template <class T>
T numberAt(char type, const char* at) {
  switch (type) {
  case 'C':
  case 'B':
  case 'b':
  case 'c':
    return static_cast<T>(static_cast<unsigned char>(*at));
  case 'Y':
    return static_cast<T>(loadValue<std::int16_t>(at));
  case 'I':
  case 'i':
    return static_cast<T>(loadValue<std::int32_t>(at));
  case 'L':
  case 'l':
    return static_cast<T>(loadValue<std::int64_t>(at));
  case 'F':
  case 'f':
    return fromReal<T>(static_cast<double>(loadValue<float>(at)));
  default:
    return fromReal<T>(loadValue<double>(at));
  }
}

template <class T>
T parsed(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  const char* end = text.data() + text.size();
  if constexpr (std::is_integral_v<T>) {
    T value{};
    const auto [rest, error] = std::from_chars(text.data(), end, value);
    if (error == std::errc() && rest == end) return value;
  }
  double value = 0.0;
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc::result_out_of_range) // too small or too large for a double
    value = std::strtod(std::string(text).c_str(), nullptr);
  else if (error != std::errc()) // "1.#IND" and its like
    value = std::numeric_limits<double>::quiet_NaN();
  return fromReal<T>(value);
}

template <class T>
T toNumber(const FbxValue& value) {
  if (value.type == 'n') return parsed<T>(value.bytes);
  if (!isNumber(value)) throw FbxError("text stands where a number belongs");
  return numberAt<T>(value.type, value.bytes.data());
}

// The bytes of an array, as many as it says.
std::string inflated(const FbxValue& value, std::uint64_t size) {
  if (size > value.bytes.size() * kMaxExpansion)
    throw FbxError(fmt::format("an array of {} numbers has only {} compressed bytes", value.count,
                               value.bytes.size()));
  std::string out(size, '\0');
  auto length = static_cast<uLongf>(size);
  auto used = static_cast<uLong>(value.bytes.size());
  const int result = ::uncompress2(reinterpret_cast<Bytef*>(out.data()), &length,
                                   reinterpret_cast<const Bytef*>(value.bytes.data()), &used);
  if (result != Z_OK || length != size)
    throw FbxError(fmt::format("an array of {} numbers is damaged: {}", value.count,
                               result == Z_OK          ? "it has fewer"
                               : result == Z_BUF_ERROR ? "it has another length"
                                                       : "its compressed bytes are not zlib's"));
  return out;
}

template <class T, class Read>
void appendArray(const FbxValue& value, std::vector<T>& out, const Read& read) {
  const std::size_t each = sizeOfType(value.type);
  const std::uint64_t size = std::uint64_t{value.count} * each;
  std::string decompressed;
  std::string_view bytes = value.bytes;
  if (value.compressed) {
    decompressed = inflated(value, size);
    bytes = decompressed;
  } else if (bytes.size() != size) {
    throw FbxError(fmt::format("an array of {} numbers has {} bytes, not {}", value.count,
                               bytes.size(), size));
  }
  out.reserve(out.size() + value.count);
  for (std::size_t i = 0; i < value.count; ++i)
    out.push_back(read(value.type, bytes.data() + i * each));
}

// ASCII: "Vertices: *12 { a: 0,1,2 }".
const FbxElement* findListElement(const FbxElement& element) {
  const FbxElement* inner = element.children.size() == 1 && element.children[0].name == "a"
                                ? &element.children[0]
                                : nullptr;
  return inner != nullptr ? inner : &element;
}

// The length that an ASCII list states with a star.
std::optional<std::size_t> statedLength(const FbxElement& element) {
  if (element.values.size() != 1 || element.values[0].type != 'w' ||
      !element.values[0].bytes.starts_with('*'))
    return std::nullopt;
  return static_cast<std::size_t>(parsed<std::uint32_t>(element.values[0].bytes.substr(1)));
}

template <class T, class Array, class One>
std::vector<T> toNumbers(const FbxElement* element, const Array& array, const One& one) {
  std::vector<T> out;
  if (element == nullptr) return out;
  const std::optional<std::size_t> stated = statedLength(*element);
  const FbxElement* list = findListElement(*element);
  if (stated && list == element && *stated == 0) return out;
  for (const FbxValue& value : list->values)
    if (isArray(value))
      appendArray(value, out, array);
    else
      out.push_back(one(value));
  if (stated && out.size() != *stated)
    throw FbxError(
        fmt::format("'{}' says it has {} numbers and has {}", element->name, *stated, out.size()));
  return out;
}

struct Entity {
  std::string_view name;
  char character;
};
constexpr Entity kEntities[] = {{"&quot;", '"'}, {"&lf;", '\n'}, {"&cr;", '\r'}};

} // namespace

const FbxElement* findChild(const FbxElement& element, std::string_view name) {
  const auto found = std::find_if(element.children.begin(), element.children.end(),
                                  [&](const FbxElement& child) { return child.name == name; });
  return found == element.children.end() ? nullptr : &*found;
}

std::string childText(const FbxElement& element, std::string_view name) {
  const FbxElement* child = findChild(element, name);
  return child != nullptr ? textAt(*child, 0) : std::string();
}

bool isText(const FbxValue& value) {
  return value.type == 'S' || value.type == 'w' || value.type == 'R';
}

bool isNumber(const FbxValue& value) {
  return !isText(value) && !isArray(value);
}

double toReal(const FbxValue& value) {
  return toNumber<double>(value);
}

std::int64_t toInteger(const FbxValue& value) {
  return toNumber<std::int64_t>(value);
}

float toFloatOrBits(const FbxValue& value) {
  if (value.type == 'n' && value.bytes.find_first_of(".eE") == std::string_view::npos)
    return std::bit_cast<float>(static_cast<std::uint32_t>(parsed<std::int64_t>(value.bytes)));
  return static_cast<float>(toReal(value));
}

std::string toString(const FbxValue& value) {
  std::string out = validUtf8(value.bytes);
  if (value.type == 'S')
    for (const Entity& entity : kEntities)
      for (std::size_t at = 0; (at = out.find(entity.name, at)) != std::string::npos; ++at)
        out.replace(at, entity.name.size(), 1, entity.character);
  return out;
}

double realAt(const FbxElement& element, std::size_t index, double otherwise) {
  return index < element.values.size() && isNumber(element.values[index])
             ? toReal(element.values[index])
             : otherwise;
}

std::int64_t integerAt(const FbxElement& element, std::size_t index, std::int64_t otherwise) {
  return index < element.values.size() && isNumber(element.values[index])
             ? toInteger(element.values[index])
             : otherwise;
}

std::string textAt(const FbxElement& element, std::size_t index) {
  return index < element.values.size() && isText(element.values[index])
             ? toString(element.values[index])
             : std::string();
}

std::uint64_t unpackedBytes(const FbxElement& root) {
  std::uint64_t bytes = 0;
  for (std::vector<const FbxElement*> open{&root}; !open.empty();) {
    const FbxElement& element = *open.back();
    open.pop_back();
    for (const FbxValue& value : element.values)
      bytes += isArray(value) ? std::uint64_t{value.count} * sizeOfType(value.type)
                              : std::min<std::uint64_t>(value.bytes.size(), sizeof(double));
    for (const FbxElement& child : element.children)
      open.push_back(&child);
  }
  return bytes;
}

std::vector<double> toReals(const FbxElement* element) {
  return toNumbers<double>(element, numberAt<double>, toReal);
}

std::vector<std::int64_t> toIntegers(const FbxElement* element) {
  return toNumbers<std::int64_t>(element, numberAt<std::int64_t>, toInteger);
}

std::vector<float> toFloatsOrBits(const FbxElement* element) {
  return toNumbers<float>(
      element,
      [](char type, const char* at) {
        return type == 'i' ? loadValue<float>(at) : numberAt<float>(type, at);
      },
      toFloatOrBits);
}

std::size_t countNumbers(const FbxElement* element) {
  if (element == nullptr) return 0;
  std::size_t length = 0;
  for (const FbxValue& value : findListElement(*element)->values)
    length += isArray(value) ? value.count : 1;
  return length;
}

} // namespace sinew
