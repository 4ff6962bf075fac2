#include "demo/demo.h"

#include "core/error.h"
#include "demo/models.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace sinew {
namespace {

constexpr std::array kDemos = {
    Demo{"humanoid", "Humanoid", "A clothed figure that stands, walks and waves.", makeHumanoid},
    Demo{"arm", "Straight arm",
         "The arm of the bones-blending paper, whose elbow bends and twists.", makeArm},
    Demo{"flexing-arm", "Flexing arm",
         "The same arm, whose muscles are morph targets and swell as the elbow bends.",
         makeFlexingArm},
    Demo{"body-arm", "Body with an arm",
         "The model of the arc-spline paper's figures, 12,864 vertices, coloured by influence.",
         makeBodyArm},
    Demo{"body-arm-splines", "Body with an arm, free splines",
         "The same surface, skinned by the paper's three splines with painted weights.",
         makeBodyArmSplines},
    Demo{"curved-tube", "Curved tube",
         "A tube along a spline that is curved in the bind pose, straightened, bent and twisted.",
         makeCurvedTube},
    Demo{"tentacle", "Tentacle", "A chain of 60 joints that waves and curls up.", makeTentacle},
};

} // namespace

std::span<const Demo> demos() {
  return kDemos;
}

const Demo& findDemo(std::string_view name) {
  std::string wanted(name);
  std::replace(wanted.begin(), wanted.end(), '_', '-');
  std::vector<std::string_view> names;
  for (const Demo& demo : demos()) {
    if (demo.name == wanted) return demo;
    names.push_back(demo.name);
  }
  throw unknownName("demo", name, names);
}

} // namespace sinew
