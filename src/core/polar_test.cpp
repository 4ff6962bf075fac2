#include "animation/random_model.h"
#include "core/polar.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include <cmath>

using namespace sinew;

namespace {

float largestEntry(const mat3& m) {
  float largest = 0.0f;
  for (int c = 0; c < 3; ++c)
    for (int r = 0; r < 3; ++r)
      largest = std::max(largest, std::abs(m[c][r]));
  return largest;
}

void checkParts(const mat3& m) {
  const RotationStretch parts = polar(m);
  CHECK(largestEntry(glm::mat3_cast(parts.rotation) * parts.stretch - m) <
        2e-6f * std::max(1.0f, largestEntry(m)));
  CHECK(largestEntry(parts.stretch - glm::transpose(parts.stretch)) == 0.0f);
  CHECK(std::abs(glm::length(parts.rotation) - 1.0f) < 1e-6f);
}

} // namespace

TEST_CASE("polar: a rotation is itself, without stretch") {
  Random random(1);
  for (int i = 0; i < 200; ++i) {
    const quat rotation = randomRotation(random);
    const RotationStretch parts = polar(glm::mat3_cast(rotation));
    CHECK(!parts.stretches);
    CHECK(parts.stretch == mat3(1.0f));
    CHECK(std::abs(glm::dot(parts.rotation, rotation)) > 1.0f - 1e-6f);
  }
}

TEST_CASE("polar: rotation times symmetric stretch gives any matrix back") {
  Random random(2);
  for (int i = 0; i < 500; ++i) {
    mat3 m;
    for (int c = 0; c < 3; ++c)
      for (int r = 0; r < 3; ++r)
        m[c][r] = random.uniform(-2.0f, 2.0f);
    checkParts(m);
    mat3 flat = m; // two directions become one, so the map loses a dimension
    flat[2] = 0.3f * flat[0] - 0.7f * flat[1];
    checkParts(flat);
    const mat3 line(m[0], 2.0f * m[0], -m[0]);
    checkParts(line);
  }
  checkParts(mat3(0.0f));
  checkParts(mat3(-1.0f));
  checkParts(mat3(1e-20f));
}

TEST_CASE("polar: of any condition, from noise on a rotation to nearly flat") {
  Random random(4);
  for (int i = 0; i < 400; ++i) {
    const mat3 rotation = glm::mat3_cast(randomRotation(random));
    mat3 noisy = rotation;
    for (int c = 0; c < 3; ++c)
      for (int r = 0; r < 3; ++r)
        noisy[c][r] += random.uniform(-1e-3f, 1e-3f);
    checkParts(noisy);
    mat3 scale(1.0f);
    scale[i % 3][i % 3] = std::pow(10.0f, random.uniform(-7.0f, 3.0f));
    if (i % 5 == 0) scale[0][0] = -scale[0][0];
    checkParts(rotation * scale * glm::mat3_cast(randomRotation(random)));
  }
}

TEST_CASE("polar: the stretch of rotation times scale is the scale") {
  Random random(3);
  for (int i = 0; i < 100; ++i) {
    const quat rotation = randomRotation(random);
    mat3 scale(1.0f);
    for (int a = 0; a < 3; ++a)
      scale[a][a] = random.uniform(0.5f, 2.0f);
    const RotationStretch parts = polar(glm::mat3_cast(rotation) * scale);
    CHECK(largestEntry(parts.stretch - scale) < 3e-6f);
  }
}

TEST_CASE("nearest rotation: none of many others is nearer, and none is a reflection") {
  Random random(3);
  for (int i = 0; i < 200; ++i) {
    glm::dmat3 m;
    for (int c = 0; c < 3; ++c)
      for (int r = 0; r < 3; ++r)
        m[c][r] = static_cast<double>(random.uniform(-1.0f, 1.0f));
    if (i % 4 == 0) m[2] = glm::dvec3(0.0); // maps all into a plane
    const glm::dmat3 nearest = nearestRotation(m);
    CHECK(glm::determinant(nearest) > 0.99);
    const auto likeness = [&](const glm::dmat3& r) {
      return glm::dot(r[0], m[0]) + glm::dot(r[1], m[1]) + glm::dot(r[2], m[2]);
    };
    for (int k = 0; k < 50; ++k)
      CHECK(likeness(glm::dmat3(glm::mat3_cast(randomRotation(random)))) <=
            likeness(nearest) + 1e-6);
  }
}
