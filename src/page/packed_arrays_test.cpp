#include "core/random.h"
#include "core/test_effort.h"
#include "page/packed_arrays.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstring>
#include <limits>

namespace sinew {
namespace {

// As assets/page/data.js reads them.
std::vector<std::uint64_t> unpacked(const std::string& bytes, const nlohmann::ordered_json& array) {
  const auto at = array["at"].get<std::size_t>();
  const auto count = array["count"].get<std::size_t>();
  const auto components = array["components"].get<std::size_t>();
  const auto width = array["width"].get<std::size_t>();
  std::vector<std::uint64_t> out(count * components);
  for (std::size_t c = 0; c < components; ++c) {
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t b = 0; b < width; ++b)
        number += std::uint64_t{static_cast<unsigned char>(bytes[at + (c * width + b) * count + i])}
                  << (8 * b);
      if (width < 8) number &= (std::uint64_t{1} << (8 * width)) - 1;
      out[i * components + c] = number;
    }
  }
  return out;
}

} // namespace

TEST_CASE("packed arrays: what is read is what was written") {
  Random random(7);
  PackedArrays arrays;
  arrays.addBytes("before");
  for (int round = 0; round < test::rounds(200, 20); ++round) {
    const std::size_t components = 1 + static_cast<std::size_t>(random.uniform(0.0f, 3.99f));
    const std::size_t count = static_cast<std::size_t>(random.uniform(0.0f, 50.0f));
    const std::size_t width = std::size_t{1}
                              << static_cast<std::size_t>(random.uniform(0.0f, 3.99f));
    std::vector<std::byte> bytes(count * components * width);
    for (std::byte& byte : bytes)
      byte = static_cast<std::byte>(random.uniform(0.0f, 255.99f));
    const auto array = arrays.add(std::span<const std::byte>(bytes), width, components);
    const auto read = unpacked(arrays.bytes(), array);
    REQUIRE(read.size() == count * components);
    for (std::size_t i = 0; i < read.size(); ++i) {
      std::uint64_t number = 0;
      std::memcpy(&number, bytes.data() + i * width, width);
      CHECK(read[i] == number);
    }
  }
}

TEST_CASE("packed arrays: integers take as few bytes as hold them") {
  PackedArrays arrays;
  const auto measureWidth = [&](std::uint32_t largest) {
    const std::vector<std::uint32_t> values{0, largest};
    return arrays.add(std::span<const std::uint32_t>(values))["width"].get<int>();
  };
  CHECK(measureWidth(255) == 1);
  CHECK(measureWidth(256) == 2);
  CHECK(measureWidth(65535) == 2);
  CHECK(measureWidth(65536) == 4);
}

TEST_CASE("quantised floats are within half a step of 65,534 in their range, and zero stays zero") {
  Random random(8);
  for (int round = 0; round < test::rounds(300, 60); ++round) {
    const float middle = random.uniform(-1.0f, 1.0f) * std::pow(10.0f, random.uniform(-3.0f, 3.0f));
    const float range = std::pow(10.0f, random.uniform(-2.0f, 3.0f));
    std::vector<float> values{0.0f, 0.0f};
    for (int i = 0; i < 40; ++i)
      values.push_back(middle + range * random.uniform(-1.0f, 1.0f));
    const Quantized quantized = quantize(values, 2);
    const std::vector<float> read = toFloats(quantized);
    CHECK(read[0] == 0.0f);
    CHECK(read[1] == 0.0f);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double step = quantized.levels[i % 2].step;
      const double rounding = 1e-7 * std::abs(static_cast<double>(values[i]));
      CHECK(std::abs(static_cast<double>(read[i] - values[i])) <= 0.501 * step + rounding);
    }
  }
}

TEST_CASE("quantised: constants are exact, and what is not finite is 0") {
  const std::vector<float> constant(5, 0.1f);
  CHECK(toFloats(quantize(constant, 1)) == constant);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  CHECK(toFloats(quantize(std::vector<float>{nan, 0.0f, nan}, 1)) ==
        std::vector<float>{0.0f, 0.0f, 0.0f});
  CHECK(quantize({}, 3).values.empty());
}

} // namespace sinew
