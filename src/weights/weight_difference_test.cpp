#include "weights/weight_difference.h"

#include <doctest/doctest.h>

using namespace sinew;

TEST_CASE("weight difference: the sum over joints, vertex by vertex") {
  Influences a;
  a.append({{{0, 1.0f}}});
  a.append({{{1, 0.75f}, {0, 0.25f}}});
  Influences b;
  b.append({{{2, 1.0f}}});
  b.append({{{0, 0.5f}, {1, 0.5f}}});
  const WeightDifference apart = weightDifference(a, b);
  CHECK(apart.mean == doctest::Approx(1.25));
  CHECK(apart.largest == doctest::Approx(2.0));
  REQUIRE(apart.joints.size() == 3);
  CHECK(apart.joints[0] == doctest::Approx(0.625));
  CHECK(apart.joints[1] == doctest::Approx(0.125));
  CHECK(apart.joints[2] == doctest::Approx(0.5));
  CHECK(weightDifference(a, a).largest == doctest::Approx(0.0));
  CHECK(weightDifference({}, {}).mean == doctest::Approx(0.0));
}
