// What is behind the scene: one colour, or a studio's light that falls off towards the rim.
#pragma once

#include "core/transform.h"

namespace sinew {

struct Overlay;
struct View;

enum class BackdropKind { dark, light, studio, color };

struct Backdrop {
  BackdropKind kind = BackdropKind::studio;
  vec3 color{0.11f, 0.12f, 0.14f}; // sRGB, of BackdropKind::color

  bool operator==(const Backdrop&) const = default;
};

// In sRGB; for a studio the colour around the middle.
vec3 getColor(const Backdrop& background);

// The whole picture of a view, in the studio's light. Draw it before all else (Overlay::behind).
void addStudio(Overlay& overlay, const View& view);

} // namespace sinew
