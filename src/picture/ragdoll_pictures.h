// What a ragdoll did, as pictures: a strip of moments, a numbered sequence or a film.
#pragma once

#include "app/workbench.h"
#include "picture/view_cells.h"
#include "ragdoll_run/ragdoll_run.h"

#include <filesystem>

namespace sinew {

struct RagdollPictures {
  Size size{320, 320}; // size of one picture
  int moments = 6;     // number of pictures in a strip
  double fps = 30.0;   // frame rate of a sequence or film
};

// `output`: .png for a strip with the times written over it, .mp4 or .gif for a film, else a folder
// of 0000.png, 0001.png, ... The run has to be recorded. Throws graphicsError without OpenGL,
// usageError for an output that cannot be written.
void renderRagdoll(Workbench workbench, const Settings& settings, const RagdollRun& run,
                   const RagdollRunOptions& options, const RagdollPictures& pictures,
                   const std::filesystem::path& output);

} // namespace sinew
