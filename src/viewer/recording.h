// A picture, GIF or film of the views as the window shows them, written while the clip plays.
#pragma once

#include "editor/session.h"
#include "editor/tasks/task.h"
#include "picture/film.h"
#include "viewer/state/graphics.h"
#include "viewer/state/ui.h"

#include <memory>
#include <optional>
#include <string>

namespace sinew {

// One frame of it after the other takes the place of the window's own time.
struct Recording {
  RecordOptions options;
  std::shared_ptr<PictureSequence> pictures; // null: one picture
  int frames = 1;
  int drawn = 0;
  Settings before; // time, playing and yaw are put back at the end
};

struct Recorder {
  std::optional<Recording> now;
  std::unique_ptr<Task<std::string>> encoder; // encodes the last recording and returns its path
};

// Proposes a file beside the model, or in the working folder: one that is not there yet.
std::string recordPath(const Document& document, RecordKind kind);

// Starts at the start of the playback range. A message says why it cannot start.
void startRecording(Session& session, Recorder& recorder, const RecordOptions& options);

// Discards what has been drawn; false if nothing is recorded.
bool cancelRecording(Session& session, Recorder& recorder);

bool recording(const Recorder& recorder);

// What is recorded or encoded, and how much of it: "Recording a.mp4 40 %"; empty: nothing.
std::string describeRecording(const Recorder& recorder);

// The seconds from one frame of the recording to the next, 0 for the first; none: not recording.
std::optional<double> recordStep(const Recorder& recorder);

// Records a frame. Call it after the pose of this frame has been uploaded.
void recordFrame(Session& session, Recorder& recorder, Graphics& graphics);

// True when an encoder has ended; a message says how.
bool pollRecording(Document& document, Recorder& recorder);

} // namespace sinew
