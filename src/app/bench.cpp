#include "app/bench.h"

#include "app/crowd.h"
#include "app/method_parameters.h"
#include "app/picture.h"
#include "gl/context.h"
#include "gl/framebuffer.h"
#include "gl/timer.h"

#include <algorithm>
#include <chrono>
#include <fstream>

namespace sinew {
namespace {

using Clock = std::chrono::steady_clock;

double millisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

std::string cpuName() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);)
    if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
  return "unknown";
}

// A method bound and on the GPU, and what its frames took.
struct Contender {
  BoundMethod bound;
  GpuMesh mesh;
  std::vector<double> frameMs, poseMs, uploadMs, gpuMs;
  std::size_t draws = 0;
};

double median(std::vector<double> values) {
  return distributionOf(std::move(values)).median;
}

void measureFrame(Contender& contender, const Workbench& bench, Crowd& crowd, Renderer& renderer,
                  const View& view, float seconds, bool counts) {
  GpuTimer timer;
  const auto start = Clock::now();
  evaluateCrowd(bench, contender.bound, crowd, seconds);
  const auto uploadStart = Clock::now();
  contender.mesh.setCrowd(crowd.rows, crowd.offsets, crowd.nonUniformScale);
  const double upload = millisecondsSince(uploadStart);
  timer.begin();
  renderer.begin(view);
  contender.draws = renderer.draw(contender.mesh).draws;
  timer.end();
  finishGl();
  const double frame = millisecondsSince(start);
  const double gpu = timer.wait().value_or(0.0);
  if (!counts) return;
  contender.frameMs.push_back(frame);
  contender.poseMs.push_back(crowd.cost.poseMs + crowd.cost.paletteMs);
  contender.uploadMs.push_back(upload);
  contender.gpuMs.push_back(gpu);
}

BenchResult resultOf(const Contender& contender, const Contender& unskinned, std::size_t vertices) {
  BenchResult result;
  result.method = contender.bound.method->name;
  result.frame = distributionOf(contender.frameMs);
  result.poseMs = median(contender.poseMs);
  result.uploadMs = median(contender.uploadMs);
  result.gpuMs = median(contender.gpuMs);
  result.verticesPerSecond = static_cast<double>(vertices) / result.frame.median * 1e3;
  std::vector<double> ratios;
  for (std::size_t i = 0; i < contender.frameMs.size(); ++i)
    ratios.push_back(contender.frameMs[i] / unskinned.frameMs[i]);
  result.ratioToStatic = median(ratios);
  result.draws = contender.draws;
  return result;
}

} // namespace

Distribution distributionOf(std::vector<double> values) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  const double median = 0.5 * (values[(n - 1) / 2] + values[n / 2]);
  return {median, values[(n * 95 + 99) / 100 - 1], values[0]};
}

BenchReport runBench(const Workbench& bench, std::span<const Method* const> chosen,
                     const Settings& settings, const BenchOptions& options) {
  Picture picture;
  uploadModel(picture, bench, settings);
  Crowd crowd = makeCrowd(bench, options.vertices);

  GpuMeshOptions meshOptions;
  meshOptions.storage = findPaletteStorage(settings.palette);
  std::vector<Contender> contenders;
  const auto add = [&](const Method& method) {
    BoundMethod bound =
        bindMethod(bench.rig, method, withZones(bench, method, bindOptionsOf(settings, method)));
    GpuMesh mesh(picture.materials, bench.rig, method, bound.binding, meshOptions);
    contenders.push_back({std::move(bound), std::move(mesh), {}, {}, {}, {}, 0});
  };
  add(staticMethod());
  for (const Method* method : chosen)
    add(*method);

  const Framebuffer target(options.width, options.height);
  target.bind();
  const Viewport viewport{0, 0, options.width, options.height};
  View view =
      viewOf(settings, cameraOf(settings, crowd.bounds, viewport.aspect()), crowd.bounds, viewport);
  view.show.grid = false;
  view.show.vertexOnly = options.vertexOnly;
  view.show.cullBackFaces = true; // as crowds are drawn; the unskinned mesh too

  for (int round = -1; round < options.frames; ++round)
    for (Contender& contender : contenders)
      measureFrame(contender, bench, crowd, picture.renderer, view,
                   static_cast<float>(round + 1) / 60.0f, round >= 0);

  const GlInfo gl = glInfo();
  BenchReport report;
  report.renderer = gl.renderer;
  report.version = gl.version;
  report.cpu = cpuName();
  report.model = bench.model.name;
  report.palette = nameOf(contenders[0].mesh.storage());
  report.width = options.width;
  report.height = options.height;
  report.vertexOnly = options.vertexOnly;
  report.frames = options.frames;
  report.instances = crowd.members.size();
  report.vertices = crowd.members.size() * bench.rig.positions.size();
  for (const Contender& contender : contenders)
    report.results.push_back(resultOf(contender, contenders[0], report.vertices));
  return report;
}

} // namespace sinew
