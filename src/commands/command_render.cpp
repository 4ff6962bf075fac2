#include "app/clip_bounds.h"
#include "app/method_list.h"
#include "app/settings_view.h"
#include "commands/command.h"
#include "commands/commands.h"
#include "commands/model_options.h"
#include "commands/output.h"
#include "commands/setting_options.h"
#include "core/error.h"
#include "core/file.h"
#include "gl/context.h"
#include "import/image_decoder.h"
#include "import/isolated_import.h"
#include "picture/film.h"
#include "picture/scene_renderer.h"
#include "picture/views_picture.h"
#include "render/image.h"
#include "report/sheet.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>

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
  std::string reference;
  double threshold = 0.01;
  bool ownMethod = false; // the file's method, where it states one
  std::string focus;      // a joint that fills the picture; empty: the whole model
};

bool isSequence(const RenderOptions& options) {
  return isFilm(options.output) || options.frames > 0;
}

// Renders the workbench at its current time; the camera stays where the first picture put it.
struct FrameRenderer {
  const RenderOptions& options;
  std::optional<HeadlessContext> context; // made while another process reads the file
  Workbench workbench;
  SceneRenderer scene;
  OffscreenTarget target;
  OffscreenOptions size;
  std::optional<Outline> posed; // at the workbench's time, once it is known
  Outline bounds;

  explicit FrameRenderer(RenderOptions& o)
      : options(o), workbench(open(o, context)),
        size(offscreenOptions(o.size.width, o.size.height, o.settings.samples, glInfo(),
                              isSequence(o))),
        bounds(boundsNow()) {
    if (!o.focus.empty())
      bounds = jointOverClip(workbench, getWrap(o.settings), findJoint(workbench.model, o.focus),
                             bounds.size());
    uploadModel(scene, workbench, o.settings);
    if (o.model.quiet) return;
    for (const SkinChoice& choice : scene.skinChoices)
      fmt::print(stderr, "skin-on auto: {}\n", toString(choice));
  }

  static Workbench open(RenderOptions& options, std::optional<HeadlessContext>& context) {
    const auto makeContext = [&] {
      if (!context) context.emplace();
    };
    ModelOptions model = options.model;
    swingBySprings(model);
    model.textures = showsTextures(options.settings);
    model.whileReading = makeContext;
    Workbench workbench = openWorkbench(model, options.settings, Methods::several);
    if (options.ownMethod) showOwnMethod(workbench, options.settings);
    makeContext();
    return workbench;
  }

  Image renderFrame() {
    Bounds shown = bounds;
    shown.include(boundsNow());
    return drawViews(target, size, workbench, options.settings, bounds,
                     [&](std::size_t index, const Viewport& viewport) {
                       const Camera camera =
                           makeCamera(options.settings, bounds, viewport.aspect());
                       drawScene(scene, workbench, options.settings,
                                 makeView(options.settings, camera, shown, viewport), {}, index);
                     });
  }

  // Skins every vertex, so once for a picture.
  const Outline& boundsNow() {
    if (!posed) posed = posedOutline(workbench);
    return *posed;
  }

  // The clip moved on to `seconds`.
  void move(double seconds) {
    evaluate(workbench, seconds, getWrap(options.settings));
    posed.reset();
    uploadPalette(scene, workbench);
  }

  // The number of frames asked for; for a film without --frames, the clip once.
  int frameCount() const {
    if (options.frames > 0) return options.frames;
    const float once = playSeconds(workbench, getWrap(options.settings));
    const double seconds = once > 0.0f ? static_cast<double>(once) : 1.0;
    return std::max(1, static_cast<int>(std::lround(seconds * options.fps)));
  }

  // Frames the whole clip, so that the model stays in view during a sequence.
  void frameWholeClip() {
    if (!options.focus.empty()) return;
    const Wrap wrap = getWrap(options.settings);
    const bool layered = !workbench.layerStack.layers.empty() || workbench.root != RootMotion::keep;
    const double seconds =
        layered ? frameCount() / options.fps : static_cast<double>(playSeconds(workbench, wrap));
    if (!(seconds > 0.0)) return;
    const double start = layered ? static_cast<double>(options.settings.time)
                                 : static_cast<double>(workbench.range.begin);
    constexpr int kSamples = 16;
    for (int i = 0; i <= kSamples; ++i) {
      evaluate(workbench, start + seconds * i / kSamples, layered ? wrap : Wrap::clamp);
      posed.reset();
      bounds.include(boundsNow());
    }
  }
};

// Writes a film, or a folder of numbered pictures; prints what was written.
Json renderSequence(FrameRenderer& renderer, const fs::path& output) {
  const RenderOptions& options = renderer.options;
  PictureSequence pictures(output, options.fps);
  renderer.frameWholeClip();
  const int frames = renderer.frameCount();
  while (pictures.count() < frames) {
    renderer.move(options.settings.time + pictures.count() / options.fps);
    pictures.add(renderer.renderFrame());
  }
  pictures.finish();
  return {{"file", options.output}, {"frames", frames}, {"fps", options.fps}};
}

Json differencesJson(const Workbench& workbench, const Settings& settings) {
  Json views = Json::array();
  for (std::size_t i = 0; i < workbench.differences.size(); ++i)
    views.push_back({{"method", methodText(settings.methods[i])},
                     {"largest_percent", 100.0f * workbench.differences[i].largest},
                     {"mean_percent", 100.0f * workbench.differences[i].mean}});
  return {{"from", settingText(settings.difference)}, {"views", views}};
}

// Reads a picture that must have this size. Its pixels are decoded as those of a texture are, in a
// process that can do nothing else.
Image readReference(const fs::path& path, std::uint32_t width, std::uint32_t height) {
  constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 30;
  constexpr std::uint32_t kMaxSide = 32768;
  constexpr double kSeconds = 60.0;
  const auto read = [&](const ImportProgress&) {
    const std::string bytes = readFile(path, kMaxBytes);
    const ImageLimits limits{std::max(width, height), kMaxBytes};
    try {
      if (!bytes.starts_with("\x89PNG\r\n\x1a\n")) throw std::runtime_error("is no PNG");
      const ImageSize size = checkImage(bytes, {kMaxSide, kMaxBytes});
      if (size.width != width || size.height != height)
        throw usageError(fmt::format("{} is {}x{}, the picture {}x{}", path.string(), size.width,
                                     size.height, width, height),
                         "give the same --size");
      const Image image = decodeImage(bytes, limits);
      const auto pixels = std::as_bytes(std::span(image.rgba));
      return std::vector<std::byte>(pixels.begin(), pixels.end());
    } catch (const Error&) {
      throw;
    } catch (const std::runtime_error& error) {
      throw inputError(path.string(), error.what());
    }
  };
  const std::vector<std::byte> pixels = bytesIsolated(
      path, read, {}, {.seconds = kSeconds, .megabytes = 1024.0, .processorSeconds = kSeconds});
  Image image{width, height, {}};
  image.rgba.resize(std::size_t{4} * width * height);
  if (pixels.size() != image.rgba.size())
    throw inputError(path.string(), "the reader's result is damaged");
  std::memcpy(image.rgba.data(), pixels.data(), pixels.size());
  return image;
}

// Beside the picture: what differs, for a person to look at.
ExitCode compareWithReference(const RenderOptions& options, const Image& image, Json& report) {
  const Image reference = readReference(options.reference, image.width, image.height);
  const ImageDifference off = difference(image, reference);
  const bool same = off.changedFraction <= options.threshold;
  if (!same) {
    const fs::path path = fs::path(options.output).replace_extension(".difference.png");
    writePng(path, differenceImage(image, reference));
    fmt::print(stderr, "{} differs from {}: {:.4f} of the pixels, allowed {:.4f}; see {}\n",
               options.output, options.reference, off.changedFraction, options.threshold,
               path.string());
  }
  report.update({{"mean", off.mean}, {"changed", off.changedFraction}, {"passed", same}});
  return same ? ExitCode::done : ExitCode::checkFailed;
}

ExitCode render(RenderOptions& options) {
  if (!(options.fps > 0.0)) throw usageError("--fps must be above 0");
  const fs::path output(options.output);
  const bool sequence = isSequence(options);
  const bool toStandardOutput = options.output == "-";
  if (toStandardOutput && (options.model.json || !options.reference.empty() || sequence))
    throw usageError("-o - writes one picture to the standard output",
                     "leave out --json, --reference and --frames, or name a file");
  // Thumbnailers are given names without an extension.
  if (!sequence && output.has_extension() && getExtension(output) != ".png")
    throw usageError(fmt::format("{}: pictures are PNG", options.output),
                     "end the name in .png, .mp4 or .gif, or give a folder and --frames");
  if (sequence && !options.reference.empty())
    throw usageError("--reference is compared with one picture",
                     "leave it out for a film or a sequence");
  FrameRenderer renderer(options);
  if (sequence) {
    const Json report = renderSequence(renderer, output);
    if (options.model.json) print(toString(report));
    return ExitCode::done;
  }
  const Image image = renderer.renderFrame();
  if (toStandardOutput) {
    print(encodePng(image));
    return ExitCode::done;
  }
  writePng(output, image);
  Json report{{"file", options.output}};
  if (!renderer.workbench.differences.empty())
    report["difference"] = differencesJson(renderer.workbench, options.settings);
  const ExitCode code =
      options.reference.empty() ? ExitCode::done : compareWithReference(options, image, report);
  if (options.model.json) print(toString(report));
  return code;
}

} // namespace

Command renderCommand() {
  auto options = std::make_shared<RenderOptions>();
  Command command{"render", "Draw a picture, without a display"};
  addModelOptions(command, options->model);
  command
      .add("-o,--output", &options->output,
           "the picture (.png; - for the standard output), a film (.mp4, .gif; needs "
           "ffmpeg), or with --frames a folder")
      .as(ValueKind::file)
      .required();
  addSize(command, options->size);
  command.add("--frames", &options->frames, "a sequence of this many pictures").range(0, 100000);
  command.add("--fps", &options->fps, "pictures a second of a sequence").showDefault();
  command
      .add("--reference", &options->reference,
           "compare with this picture; exit code 1 "
           "where they differ, and a picture of the difference beside the output")
      .as(ValueKind::file);
  command
      .add("--threshold", &options->threshold,
           "share of pixels that may differ by more than 8 of 255")
      .showDefault();
  command.add("--focus", &options->focus,
              "frame this joint and half of its bones, over all of the clip");
  addShow(command, options->settings);
  addCamera(command, options->settings);
  addSettings(command, options->settings,
              {"Skinning", "Animation", "Motion", "Show", "Light", "Picture", "Camera"});
  command.examples = {
      "sinew render model.x --time 0.5 -o a.png",
      "sinew render demo:arm --clip elbow-twist --time 2 --method bones-blending -o twist.png",
      "sinew render model.fbx --motion walk.bvh --size 640x480 -o walk.mp4",
      "sinew render model.fbx --method lbs,dqs,arc-spline --difference lbs -o three.png",
      "sinew render model.glb --show skeleton,weights:Hips --camera 90,0,0.5 -o hips.png",
      "sinew render model.fbx --clip run --time 0.4 --focus LowerArm.R -o elbow.png",
      "sinew render model.glb -o new.png --reference old.png --threshold 0.004"};
  command.run = [options](const Command& given) {
    options->ownMethod = !given.given("--method");
    return render(*options);
  };
  return command;
}

} // namespace sinew
