// Arrays of numbers as bytes that deflate well: one component after the other, each as differences
// from one vertex (or frame) to the next, each difference's lower bytes before its upper ones. What
// was float becomes 16 bits of its range where that is asked for.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

// The levels (level + from) * step of a range of floats, 65,535 of them. Zero is one of them, where
// the range holds it: what is exactly 0 stays so. step 0: the constant `from`.
struct Levels {
  double from = 0.0;
  double step = 0.0;
};
// coarsest: a step that is small enough; 0: as small as possible.
Levels makeLevels(float least, float largest, double coarsest = 0.0);
std::uint16_t toLevel(const Levels& levels, float value);
float toFloat(const Levels& levels, std::uint16_t level);

// A quantised list of `components` numbers each, levels per component. What is not finite is 0.
struct Quantized {
  std::size_t components = 1;
  std::vector<Levels> levels;
  std::vector<std::uint16_t> values;
};
// steps: of each component the largest step that serves; none: as small as 16 bits allow.
Quantized quantize(std::span<const float> values, std::size_t components,
                   std::span<const double> steps = {});
std::vector<float> toFloats(const Quantized& quantized);

// Bytes of many arrays, one behind the other, and a description of each as JSON:
//   at, count, components, width (bytes of a component); "float": the bits are floats;
//   from, step: a Levels for each component
class PackedArrays {
 public:
  // values: little-endian numbers of `width` bytes, count * components of them.
  nlohmann::ordered_json add(std::span<const std::byte> values, std::size_t width,
                             std::size_t components);
  nlohmann::ordered_json add(std::span<const float> values, std::size_t components);
  nlohmann::ordered_json add(std::span<const std::uint32_t> values); // in as few bytes as hold them
  nlohmann::ordered_json add(std::span<const double> values);
  nlohmann::ordered_json add(const Quantized& quantized);
  nlohmann::ordered_json addBytes(std::string_view bytes); // as they are: at, count

  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

// Adds floats, rounded unless `exact`, and puts in their place what the reader will have.
nlohmann::ordered_json addFloats(std::span<float> values, std::size_t components, bool exact,
                                 PackedArrays& arrays);

// Numbers pose after pose, as many of each.
struct Channels {
  std::size_t count = 0;
  std::vector<float> values;
  std::span<float> ofPose(std::size_t pose) {
    return std::span(values).subspan(pose * count, count);
  }
};
Channels makeChannels(std::size_t count, std::size_t poses);

// Adds the channels, those that change channel by channel, and puts in their place what the reader
// will have. steps: as quantize() takes them.
nlohmann::ordered_json addChannels(Channels& channels, bool exact, PackedArrays& arrays,
                                   std::span<const double> steps = {});

// The components of vectors.
template <class T>
std::span<float> floatsIn(std::vector<T>& vectors) {
  return {reinterpret_cast<float*>(vectors.data()), vectors.size() * sizeof(T) / sizeof(float)};
}

} // namespace sinew
