#include "page/packed_arrays.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstring>

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;

static_assert(std::endian::native == std::endian::little);

constexpr double kLevels = 65534.0; // steps of a range; the outermost may be rounded one further

std::uint64_t numberAt(std::span<const std::byte> values, std::size_t width, std::size_t i) {
  std::uint64_t number = 0;
  std::memcpy(&number, values.data() + i * width, width);
  return number;
}

} // namespace

Levels makeLevels(float least, float largest, double coarsest) {
  const double low = static_cast<double>(least);
  const double high = static_cast<double>(largest);
  if (high > low && high - low <= coarsest) return {0.5 * (low + high), 0.0};
  const double step = std::max((high - low) / kLevels, high > low ? coarsest : 0.0);
  // Less than the smallest float above 0: the same number over and over.
  if (!(step > 1e-44)) return {low, 0.0};
  return {std::floor(low / step), step};
}

std::uint16_t toLevel(const Levels& levels, float value) {
  if (levels.step == 0.0) return 0;
  const double level = std::round(static_cast<double>(value) / levels.step - levels.from);
  return static_cast<std::uint16_t>(std::clamp(level, 0.0, 65535.0));
}

float toFloat(const Levels& levels, std::uint16_t level) {
  if (levels.step == 0.0) return static_cast<float>(levels.from);
  return static_cast<float>((static_cast<double>(level) + levels.from) * levels.step);
}

Quantized quantize(std::span<const float> given, std::size_t components,
                   std::span<const double> steps) {
  assert(components > 0 && given.size() % components == 0);
  std::vector<float> values(given.begin(), given.end());
  for (float& value : values)
    if (!std::isfinite(value)) value = 0.0f;
  Quantized out;
  out.components = components;
  out.values.resize(values.size());
  for (std::size_t c = 0; c < components; ++c) {
    float least = values.empty() ? 0.0f : values[c];
    float largest = least;
    for (std::size_t i = c; i < values.size(); i += components) {
      least = std::min(least, values[i]);
      largest = std::max(largest, values[i]);
    }
    const Levels levels = makeLevels(least, largest, steps.empty() ? 0.0 : steps[c]);
    out.levels.push_back(levels);
    for (std::size_t i = c; i < values.size(); i += components)
      out.values[i] = toLevel(levels, values[i]);
  }
  return out;
}

std::vector<float> toFloats(const Quantized& quantized) {
  std::vector<float> out(quantized.values.size());
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = toFloat(quantized.levels[i % quantized.components], quantized.values[i]);
  return out;
}

Json PackedArrays::add(std::span<const std::byte> values, std::size_t width,
                       std::size_t components) {
  assert(width <= sizeof(std::uint64_t) && values.size() % (width * components) == 0);
  const std::size_t count = values.size() / (width * components);
  Json out{{"at", bytes_.size()}, {"count", count}, {"components", components}, {"width", width}};
  const std::size_t first = bytes_.size();
  bytes_.resize(first + values.size());
  char* to = bytes_.data() + first;
  for (std::size_t c = 0; c < components; ++c) {
    std::uint64_t before = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t number = numberAt(values, width, i * components + c);
      const std::uint64_t growth = number - before; // modulo 2^(8 width)
      before = number;
      for (std::size_t byte = 0; byte < width; ++byte)
        to[byte * count + i] = static_cast<char>(growth >> (8 * byte) & 0xff);
    }
    to += width * count;
  }
  return out;
}

Json PackedArrays::add(std::span<const float> values, std::size_t components) {
  Json out = add(std::as_bytes(values), sizeof(float), components);
  out["float"] = true;
  return out;
}

Json PackedArrays::add(std::span<const std::uint32_t> values) {
  const std::uint32_t largest = values.empty() ? 0 : *std::ranges::max_element(values);
  const std::size_t width = largest < 0x100 ? 1 : largest < 0x10000 ? 2 : 4;
  std::vector<std::byte> bytes(values.size() * width);
  for (std::size_t i = 0; i < values.size(); ++i)
    std::memcpy(bytes.data() + i * width, &values[i], width);
  return add(bytes, width, 1);
}

Json PackedArrays::add(std::span<const double> values) {
  Json out = add(std::as_bytes(values), sizeof(double), 1);
  out["float"] = true;
  return out;
}

Json PackedArrays::add(const Quantized& quantized) {
  Json out = add(std::as_bytes(std::span(quantized.values)), 2, quantized.components);
  for (const Levels& levels : quantized.levels) {
    out["from"].push_back(levels.from);
    out["step"].push_back(levels.step);
  }
  return out;
}

Json PackedArrays::addBytes(std::string_view bytes) {
  Json out{{"at", bytes_.size()}, {"count", bytes.size()}};
  bytes_ += bytes;
  return out;
}

nlohmann::ordered_json addFloats(std::span<float> values, std::size_t components, bool exact,
                                 PackedArrays& arrays) {
  if (exact) return arrays.add(std::span<const float>(values), components);
  const Quantized quantized = quantize(values, components);
  const std::vector<float> read = toFloats(quantized);
  std::ranges::copy(read, values.begin());
  return arrays.add(quantized);
}

Channels makeChannels(std::size_t count, std::size_t poses) {
  return {count, std::vector<float>(count * poses)};
}

Json addChannels(Channels& channels, bool exact, PackedArrays& arrays,
                 std::span<const double> steps) {
  const std::size_t poses = channels.count == 0 ? 0 : channels.values.size() / channels.count;
  const Quantized quantized =
      quantize(channels.values, std::max<std::size_t>(channels.count, 1), steps);
  std::vector<double> from, step;
  std::vector<std::uint16_t> moving; // channel by channel, those that change
  std::vector<float> movingExact;
  for (std::size_t c = 0; c < channels.count; ++c) {
    from.push_back(quantized.levels[c].from);
    step.push_back(quantized.levels[c].step);
    for (std::size_t pose = 0; pose < poses && step.back() != 0.0; ++pose) {
      moving.push_back(quantized.values[pose * channels.count + c]);
      movingExact.push_back(channels.values[pose * channels.count + c]);
    }
  }
  if (!exact) channels.values = toFloats(quantized);
  return {{"from", arrays.add(std::span<const double>(from))},
          {"step", arrays.add(std::span<const double>(step))},
          {"levels", exact ? arrays.add(std::span<const float>(movingExact), 1)
                           : arrays.add(std::as_bytes(std::span(moving)), 2, 1)}};
}

} // namespace sinew
