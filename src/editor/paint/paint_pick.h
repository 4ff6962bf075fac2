// Which point of the posed surface is under the mouse: the triangles sorted into cells of the
// screen, once a pose and view, so that a stroke can ask often.
#pragma once

#include "core/lists.h"
#include "model/mesh.h"
#include "view/view.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace sinew {

struct SurfaceHit {
  std::uint32_t triangle = 0; // index of the rig's triangle
  vec3 shares{0.0f};          // barycentric coordinates
  vec3 position{0.0f};        // model space, posed
};

class PickGrid {
 public:
  PickGrid() = default; // hit by nothing
  // Keeps no reference. Triangles that reach behind the eye are left out.
  PickGrid(const View& view, std::span<const vec3> posed, std::span<const Triangle> triangles);

  // The nearest triangle at a pixel from the viewport's upper left, whichever way it faces.
  std::optional<SurfaceHit> at(vec2 pixel) const;

 private:
  struct Corner {
    vec2 pixel{0.0f};
    float depth = 0.0f;
    float w = 0.0f; // w in clip space; not positive: behind the eye
  };
  struct Cells {
    int left = 0, right = -1, top = 0, bottom = -1;
  };
  Cells findCells(const Triangle& triangle) const;

  std::size_t toCellIndex(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(columns_) +
           static_cast<std::size_t>(x);
  }

  int columns_ = 0;
  int rows_ = 0;
  std::vector<Corner> corners_;
  std::vector<vec3> posed_;
  std::vector<Triangle> triangles_;
  Lists<std::uint32_t> cells_; // the triangles of every cell
};

// Where the stamps of a stroke come on the way from one mouse position to the next, `spacing`
// apart. carried: the way since the last stamp, which the next call goes on from.
std::vector<vec2> stampsBetween(vec2 from, vec2 to, float spacing, float& carried);

} // namespace sinew
