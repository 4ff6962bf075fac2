// Figures 2, 3 and 5b: an elbow bent by basic skeletal animation, by vertex blending and by bones
// blending, with the same binding.
#include "tools/figures/bones_blending/zone_binding.h"
#include "tools/figures/figures.h"

#include <fmt/format.h>
#include <glm/trigonometric.hpp>

namespace sinew {
namespace {

constexpr float kBend = 100.0f;

FigureResult runSchemes(const FigureOptions& /*options*/) {
  struct Scheme {
    std::string_view method;
    const char* caption;
  };
  const Scheme schemes[] = {{"rigid", "basic skeletal animation (figure 2)"},
                            {"lbs", "vertex blending (figure 3)"},
                            {"bones-blending", "bones blending (figure 5)"}};
  const ZoneBound arm = paperArm(0.1f);
  const Pose pose = elbowPose(arm.model, kBend, 0.0f);
  FigureResult result;
  Table table{fmt::format("elbow bent by {} degrees", kBend),
              {{"method", ""},
               {"curvature", "degrees", 1},
               {"largest_stretch", ""},
               {"volume", ""},
               {"thinnest_slice", ""}},
              {}};
  std::vector<Tile> tiles;
  std::vector<double> curvatures;
  for (const auto& [method, caption] : schemes) {
    const MethodMetrics figures = measure(arm.model, "LowerArm", arm.choice(method), pose);
    curvatures.push_back(glm::degrees(double{figures.curvature}));
    table.rows.push_back({std::string(method), curvatures.back(), double{figures.largestStretch},
                          double{figures.volume}, double{figures.surfaceSection}});
    result.numbers[std::string(method)] = {{"curvature_degrees", curvatures.back()},
                                           {"volume", figures.volume},
                                           {"thinnest_slice", figures.surfaceSection}};
    tiles.push_back({shoot(poseBy(arm.model, arm.choice(method), pose),
                           {.width = 420,
                            .height = 420,
                            .pitch = 4.0f,
                            .frame = around(vec3(0.28f, 0.06f, 0), 0.14f),
                            .wireframe = true}),
                     caption});
  }
  result.says = "basic skeletal animation breaks the skin at the joint; vertex blending smooths it "
                "but loses thickness; bones blending bends it round";
  result.measured = fmt::format(
      "largest angle between neighbouring triangles about the elbow: {:.0f} degrees by basic "
      "skeletal animation, {:.0f} by vertex blending, {:.0f} by bones blending, which keeps {:.0f} "
      "% of the volume there against {:.0f} %",
      curvatures[0], curvatures[1], curvatures[2], 100.0 * std::get<double>(table.rows[2][3]),
      100.0 * std::get<double>(table.rows[1][3]));
  result.tables.push_back({"", std::move(table)});
  result.images.push_back({"", layOut(tiles, 3)});
  return result;
}

} // namespace

Figure schemesFigure() {
  return {.name = "bb-schemes",
          .paper = kBonesBlendingPaper,
          .title = "Figures 2, 3 and 5: three ways to bend an elbow",
          .run = runSchemes};
}

} // namespace sinew
