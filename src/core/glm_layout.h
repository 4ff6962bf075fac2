// Palettes, vertex buffers and programs that link the installed libraries rely on the layout that
// GLM's types have by default.
#pragma once

#include <glm/gtc/quaternion.hpp>
#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>

#include <cstddef>

static_assert(sizeof(glm::vec3) == 12 && alignof(glm::mat4) == 4,
              "sinew needs GLM without GLM_FORCE_DEFAULT_ALIGNED_GENTYPES");
static_assert(offsetof(glm::quat, x) == 0, "sinew needs GLM without GLM_FORCE_QUAT_DATA_WXYZ");
