#include "app/captions.h"
#include "app/commands.h"
#include "app/film.h"
#include "app/method_list.h"
#include "app/picture.h"
#include "app/view_cells.h"
#include "core/error.h"
#include "gl/context.h"
#include "render/image.h"
#include "render/offscreen.h"
#include "report/sheet.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <memory>

namespace sinew {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct RenderOptions {
  ModelOptions model;
  Settings settings;
  Size size;
  std::string output;
  int frames = 0;
  double fps = 30.0;
  int samples = 4;
  std::string reference;
  double threshold = 0.01;
};

constexpr std::uint8_t kBetweenViews = 11; // of 255

Image sheetOf(const Size& size) {
  Image sheet{static_cast<std::uint32_t>(size.width), static_cast<std::uint32_t>(size.height), {}};
  sheet.rgba.assign(std::size_t{4} * sheet.width * sheet.height, kBetweenViews);
  for (std::size_t alpha = 3; alpha < sheet.rgba.size(); alpha += 4)
    sheet.rgba[alpha] = 255;
  return sheet;
}

// One picture of the workbench as it stands; the camera stays where the first picture put it.
struct Painter {
  const RenderOptions& options;
  HeadlessContext context;
  Workbench bench;
  Picture picture;
  Bounds bounds;

  explicit Painter(const RenderOptions& o)
      : options(o), bench(openWorkbench(o.model, o.settings, Methods::several)),
        bounds(posedBounds(bench)) {
    uploadModel(picture, bench, o.settings);
  }

  Image paintView(std::size_t index, int width, int height) {
    const Viewport viewport{0, 0, width, height};
    const Camera camera = cameraOf(options.settings, bounds, viewport.aspect());
    Bounds scene = bounds;
    scene.include(posedBounds(bench));
    return renderOffscreen({.width = width, .height = height, .samples = options.samples}, [&] {
      drawPicture(picture, bench, options.settings,
                  viewOf(options.settings, camera, scene, viewport), {}, index);
    });
  }

  Image paint() {
    const auto [width, height] = options.size;
    const std::vector<Viewport> cells =
        viewCells({0, 0, width, height}, bench.bound.size(), subjectAspect(bounds));
    Image sheet = sheetOf(options.size);
    for (std::size_t i = 0; i < cells.size(); ++i)
      copyInto(sheet, paintView(i, cells[i].width, cells[i].height),
               static_cast<std::uint32_t>(cells[i].x),
               static_cast<std::uint32_t>(height - cells[i].y - cells[i].height));
    drawCaptions(sheet, cells, bench, options.settings);
    return sheet;
  }

  // The clip moved on to `seconds`.
  void move(double seconds) {
    evaluate(bench, seconds, wrapOf(options.settings));
    uploadPalette(picture, bench);
  }

  // As asked for; for a film without --frames, the clip once.
  int frameCount() const {
    if (options.frames > 0) return options.frames;
    const float once = playSeconds(bench, wrapOf(options.settings));
    const double seconds = once > 0.0f ? static_cast<double>(once) : 1.0;
    return std::max(1, static_cast<int>(std::lround(seconds * options.fps)));
  }

  // A sequence keeps the whole movement in view.
  void frameWholeClip() {
    const Wrap wrap = wrapOf(options.settings);
    const bool layered = !bench.movement.layers.empty() || bench.root != RootMotion::keep;
    const double seconds =
        layered ? frameCount() / options.fps : static_cast<double>(playSeconds(bench, wrap));
    if (!(seconds > 0.0)) return;
    const double start = layered ? static_cast<double>(options.settings.time)
                                 : static_cast<double>(bench.range.begin);
    constexpr int kSamples = 16;
    for (int i = 0; i <= kSamples; ++i) {
      evaluate(bench, start + seconds * i / kSamples, layered ? wrap : Wrap::clamp);
      bounds.include(posedBounds(bench));
    }
  }
};

void paintSequence(Painter& painter, const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw usageError(fmt::format("{}: cannot be created", folder.string()));
  painter.frameWholeClip();
  for (int i = 0; i < painter.frameCount(); ++i) {
    const double moment = painter.options.settings.time + i / painter.options.fps;
    painter.move(moment);
    writePng(folder / fmt::format("{:04}.png", i), painter.paint());
  }
}

// The frames go to a folder of their own, which is removed again.
void paintFilm(Painter& painter, const fs::path& film) {
  fs::path frames = film;
  frames += ".frames";
  paintSequence(painter, frames);
  std::error_code ignored;
  try {
    writeFilm(frames, painter.options.fps, film);
  } catch (...) {
    fs::remove_all(frames, ignored);
    throw;
  }
  fs::remove_all(frames, ignored);
}

Json differencesJson(const Workbench& bench, const Settings& settings) {
  const std::vector<MethodChoice> choices = methodChoices(settings.method);
  Json views = Json::array();
  for (std::size_t i = 0; i < bench.differences.size(); ++i)
    views.push_back({{"method", methodListOf({&choices[i], 1})},
                     {"largest_percent", 100.0f * bench.differences[i].largest},
                     {"mean_percent", 100.0f * bench.differences[i].mean}});
  return {{"from", settings.difference}, {"views", views}};
}

// Beside the picture: what differs, for a person to look at.
ExitCode compareWithReference(const RenderOptions& options, const Image& image, Json& report) {
  const Image reference = readPng(options.reference);
  if (reference.width != image.width || reference.height != image.height)
    throw usageError(fmt::format("{} is {}x{}, the picture {}x{}", options.reference,
                                 reference.width, reference.height, image.width, image.height),
                     "give the same --size");
  const ImageDifference off = difference(image, reference);
  const bool same = off.changedShare <= options.threshold;
  if (!same) {
    const fs::path path = fs::path(options.output).replace_extension(".difference.png");
    writePng(path, differenceImage(image, reference));
    fmt::print(stderr, "{} differs from {}: {:.4f} of the pixels, allowed {:.4f}; see {}\n",
               options.output, options.reference, off.changedShare, options.threshold,
               path.string());
  }
  report.update({{"mean", off.mean}, {"changed", off.changedShare}, {"passed", same}});
  return same ? ExitCode::done : ExitCode::checkFailed;
}

ExitCode render(const RenderOptions& options) {
  if (!(options.fps > 0.0)) throw usageError("--fps must be above 0");
  const fs::path output(options.output);
  const std::string extension = output.extension().string();
  const bool film = extension == ".mp4" || extension == ".gif";
  if (!film && options.frames == 0 && extension != ".png")
    throw usageError(fmt::format("{}: pictures are PNG", options.output),
                     "end the name in .png, .mp4 or .gif, or give a folder and --frames");
  Painter painter(options);
  if (film || options.frames > 0) {
    film ? paintFilm(painter, output) : paintSequence(painter, output);
    return ExitCode::done;
  }
  const Image image = painter.paint();
  writePng(output, image);
  Json report{{"file", options.output}};
  if (!painter.bench.differences.empty())
    report["difference"] = differencesJson(painter.bench, options.settings);
  const ExitCode code =
      options.reference.empty() ? ExitCode::done : compareWithReference(options, image, report);
  if (options.model.json) print(textOf(report));
  return code;
}

} // namespace

void addRenderCommand(CommandLine& line) {
  auto options = std::make_shared<RenderOptions>();
  CLI::App* command = line.app.add_subcommand("render", "Draw a picture, without a display");
  addModelOptions(*command, options->model);
  command
      ->add_option("-o,--output", options->output,
                   "the picture (.png), a film (.mp4, .gif; needs "
                   "ffmpeg), or with --frames a folder")
      ->required();
  addSize(*command, options->size);
  command->add_option("--frames", options->frames, "a sequence of this many pictures")
      ->check(CLI::Range(0, 100000));
  command->add_option("--fps", options->fps, "pictures a second of a sequence")
      ->capture_default_str();
  command->add_option("--samples", options->samples, "samples a pixel, 1 to 8")
      ->check(CLI::Range(1, 8));
  command->add_option("--reference", options->reference,
                      "compare with this picture; exit code 1 "
                      "where they differ, and a picture of the difference beside the output");
  command
      ->add_option("--threshold", options->threshold,
                   "share of pixels that may differ by more than 8 of 255")
      ->capture_default_str();
  addShow(*command, options->settings);
  addCamera(*command, options->settings);
  addSettings(*command, options->settings, {"Skinning", "Movement", "Show", "Light", "Camera"});
  command->footer(
      "Examples:\n"
      "  sinew render model.x --time 0.5 -o a.png\n"
      "  sinew render demo:arm --clip elbow-twist --time 2 --method bones-blending -o twist.png\n"
      "  sinew render model.fbx --motion walk.bvh --size 640x480 -o walk.mp4\n"
      "  sinew render model.fbx --method lbs,dqs,arc-spline --difference lbs -o three.png\n"
      "  sinew render model.glb --show skeleton,weights:Hips --camera 90,0,0.5 -o hips.png\n"
      "  sinew render model.glb -o new.png --reference old.png --threshold 0.004");
  command->callback([options, &line] { line.run = [options] { return render(*options); }; });
}

} // namespace sinew
