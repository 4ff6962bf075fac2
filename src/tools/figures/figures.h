// The table of figures: every figure and table of the papers that the program reproduces. A figure
// is a source in the folder of its paper and a declaration here.
#pragma once

#include "report/plot.h"
#include "report/sheet.h"
#include "report/table.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sinew {

// A reproduced figure or table of a paper: its description and its result. A figure only computes;
// writeFigure() writes the result to files.
//
// How much to measure, for figures that take time; 0: the figure's default. `models` are further
// models to measure, for figures on weights: a mesh and a skeleton, by name.
struct FigureOptions {
  std::size_t vertices = 0; // vertices of the largest crowd
  int frames = 0;           // frames of each case; bg-steps: how often the steps are doubled
  std::vector<std::pair<std::string, std::string>> models;
};

// Names: "" is the figure's main file NAME.png, "x" the file NAME-x.png.
struct FigureImage {
  std::string name;
  Image image;
};
struct FigureTable {
  std::string name;
  Table table;
};

struct FigureResult {
  std::string says;     // the paper's statement, in a sentence
  std::string measured; // the measured result, in a sentence with its numbers
  nlohmann::ordered_json numbers = nlohmann::ordered_json::object();
  std::vector<FigureTable> tables;
  std::vector<FigureImage> images;
};

// run needs a current OpenGL context.
struct Figure {
  std::string_view name; // name on the command line
  std::string_view paper;
  std::string_view title; // title with the number of the figure or table in the paper
  FigureResult (*run)(const FigureOptions& options);
};

inline constexpr std::string_view kBonesBlendingPaper =
    "Kavan and Zara 2003: Real time skin deformation with bones blending";
inline constexpr std::string_view kArcSplinePaper =
    "Forstmann and Ohya 2006: Fast skeletal animation by skinned arc-spline based deformation";
inline constexpr std::string_view kBoneGlowPaper =
    "Wareham and Lasenby 2008: Bone glow, an improved method for the assignment of weights";

std::span<const Figure> figures();

// Finds a figure by name; '_' and '-' are equivalent. Throws usageError with all names.
const Figure& findFigure(std::string_view name);

// The output of `sinew figure NAME --json`, also written to NAME.json; files without folders.
nlohmann::ordered_json figureJson(const Figure& figure, const FigureResult& result);

// Writes PNG, CSV and JSON to the folder. Throws usageError if it cannot be written.
void writeFigure(const Figure& figure, const FigureResult& result,
                 const std::filesystem::path& folder);

// Small pictures of the figures, from assets/figures/ (NAME.png), embedded in the binary at build
// time: a list of figures shows them at once. `scripts/pictures figures` draws them.
struct FigureThumbnail {
  std::string_view path; // NAME.png
  std::string_view png;
};

std::span<const FigureThumbnail> figureThumbnails();

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
