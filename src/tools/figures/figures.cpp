#include "tools/figures/figures.h"

#include "core/error.h"

#include <algorithm>
#include <array>

namespace sinew {

std::span<const Figure> figures() {
  static const std::array kFigures = {
      schemesFigure(),       elbowTwistFigure(),   zonesFigure(),          subdivisionFigure(),
      curvatureFigure(),     fencingFigure(),      shoulderFigure(),       timeTables(),
      optimisationsFigure(), bendMethodsFigure(),  circleFigure(),         framesFigure(),
      bindingFigure(),       weightsFigure(),      posesFigure(),          vectorizedFigure(),
      mixingFigure(),        normalsFigure(),      storageFigure(),        performanceFigure(),
      armWeightsFigure(),    humanWeightsFigure(), penguinWeightsFigure(), stepsFigure(),
      pruningFigure(),       weightsSpeedFigure(),
  };
  return kFigures;
}

const Figure& findFigure(std::string_view name) {
  std::string wanted(name);
  std::replace(wanted.begin(), wanted.end(), '_', '-');
  std::vector<std::string_view> names;
  for (const Figure& figure : figures()) {
    if (figure.name == wanted) return figure;
    names.push_back(figure.name);
  }
  throw unknownName("figure", name, names);
}

} // namespace sinew
