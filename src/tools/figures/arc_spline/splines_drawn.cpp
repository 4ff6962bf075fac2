#include "tools/figures/arc_spline/splines_drawn.h"

#include "rig/spline_controls.h"
#include "skinning/spline.h"

namespace sinew {

Overlay drawSplines(const Workbench& workbench) {
  Overlay overlay;
  overlay.onTop = true;
  const float size = computeBounds(workbench.rig.positions).size();
  const glm::u8vec4 curve(250, 250, 250, 255);
  const glm::u8vec4 control(20, 24, 30, 255);
  for (std::uint32_t i = 0; i < workbench.rig.splines.size(); ++i) {
    if (workbench.rig.splines[i].source == kNoNode) continue;
    const auto [p1, p2, p3] = posedControlPoints(workbench.rig, i, workbench.modelFromNode);
    constexpr int kSteps = 32;
    vec3 last = p1;
    for (int step = 1; step <= kSteps; ++step) {
      const CurvePoint at = arcCurve().at(arcCurve().end * static_cast<float>(step) / kSteps);
      const vec3 next = p1 + at.along12 * (p2 - p1) + at.along23 * (p3 - p2);
      addRod(overlay, last, next, 0.004f * size, curve);
      last = next;
    }
    for (const vec3& p : {p1, p2, p3})
      addRod(overlay, p - vec3(0.008f * size, 0, 0), p + vec3(0.008f * size, 0, 0), 0.008f * size,
             control);
  }
  return overlay;
}

} // namespace sinew
