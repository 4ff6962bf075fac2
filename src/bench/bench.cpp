#include "bench/bench.h"

#include "app/bind_options.h"
#include "app/crowd.h"
#include "app/settings_view.h"
#include "core/stopwatch.h"
#include "gl/context.h"
#include "gl/framebuffer.h"
#include "gl/timer.h"
#include "picture/picture.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <fstream>
#include <memory>
#include <utility>

namespace sinew {
namespace {

// A workbench that takes part, with what is the same for all entries on it.
struct Character {
  const Workbench* bench;
  std::size_t vertices; // asked for
  std::shared_ptr<const GpuMaterials> materials;
  Crowd crowd;
  View view;
};

// An entry bound and on the GPU, and what its frames took.
struct Timed {
  std::string name;
  BoundMethod bound;
  std::size_t character; // index
  PosedMesh posed;
  SkinOn skinOn;
  std::vector<double> frameMs = {}, processorMs = {}, poseMs = {}, uploadMs = {}, gpuMs = {};
  std::size_t draws = 0;
};

double median(std::vector<double> values) {
  return distributionOf(std::move(values)).median;
}

Character characterOf(const BenchEntry& entry, const BenchOptions& options) {
  const std::size_t vertices = entry.vertices > 0 ? entry.vertices : options.vertices;
  Character character{entry.bench,
                      entry.vertices,
                      uploadMaterials(entry.bench->model),
                      makeCrowd(*entry.bench, vertices),
                      {}};
  const Bounds& bounds = character.crowd.bounds;
  const Viewport viewport{0, 0, options.width, options.height};
  character.view =
      viewOf(entry.settings, cameraOf(entry.settings, bounds, viewport.aspect()), bounds, viewport);
  character.view.show.grid = false;
  character.view.show.vertexOnly = options.vertexOnly;
  character.view.show.cullBackFaces = true; // as crowds are drawn; the unskinned mesh too
  return character;
}

// Its index; made where it is new.
std::size_t characterFor(const BenchEntry& entry, const BenchOptions& options,
                         std::vector<Character>& characters) {
  for (std::size_t i = 0; i < characters.size(); ++i)
    if (characters[i].bench == entry.bench && characters[i].vertices == entry.vertices) return i;
  characters.push_back(characterOf(entry, options));
  return characters.size() - 1;
}

// skinOn: not `automatic`.
Timed timedEntry(const BenchEntry& entry, std::size_t character, SkinOn skinOn,
                 const std::shared_ptr<const GpuMaterials>& materials) {
  const Rig& rig = entry.bench->rig;
  GpuMeshOptions options;
  options.storage = entry.settings.palette;
  BindOptions bind =
      withZones(*entry.bench, *entry.method, bindOptionsOf(entry.settings, *entry.method));
  const PaletteStorage storage = entry.settings.palette;
  bind.formPerCount = skinOn == SkinOn::vertexShader &&
                      (storage == PaletteStorage::automatic || storage == PaletteStorage::texture);
  BoundMethod bound = bindMethod(rig, *entry.method, std::move(bind));
  PosedMesh posed = makePosedMesh(materials, rig, bound, options, skinOn);
  return {entry.name, std::move(bound), character, std::move(posed), skinOn};
}

// The threads that skin, made once they do.
using SkinThreads = std::unique_ptr<Workers>;

void measureFrame(Timed& timed, Character& character, Renderer& renderer, SkinThreads& threads,
                  float seconds, bool counts) {
  Crowd& crowd = character.crowd;
  GpuTimer timer;
  const std::clock_t processorStart = std::clock();
  const auto start = Clock::now();
  evaluateCrowd(*character.bench, timed.bound, crowd, seconds);
  const auto uploadStart = Clock::now();
  poseCrowd(timed.posed.mesh, timed.posed.posing.get(), threads, *character.bench, timed.bound,
            crowd);
  const double upload = millisecondsSince(uploadStart);
  timer.begin();
  renderer.begin(character.view);
  timed.draws = renderer.draw(timed.posed.mesh).draws;
  timer.end();
  finishGl();
  const double frame = millisecondsSince(start);
  const double processor =
      1e3 * static_cast<double>(std::clock() - processorStart) / CLOCKS_PER_SEC;
  const std::optional<double> gpu = timer.wait();
  if (!counts) return;
  timed.frameMs.push_back(frame);
  timed.processorMs.push_back(processor);
  timed.poseMs.push_back(crowd.cost.poseMs + crowd.cost.paletteMs);
  timed.uploadMs.push_back(upload);
  if (gpu) timed.gpuMs.push_back(*gpu);
}

// Of both, measured by turns, the one with the faster frame.
Timed fasterEntry(const BenchEntry& entry, std::size_t index, Character& character,
                  Renderer& renderer, SkinThreads& threads) {
  constexpr int kFrames = 4; // the first warms up
  std::array both{timedEntry(entry, index, SkinOn::vertexShader, character.materials),
                  timedEntry(entry, index, SkinOn::cpu, character.materials)};
  for (int frame = 0; frame < kFrames; ++frame)
    for (Timed& timed : both)
      measureFrame(timed, character, renderer, threads, static_cast<float>(frame) / 60.0f,
                   frame > 0);
  const auto best = [](const Timed& timed) { return distributionOf(timed.frameMs).minimum; };
  Timed chosen = std::move(both[best(both[1]) < best(both[0]) ? 1 : 0]);
  chosen.frameMs.clear();
  chosen.processorMs.clear();
  chosen.poseMs.clear();
  chosen.uploadMs.clear();
  chosen.gpuMs.clear();
  return chosen;
}

// Of one frame to that of another entry in the same round.
double medianRatio(std::span<const double> values, std::span<const double> others) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < values.size(); ++i)
    ratios.push_back(values[i] / others[i]);
  return median(std::move(ratios));
}

BenchResult resultOf(const Timed& timed, const Timed& other, std::size_t vertices) {
  BenchResult result;
  result.method = timed.name;
  result.vertices = vertices;
  result.frame = distributionOf(timed.frameMs);
  if (timed.bound.binding.rowsPerEntry > 0) result.skinOn = nameOf(timed.skinOn);
  result.processor = distributionOf(timed.processorMs);
  result.poseMs = median(timed.poseMs);
  result.uploadMs = median(timed.uploadMs);
  if (glInfo().timesGpu && !timed.gpuMs.empty()) result.gpuMs = median(timed.gpuMs);
  result.verticesPerSecond = static_cast<double>(vertices) / result.frame.median * 1e3;
  result.ratioToStatic = medianRatio(timed.frameMs, other.frameMs);
  result.processorToStatic = medianRatio(timed.processorMs, other.processorMs);
  result.draws = timed.draws;
  return result;
}

} // namespace

std::string cpuName() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);)
    if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
  return "unknown";
}

Distribution distributionOf(std::vector<double> values) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  const double median = 0.5 * (values[(n - 1) / 2] + values[n / 2]);
  return {median, values[(n * 95 + 99) / 100 - 1], values[0]};
}

BenchReport runBench(std::span<const BenchEntry> entries, const BenchOptions& options) {
  std::vector<Character> characters;
  std::vector<Timed> timed;
  Renderer renderer;
  SkinThreads threads;
  const Framebuffer target(options.width, options.height);
  target.bind();
  for (const BenchEntry& entry : entries) {
    const std::size_t index = characterFor(entry, options, characters);
    Character& character = characters[index];
    const bool skins = entry.method != &staticMethod();
    if (skins && entry.settings.skinOn == SkinOn::automatic)
      timed.push_back(fasterEntry(entry, index, character, renderer, threads));
    else
      timed.push_back(timedEntry(entry, index, skins ? entry.settings.skinOn : SkinOn::vertexShader,
                                 character.materials));
  }
  for (int round = -1; round < options.frames; ++round)
    for (Timed& of : timed)
      measureFrame(of, characters[of.character], renderer, threads,
                   static_cast<float>(round + 1) / 60.0f, round >= 0);

  const auto verticesOf = [](const Character& character) {
    return character.crowd.members.size() * character.bench->rig.positions.size();
  };
  const GlInfo gl = glInfo();
  BenchReport report;
  report.renderer = gl.renderer;
  report.version = gl.version;
  report.cpu = cpuName();
  report.model = characters.front().bench->model.name;
  report.palette = nameOf(timed.front().posed.mesh.storage());
  report.width = options.width;
  report.height = options.height;
  report.vertexOnly = options.vertexOnly;
  report.frames = options.frames;
  report.instances = characters.front().crowd.members.size();
  report.vertices = verticesOf(characters.front());
  for (std::size_t i = 0; i < timed.size(); ++i)
    report.results.push_back(
        resultOf(timed[i], timed[entries[i].against], verticesOf(characters[timed[i].character])));
  return report;
}

BenchReport runBench(const Workbench& bench, std::span<const Method* const> chosen,
                     const Settings& settings, const BenchOptions& options) {
  std::vector<BenchEntry> entries = {{"static", &staticMethod(), settings, &bench}};
  for (const Method* method : chosen)
    entries.push_back({std::string(method->name), method, settings, &bench});
  return runBench(entries, options);
}

} // namespace sinew
