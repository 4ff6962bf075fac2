// A reproduced figure or table of a paper: its description and its result. A figure only computes;
// writeFigure() writes the result to files.
#pragma once

#include "report/plot.h"
#include "report/sheet.h"
#include "report/table.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sinew {

// How much is measured, for figures that take time; 0: the figure's default. Models are additional
// ones to measure, for figures on weights: a mesh and a skeleton, by name.
struct FigureOptions {
  std::size_t vertices = 0; // of the largest crowd
  int frames = 0;           // of each case; of bg-steps, how often the steps are doubled
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
  std::string_view name; // on the command line
  std::string_view paper;
  std::string_view title; // with the number of the figure or table in the paper
  FigureResult (*run)(const FigureOptions& options);
};

// The output of `sinew figure NAME --json`, also written to NAME.json; files without folders.
nlohmann::ordered_json figureJson(const Figure& figure, const FigureResult& result);

// Writes PNG, CSV and JSON to the folder. Throws usageError if it cannot be written.
void writeFigure(const Figure& figure, const FigureResult& result,
                 const std::filesystem::path& folder);

} // namespace sinew
