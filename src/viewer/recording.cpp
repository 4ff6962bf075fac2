#include "viewer/recording.h"

#include "app/settings_view.h"
#include "core/error.h"
#include "core/file.h"
#include "editor/document/clip_time.h"
#include "editor/document/document.h"
#include "editor/document/framing.h"
#include "picture/views_picture.h"
#include "render/image.h"
#include "viewer/panels/panels.h"
#include "viewer/state/view_layout.h"
#include "viewer/upload.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>
#include <variant>

namespace sinew {
namespace {

constexpr float kStillSeconds = 4.0f; // length of a film in which no clip plays

const char* extensionOfKind(RecordKind kind) {
  static constexpr const char* kExtensions[] = {".png", ".gif", ".mp4"};
  return kExtensions[static_cast<int>(kind)];
}

int frameCount(const Document& document, const RecordOptions& options) {
  float seconds = options.seconds;
  if (seconds <= 0.0f && !holdsPose(document))
    seconds = playSeconds(document.workbench, getWrap(document.settings)) /
              std::max(std::abs(document.settings.speed), 0.05f);
  if (seconds <= 0.0f) seconds = kStillSeconds;
  return std::max(1, static_cast<int>(std::lround(seconds * options.fps)));
}

void putBack(Session& session, const Recording& recording) {
  Settings& settings = session.document.settings;
  settings.time = recording.before.time;
  settings.playing = recording.before.playing;
  settings.turntable = recording.before.turntable;
  settings.yaw = recording.before.yaw;
}

void encode(Recorder& recorder, const Recording& recording) {
  const std::shared_ptr<PictureSequence> pictures = recording.pictures;
  recorder.encoder->start(recording.options.path,
                          [pictures, path = recording.options.path](const Progress&) {
                            pictures->finish();
                            return path;
                          });
}

Image drawFrame(const Session& session, const Recording& recording, Graphics& graphics) {
  const Document& document = session.document;
  const OffscreenOptions size =
      offscreenOptions(recording.options.width, recording.options.height,
                       std::min(document.settings.samples, graphics.info.limits.samples),
                       graphics.info, recording.options.kind != RecordKind::picture);
  return drawViews(
      graphics.recorded, size, document.workbench, document.settings, document.orbit.framed,
      [&](std::size_t index, const Viewport& viewport) {
        drawModel(document, graphics, document.settings, viewIn(document, index, viewport), index);
      },
      pictureCaptions(session));
}

} // namespace

std::string recordPath(const Document& document, RecordKind kind) {
  return freeName(outputFolder(document.loaded.model), makeStem(document.workbench.model),
                  extensionOfKind(kind))
      .string();
}

void startRecording(Session& session, Recorder& recorder, const RecordOptions& options) {
  Document& document = session.document;
  if (!hasModel(document)) return notify(document, "there is no model to record");
  if (document.crowd) return notify(document, "crowds cannot be recorded");
  const bool film = options.kind != RecordKind::picture;
  if (film && !canEncodeFilms())
    return notify(document, "films and GIFs need ffmpeg, which is not installed; "
                            "apt-get install ffmpeg");
  cancelRecording(session, recorder);
  Recording recording{options, {}, 1, 0, document.settings};
  if (getExtension(options.path) != extensionOfKind(options.kind))
    recording.options.path += extensionOfKind(options.kind);
  try {
    if (film)
      recording.pictures = std::make_shared<PictureSequence>(recording.options.path,
                                                             static_cast<double>(options.fps));
  } catch (const Error& problem) {
    return notify(document, problem.what());
  }
  if (film) {
    recording.frames = frameCount(document, options);
    document.settings.time = playedRange(document.workbench, getWrap(document.settings)).begin;
    document.settings.playing = true;
    document.settings.turntable = false; // the recording turns it by frames, not by the clock
  }
  recorder.now = std::move(recording);
}

bool recording(const Recorder& recorder) {
  return recorder.now.has_value();
}

std::string describeRecording(const Recorder& recorder) {
  const auto name = [](const std::string& path) {
    return std::filesystem::path(path).filename().string();
  };
  if (const auto& now = recorder.now)
    return fmt::format("Recording {} {} %", name(now->options.path),
                       100 * now->drawn / now->frames);
  if (!recorder.encoder || !recorder.encoder->running()) return {};
  return fmt::format("Encoding {}", name(recorder.encoder->progress().name));
}

bool cancelRecording(Session& session, Recorder& recorder) {
  if (!recorder.now) return false;
  putBack(session, *recorder.now);
  recorder.now.reset();
  notify(session.document, "the recording is discarded");
  return true;
}

std::optional<double> recordStep(const Recorder& recorder) {
  if (!recorder.now || !recorder.now->pictures) return std::nullopt;
  return recorder.now->drawn == 0 ? 0.0 : 1.0 / static_cast<double>(recorder.now->options.fps);
}

void recordFrame(Session& session, Recorder& recorder, Graphics& graphics) {
  if (!recorder.now) return;
  Recording& recording = *recorder.now;
  Settings& settings = session.document.settings;
  try {
    if (recording.options.turntable && recording.pictures)
      settings.yaw =
          std::remainder(recording.before.yaw + 360.0f * static_cast<float>(recording.drawn) /
                                                    static_cast<float>(recording.frames),
                         360.0f);
    Image image = drawFrame(session, recording, graphics);
    if (recording.pictures)
      recording.pictures->add(std::move(image));
    else
      writePng(recording.options.path, image);
  } catch (const Error& problem) {
    putBack(session, recording);
    recorder.now.reset();
    return notify(session.document, problem.what());
  }
  if (++recording.drawn < recording.frames) return;
  putBack(session, recording);
  if (recording.pictures)
    encode(recorder, recording);
  else
    notifySaved(session.document, recording.options.path);
  recorder.now.reset();
}

bool pollRecording(Document& document, Recorder& recorder) {
  const auto result = recorder.encoder->take();
  if (!result) return false;
  if (const auto* path = std::get_if<std::string>(&*result))
    notifySaved(document, *path);
  else
    notify(document, std::get<TaskFailure>(*result).message);
  return true;
}

} // namespace sinew
