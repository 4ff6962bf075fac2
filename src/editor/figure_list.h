// A figure of a paper, made in the background by a process of this program, and what it shows.
#pragma once

#include "editor/tasks/run_program.h"
#include "editor/tasks/task.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace sinew {

struct ShownFigure {
  std::string name;     // name for `sinew figure`; empty: none has been made
  std::string says;     // the paper's statement
  std::string measured; // what was measured here
  std::shared_ptr<const ScratchFolder> folder;
  std::vector<std::filesystem::path> pictures; // PNG, in the folder
};

struct FigureList {
  std::string program; // the program that makes the figures
  std::unique_ptr<Task<ShownFigure>> job;
  ShownFigure seen;
  std::string problem; // why the last figure could not be made
};

// Makes a figure by `figure NAME -o FOLDER --json` of that program. Throws inputError.
ShownFigure makeFigure(const std::string& program, const std::string& name,
                       const Progress& progress);

// Starts a figure; cancels another one under way.
void startFigure(FigureList& list, const std::string& name);
bool pollFigure(FigureList& list); // true when a figure has ended

} // namespace sinew
