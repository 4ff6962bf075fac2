// A figure or table of a paper, made again: what it is, and what running it gives. A figure only
// computes; writeFigure puts the result into files.
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

// How much is measured, for figures that take time; 0: as much as the figure itself finds enough.
// Models are further ones to measure, for figures on weights: a mesh and a skeleton, by name.
struct FigureOptions {
  std::size_t vertices = 0; // of the largest crowd
  int frames = 0;           // of each contender; of bg-steps, how often the steps are doubled
  std::vector<std::pair<std::string, std::string>> models;
};

// In names: "" is the figure's own file NAME.png, "x" another, NAME-x.png.
struct FigureImage {
  std::string name;
  Image image;
};
struct FigureTable {
  std::string name;
  Table table;
};

struct FigureResult {
  std::string says;     // the paper, in a sentence
  std::string measured; // here, in a sentence with its numbers
  nlohmann::ordered_json numbers = nlohmann::ordered_json::object();
  std::vector<FigureTable> tables;
  std::vector<FigureImage> images;
};

// run needs a current OpenGL context.
struct Figure {
  std::string_view name; // the command line's word
  std::string_view paper;
  std::string_view title; // with the number of the figure or table in the paper
  FigureResult (*run)(const FigureOptions& options);
};

// What `sinew demo NAME --json` prints and NAME.json holds; files by their names alone.
nlohmann::ordered_json figureJson(const Figure& figure, const FigureResult& result);

// Writes PNG, CSV and JSON into the folder. Throws usageError where it cannot be written.
void writeFigure(const Figure& figure, const FigureResult& result,
                 const std::filesystem::path& folder);

} // namespace sinew
