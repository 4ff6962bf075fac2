#include "core/random.h"
#include "view/contact_shadow.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>

using namespace sinew;

namespace {

struct Body {
  std::vector<vec3> points;
  std::vector<Triangle> triangles;
};

Body randomBody(Random& random) {
  Body body;
  const auto count = static_cast<std::uint32_t>(random.uniform(3, 40));
  for (std::uint32_t i = 0; i < count; ++i)
    body.points.emplace_back(random.uniform(-1, 1), random.uniform(0, 0.3f), random.uniform(-1, 1));
  for (int i = 0; i < 60; ++i) {
    Triangle triangle{};
    for (std::uint32_t& corner : triangle)
      corner = std::min(static_cast<std::uint32_t>(random.uniform() * static_cast<float>(count)),
                        count - 1);
    body.triangles.push_back(triangle);
  }
  return body;
}

// A square of side 0.4 about a place.
Body plate(const vec3& middle) {
  const auto corner = [&](float x, float z) { return middle + 0.2f * vec3(x, 0, z); };
  return {{corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)}, {{0, 1, 2}, {0, 2, 3}}};
}

ContactShadow cast(const Body& body, float ground, float size) {
  ContactShadow shadow;
  castContactShadow(shadow, body.points, body.triangles, ground, size);
  return shadow;
}

float darkAt(const ContactShadow& shadow, float x, float z) {
  const std::ptrdiff_t column = std::lround((x - shadow.x) / shadow.cell);
  const std::ptrdiff_t row = std::lround((z - shadow.z) / shadow.cell);
  if (column < 0 || row < 0 || column >= shadow.columns || row >= shadow.rows) return 0.0f;
  return shadow.dark[static_cast<std::size_t>(row * shadow.columns + column)];
}

float sumDarkness(const ContactShadow& shadow) {
  if (shadow.columns == 0) return 0.0f;
  return std::accumulate(shadow.dark.begin(), shadow.dark.end(), 0.0f);
}

} // namespace

TEST_CASE("contact shadow: black under what lies on the ground, soft at its rim, nothing away") {
  const ContactShadow shadow = cast(plate({0.5f, 1.0f, -0.3f}), 1.0f, 2.0f);
  CHECK(darkAt(shadow, 0.5f, -0.3f) == doctest::Approx(1.0f));
  CHECK(darkAt(shadow, 0.5f + 0.4f, -0.3f) == 0.0f);
  const float rim = darkAt(shadow, 0.5f + 0.2f, -0.3f);
  CHECK(rim > 0.3f);
  CHECK(rim < 0.8f);
  for (float x = 0.5f; x < 0.9f; x += shadow.cell)
    CHECK(darkAt(shadow, x + shadow.cell, -0.3f) <= darkAt(shadow, x, -0.3f) + 1e-6f);
}

TEST_CASE("contact shadow: lighter with the height, and none from what is high") {
  float last = 2.0f;
  for (const float height : {-0.5f, 0.0f, 0.02f, 0.05f, 0.08f}) {
    const float dark = darkAt(cast(plate({0, height, 0}), 0.0f, 2.0f), 0.0f, 0.0f);
    CHECK(dark > 0.0f);
    CHECK((dark < last || height <= 0.0f)); // what is in the ground touches it too
    last = dark;
  }
  CHECK(cast(plate({0, 0.1f, 0}), 0.0f, 2.0f).columns == 0);
}

TEST_CASE("contact shadow: it stays with the body, and what comes down never lightens it") {
  Random random(23);
  for (int i = 0; i < 100; ++i) {
    CAPTURE(i);
    Body body = randomBody(random);
    const ContactShadow shadow = cast(body, 0.0f, 3.0f);
    CHECK(std::ranges::all_of(shadow.dark, [](float d) { return d >= 0.0f && d <= 1.0001f; }));
    Overlay overlay;
    addContactShadow(overlay, shadow, 0.0f);
    CHECK(overlay.triangles.size() % 6 == 0);
    CHECK(std::ranges::all_of(overlay.triangles,
                              [](const OverlayVertex& v) { return v.position.y == 0.0f; }));

    Body moved = body;
    for (vec3& p : moved.points)
      p += 16.0f * vec3(shadow.cell, 0, -2.0f * shadow.cell);
    const ContactShadow there = cast(moved, 0.0f, 3.0f);
    CHECK(sumDarkness(there) == doctest::Approx(sumDarkness(shadow)).epsilon(0.05));

    Body lowered = body;
    for (vec3& p : lowered.points)
      p.y -= 0.02f;
    CHECK(sumDarkness(cast(lowered, 0.0f, 3.0f)) >= 0.9999f * sumDarkness(shadow));
  }
}

TEST_CASE("contact shadow: what is no number, huge or without size casts none and does no harm") {
  const float inf = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const float bad : {inf, -inf, nan}) {
    Body body = plate({0, 0, 0});
    body.points[1].x = bad;
    body.points[2].y = bad;
    const ContactShadow shadow = cast(body, 0.0f, 2.0f);
    CHECK(std::ranges::all_of(shadow.dark, [](float d) { return d >= 0.0f; }));
  }
  Body wide = plate({0, 0, 0});
  wide.points[2] = vec3(1e30f, 0.0f, -1e30f);
  const ContactShadow shadow = cast(wide, 0.0f, 2.0f);
  CHECK(shadow.columns * shadow.rows <= 200 * 200);
  CHECK(cast(plate({0, 0, 0}), 0.0f, 0.0f).columns == 0);
  CHECK(cast({}, 0.0f, 1.0f).columns == 0);
}
