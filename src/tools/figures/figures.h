// The table of figures: every figure and table of the papers that the program reproduces. A figure
// is a source in the folder of its paper and a declaration here.
#pragma once

#include "tools/figures/figure.h"

#include <span>

namespace sinew {

inline constexpr std::string_view kBonesBlendingPaper =
    "Kavan and Zara 2003: Real time skin deformation with bones blending";
inline constexpr std::string_view kArcSplinePaper =
    "Forstmann and Ohya 2006: Fast skeletal animation by skinned arc-spline based deformation";

inline constexpr std::string_view kBoneGlowPaper =
    "Wareham and Lasenby 2008: Bone glow, an improved method for the assignment of weights";

std::span<const Figure> figures();

// By name; '_' and '-' are equivalent. Throws usageError with all names.
const Figure& findFigure(std::string_view name);

// "Real time skin deformation with bones blending" (Kavan and Zara 2003).
Figure schemesFigure();
Figure elbowTwistFigure();
Figure zonesFigure();
Figure subdivisionFigure();
Figure curvatureFigure();
Figure fencingFigure();
Figure shoulderFigure();
Figure timeTables();
Figure optimisationsFigure();

// "Fast skeletal animation by skinned arc-spline based deformation" (Forstmann and Ohya 2006).
Figure bendMethodsFigure();
Figure circleFigure();
Figure framesFigure();
Figure bindingFigure();
Figure weightsFigure();
Figure posesFigure();
Figure vectorizedFigure();
Figure mixingFigure();
Figure normalsFigure();
Figure storageFigure();
Figure performanceFigure();

// "Bone Glow: An Improved Method for the Assignment of Weights for Mesh Deformation" (Wareham and
// Lasenby 2008).
Figure armWeightsFigure();
Figure humanWeightsFigure();
Figure penguinWeightsFigure();
Figure stepsFigure();
Figure pruningFigure();
Figure weightsSpeedFigure();

} // namespace sinew
