// A model by name: a file, or demo:NAME for one the program makes itself.
#pragma once

#include "import/import_model.h"
#include "model/model.h"

#include <string>

namespace sinew {

struct LoadOptions {
  std::string motion;        // a file whose animation is put on the model; empty: none
  double seconds = 60.0;     // reading longer is a limit error
  double megabytes = 8192.0; // so is memory beyond this
  ImportProgress progress;   // false cancels
};

// For commands: bounded in time and memory, at the price of a thread that may be left behind when
// a reader hangs; leave the process by std::_Exit after a limit error. Throws Error or Cancelled.
Model loadModel(const std::string& name, const LoadOptions& options = {});

// The same without bounds, on the calling thread: for the viewer's own import thread.
Model readModel(const std::string& name, const std::string& motion, const ImportProgress& progress);

// The name of a demo if it is "demo:NAME", else empty.
std::string demoName(const std::string& name);

} // namespace sinew
