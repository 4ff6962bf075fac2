#include "viewer/recording.h"

#include <doctest/doctest.h>

namespace sinew {

TEST_CASE("recording: what is recorded or encoded is named, with how far it is") {
  Recorder recorder;
  CHECK(describeRecording(recorder).empty());
  recorder.encoder = std::make_unique<Task<std::string>>();
  CHECK(describeRecording(recorder).empty());
  Recording recording;
  recording.options.path = "folder/a.mp4";
  recording.frames = 40;
  recording.drawn = 10;
  recorder.now = recording;
  CHECK(describeRecording(recorder) == "Recording a.mp4 25 %");
  recorder.now.reset();
  recorder.encoder->start("folder/a.mp4", [](const Progress&) { return std::string("a.mp4"); });
  CHECK(describeRecording(recorder) == "Encoding a.mp4");
  CHECK(recorder.encoder->finish(10.0));
}

} // namespace sinew
