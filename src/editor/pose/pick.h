// Which bone is under the mouse.
#pragma once

#include "model/model.h"
#include "view/view.h"

#include <cstdint>
#include <optional>
#include <span>

namespace sinew {

// The node of the joint whose bone (the line to each joint that follows it, or its own point)
// passes within `radius` pixels of the mouse. Among several it is the nearest to the mouse, among
// equals the nearest to the eye. mouse: pixels from the viewport's upper left.
// hidden: by node; 1: neither the joint nor the bones to it are picked.
std::optional<std::uint32_t> pickJoint(const Model& model, std::span<const mat4> modelFromNode,
                                       const View& view, vec2 mouse, float radius,
                                       std::span<const std::uint8_t> hidden = {});

} // namespace sinew
