#include "viewer/state/rolling.h"

#include <doctest/doctest.h>

namespace sinew {

TEST_CASE("rolling: median and order, before and after the ring is full") {
  Rolling rolling;
  CHECK(rolling.median() == 0.0f);
  rolling.push(3);
  rolling.push(100);
  rolling.push(1);
  CHECK(rolling.median() == 3.0f);
  CHECK(rolling.at(0) == 3.0f);
  CHECK(rolling.at(2) == 1.0f);
  for (std::size_t i = 0; i < Rolling::kCapacity; ++i)
    rolling.push(static_cast<double>(i));
  CHECK(rolling.count() == Rolling::kCapacity);
  CHECK(rolling.at(0) == 0.0f);
  CHECK(rolling.at(Rolling::kCapacity - 1) == static_cast<float>(Rolling::kCapacity - 1));
  constexpr std::size_t kMiddle = Rolling::kCapacity / 2;
  CHECK(rolling.median() == static_cast<float>(kMiddle));
  CHECK(rolling.largest() == static_cast<float>(Rolling::kCapacity - 1));
}

} // namespace sinew
