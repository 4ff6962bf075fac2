#include "bake/helper_centers.h"

#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>

namespace sinew {
namespace {

// A place stays near where it is by this share of what a rotation by one radian counts.
constexpr double kStayInPlace = 1e-4;

glm::dmat3 linearPart(const Transform& local) {
  glm::dmat3 out = glm::mat3_cast(glm::dquat(local.rotation));
  for (int c = 0; c < 3; ++c)
    out[c] *= static_cast<double>(local.scale[c]);
  return out;
}

// The step d from the center for which sum |(A_f d + t_f) - (A_0 d + t_0)|^2 is least.
vec3 stepToCenter(const BakeShapes& shapes, std::size_t helper) {
  const Transform& first = shapes.helpers.front()[helper];
  const glm::dmat3 from = linearPart(first);
  const double stay =
      kStayInPlace * static_cast<double>(shapes.count()) *
      (glm::dot(from[0], from[0]) + glm::dot(from[1], from[1]) + glm::dot(from[2], from[2])) / 3.0;
  glm::dmat3 squares(stay);
  glm::dvec3 right(0.0);
  for (const std::vector<Transform>& locals : shapes.helpers) {
    const Transform& local = locals[helper];
    const glm::dmat3 turned = linearPart(local) - from;
    squares += glm::transpose(turned) * turned;
    right -=
        glm::transpose(turned) * (glm::dvec3(local.translation) - glm::dvec3(first.translation));
  }
  const vec3 step(glm::inverse(squares) * right);
  return isFinite(step) ? step : vec3(0.0f);
}

void moveAlong(Transform& local, const vec3& step) {
  local.translation += vec3(linearPart(local) * glm::dvec3(step));
}

} // namespace

void centerHelpers(BakeProblem& problem, BakeShapes& shapes, BakeShapes& others) {
  if (shapes.helpers.empty()) return;
  for (std::uint32_t h = 0; h < problem.helpers.size(); ++h) {
    const vec3 step = stepToCenter(shapes, h);
    problem.helpers[h].center += step;
    moveAlong(problem.helpers[h].bind, step);
    for (BakeShapes* each : {&shapes, &others})
      for (std::size_t pose = 0; pose < each->count(); ++pose) {
        moveAlong(each->helpers[pose][h], step);
        placeHelper(problem, *each, pose, h);
      }
  }
}

} // namespace sinew
