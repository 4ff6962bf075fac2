#include "picture/ragdoll_pictures.h"

#include "app/settings_view.h"
#include "core/error.h"
#include "core/file.h"
#include "gl/context.h"
#include "picture/film.h"
#include "picture/scene_renderer.h"
#include "render/image.h"
#include "render/offscreen.h"
#include "report/sheet.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

namespace fs = std::filesystem;

// The camera stands still and has the whole fall in view.
class FrameRenderer {
 public:
  FrameRenderer(Workbench workbench, const Settings& settings, const RagdollRun& run,
                const Size& size)
      : settings_(settings), run_(run),
        size_(offscreenOptions(size.width, size.height, settings.samples, glInfo(), false)),
        workbench_(std::move(workbench)) {
    uploadModel(scene_, workbench_, settings_);
    constexpr std::size_t kSamples = 16;
    for (std::size_t i = 0; i <= kSamples; ++i) {
      holdPose(workbench_, run_.recording[i * (run_.recording.size() - 1) / kSamples]);
      bounds_.include(posedOutline(workbench_));
    }
  }

  Image renderFrame(std::size_t frame) {
    holdPose(workbench_, run_.recording[frame]);
    uploadPalette(scene_, workbench_);
    const Viewport viewport{0, 0, size_.width, size_.height};
    const Camera camera = makeCamera(settings_, bounds_, viewport.aspect());
    Bounds shown = bounds_;
    shown.include(posedOutline(workbench_));
    return renderOffscreen(target_, size_, [&] {
      drawScene(scene_, workbench_, settings_, makeView(settings_, camera, shown, viewport));
    });
  }

 private:
  const Settings& settings_;
  const RagdollRun& run_;
  HeadlessContext context_;
  OffscreenOptions size_;
  OffscreenTarget target_;
  Workbench workbench_;
  SceneRenderer scene_;
  Bounds bounds_;
};

// The first, the one at the switch, the last, and between them those of the fall, which is over
// long before the end: more at its beginning. A third of them are of the way back, where there is
// one.
std::vector<std::size_t> chooseMoments(const RagdollRun& run, const RagdollRunOptions& options,
                                       int count) {
  const std::size_t last = run.recording.size() - 1;
  const auto lead = static_cast<std::size_t>(std::lround(options.lead * kRecordedPerSecond));
  std::vector<std::size_t> moments;
  if (lead > 0) moments.push_back(0);
  const auto left = static_cast<std::size_t>(std::max(count, 2)) - moments.size();
  const double back = std::min(options.back * kRecordedPerSecond, static_cast<double>(last - lead));
  const std::size_t ofBack = back > 0.0 ? left / 3 : 0;
  const std::size_t ofFall = left - ofBack;
  const double fallen = static_cast<double>(last) - back;
  for (std::size_t i = 0; i + 1 < ofFall; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(ofFall - 1);
    moments.push_back(lead + static_cast<std::size_t>(std::lround(
                                 (fallen - static_cast<double>(lead)) * share * share)));
  }
  for (std::size_t i = 0; i < ofBack; ++i)
    moments.push_back(static_cast<std::size_t>(
        std::lround(fallen + back * static_cast<double>(i) / static_cast<double>(ofBack))));
  moments.push_back(last);
  return moments;
}

void renderStrip(FrameRenderer& renderer, const RagdollRun& run, const RagdollRunOptions& options,
                 int count, const fs::path& output) {
  std::vector<Tile> tiles;
  for (const std::size_t frame : chooseMoments(run, options, count)) {
    const double time = static_cast<double>(frame) / kRecordedPerSecond - options.lead;
    const bool back = options.back > 0.0 && time > options.seconds - options.back;
    const char* what = time < -1e-6  ? "animation"
                       : time < 1e-6 ? "switch"
                       : back        ? "back"
                                     : "ragdoll";
    tiles.push_back({renderer.renderFrame(frame), fmt::format("{} {:.2f} s", what, time)});
  }
  writePng(output, layOut(tiles, static_cast<int>(tiles.size())));
}

void renderSequence(FrameRenderer& renderer, const RagdollRun& run, double fps,
                    const fs::path& output) {
  PictureSequence pictures(output, fps);
  const double last = static_cast<double>(run.recording.size() - 1);
  for (;;) {
    const double frame = std::floor(pictures.count() * kRecordedPerSecond / fps + 1e-9);
    if (frame > last) break;
    pictures.add(renderer.renderFrame(static_cast<std::size_t>(frame)));
  }
  pictures.finish();
}

} // namespace

void renderRagdoll(Workbench workbench, const Settings& settings, const RagdollRun& run,
                   const RagdollRunOptions& options, const RagdollPictures& pictures,
                   const fs::path& output) {
  FrameRenderer renderer(std::move(workbench), settings, run, pictures.size);
  if (getExtension(output) == ".png")
    renderStrip(renderer, run, options, pictures.moments, output);
  else
    renderSequence(renderer, run, pictures.fps, output);
}

} // namespace sinew
