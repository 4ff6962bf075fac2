// The window: a model under the mouse, its panels, and nothing that the command line cannot do.
#pragma once

#include "app/model_sources.h"
#include "app/settings.h"
#include "crowd/crowd_mesh.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace sinew {

struct Viewer;    // viewer/viewer_state.h
class InputQueue; // viewer/window/input_queue.h

struct ViewerOptions {
  std::vector<std::string> models;  // files, folders or demo:NAME, the first is shown; empty: the
                                    // built-in character
  bool sideBySide = false;          // the others are in views beside it (editor/side_imports.h)
  ModelSources first;               // what is read with the first model; its file is in `models`
  bool firstScreen = false;         // the scene of the built-in character (editor/guide.h)
  bool ownMethod = true;            // the first is shown by the method its file states
  Settings settings;                // remembered settings, changed by the command line
  std::size_t stressVertices = 0;   // the stress scene of at least so many vertices; 0: none
  CrowdDrawing crowd;               // how the stress scene is drawn
  int frames = 0;                   // ends after so many frames of the loaded model; 0: when closed
  std::filesystem::path screenshot; // a picture of the whole window before it ends; empty: none
  bool rememberSettings = true;     // settings, recent files and the window's place
  int width = 0;                    // size of the window; 0: as remembered
  int height = 0;
  // Called before every frame: drives the window, whose input comes out of the queue.
  std::function<void(Viewer&, InputQueue&)> eachFrame = {};
};

// Runs until the window is closed. Throws graphicsError without a display or OpenGL 3.3. With
// `frames`, a model that cannot be read ends it with that error, and time moves in 1/60 s steps.
void runViewer(const ViewerOptions& options);

} // namespace sinew
