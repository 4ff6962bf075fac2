#include "bench/bench.h"

#include "app/crowd.h"
#include "app/method_list.h"
#include "app/settings_view.h"
#include "core/error.h"
#include "core/stopwatch.h"
#include "gl/context.h"
#include "gl/framebuffer.h"
#include "gl/load.h"
#include "gl/timer.h"
#include "picture/choose_skin_on.h"
#include "picture/scene_renderer.h"
#include "skinning/modified.h"

#include <algorithm>
#include <ctime>
#include <fstream>
#include <memory>
#include <utility>

namespace sinew {
namespace {

// A workbench to measure, and the parts that all of its entries share.
struct Character {
  const Workbench* workbench;
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
  CrowdMesh mesh;
  SkinOn skinOn;
  std::vector<double> frameMs = {}, processorMs = {}, poseMs = {}, uploadMs = {}, gpuMs = {};
  DrawCount drawn = {};
};

double median(std::vector<double> values) {
  return computeDistribution(std::move(values)).median;
}

Character makeCharacter(const BenchEntry& entry, const BenchOptions& options) {
  const std::size_t vertices = entry.vertices > 0 ? entry.vertices : options.vertices;
  Character character{entry.workbench,
                      entry.vertices,
                      uploadMaterials(entry.workbench->model),
                      makeCrowd(*entry.workbench, vertices),
                      {}};
  const Bounds& bounds = character.crowd.bounds;
  const Viewport viewport{0, 0, options.width, options.height};
  character.view = makeView(entry.settings, makeCamera(entry.settings, bounds, viewport.aspect()),
                            bounds, viewport);
  makePlain(character.view);
  character.view.show.grid = false;
  character.view.show.vertexOnly = options.vertexOnly;
  character.view.show.cullBackFaces = true; // crowds are drawn so; the unskinned mesh too
  return character;
}

// Its index; made where it is new.
std::size_t characterFor(const BenchEntry& entry, const BenchOptions& options,
                         std::vector<Character>& characters) {
  for (std::size_t i = 0; i < characters.size(); ++i)
    if (characters[i].workbench == entry.workbench && characters[i].vertices == entry.vertices)
      return i;
  characters.push_back(makeCharacter(entry, options));
  return characters.size() - 1;
}

// skinOn: not `automatic`.
Timed timedEntry(const BenchEntry& entry, std::size_t index, const Character& character,
                 SkinOn skinOn) {
  BindOptions bind =
      withZones(*entry.workbench, *entry.method, makeBindOptions(entry.settings, *entry.method));
  const PaletteStorage storage = entry.settings.palette;
  bind.formPerCount = skinOn != SkinOn::cpu && holdsCrowd(storage);
  BoundMethod bound = bindMethod(entry.workbench->rig, *entry.method, std::move(bind));
  CrowdMesh mesh = makeCrowdMesh(entry.drawing, character.materials, *entry.workbench, bound,
                                 character.crowd, storage, skinOn);
  return {entry.name, std::move(bound), index, std::move(mesh), skinOn};
}

void measureFrame(Timed& timed, Character& character, Renderer& renderer, PosingTools& tools,
                  float seconds, bool counts) {
  Crowd& crowd = character.crowd;
  GpuTimer timer;
  const std::clock_t processorStart = std::clock();
  const auto start = Clock::now();
  beginCrowdFrame(timed.mesh, crowd, character.view);
  evaluateCrowd(*character.workbench, timed.bound, crowd, seconds);
  const auto uploadStart = Clock::now();
  poseCrowd(timed.mesh, tools, *character.workbench, timed.bound, crowd, character.view, seconds);
  const double upload = millisecondsSince(uploadStart);
  timer.begin();
  renderer.begin(character.view);
  timed.drawn = drawCrowd(renderer, timed.mesh);
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

// The fastest of all ways that this driver has, measured by turns (picture/choose_skin_on.h).
Timed fastestEntry(const BenchEntry& entry, std::size_t index, Character& character,
                   Renderer& renderer, PosingTools& tools) {
  const auto measure = [&](Timed& timed, bool counts) {
    const auto frame = static_cast<float>(timed.frameMs.size());
    measureFrame(timed, character, renderer, tools, frame / 60.0f, counts);
  };
  std::vector<Timed> all;
  for (const SkinOn skinOn : availableSkinOn()) {
    Timed timed = timedEntry(entry, index, character, skinOn);
    try {
      measure(timed, false);
    } catch (const Error&) { // the crowd is more than a buffer of this way holds
      if (skinOn == SkinOn::vertexShader) throw;
      continue;
    }
    all.push_back(std::move(timed));
  }
  const FastestWay found = fastestWay(all.size(), [&](std::size_t i) {
    measure(all[i], true);
    return glInfo().software ? all[i].processorMs.back() : all[i].frameMs.back();
  });
  Timed chosen = std::move(all[found.way]);
  chosen.frameMs.clear();
  chosen.processorMs.clear();
  chosen.poseMs.clear();
  chosen.uploadMs.clear();
  chosen.gpuMs.clear();
  return chosen;
}

// The median over the rounds of the ratio of an entry's time to that of another entry.
double medianRatio(std::span<const double> values, std::span<const double> others) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < values.size(); ++i)
    ratios.push_back(values[i] / others[i]);
  return median(std::move(ratios));
}

BenchResult makeResult(const Timed& timed, const Timed& other, std::size_t vertices) {
  BenchResult result;
  result.method = timed.name;
  result.vertices = vertices;
  result.frame = computeDistribution(timed.frameMs);
  if (timed.bound.binding.rowsPerEntry > 0) result.skinOn = toString(timed.skinOn);
  result.processor = computeDistribution(timed.processorMs);
  result.poseMs = median(timed.poseMs);
  result.uploadMs = median(timed.uploadMs);
  if (glInfo().timesGpu && !timed.gpuMs.empty()) result.gpuMs = median(timed.gpuMs);
  result.verticesPerSecond = static_cast<double>(vertices) / result.frame.median * 1e3;
  result.ratioToStatic = medianRatio(timed.frameMs, other.frameMs);
  result.processorToStatic = medianRatio(timed.processorMs, other.processorMs);
  result.draws = timed.drawn.draws;
  result.triangles = timed.drawn.triangles;
  result.bytes = timed.mesh.bytes;
  return result;
}

// Measures the errors at the last moment that was measured.
void addErrors(const Timed& timed, Character& character, float seconds, BenchResult& result) {
  if (timed.mesh.drawing.format == PaletteFormat::f32 ||
      timed.mesh.drawing.baking == CrowdBaking::vertices)
    return;
  const Workbench& workbench = *character.workbench;
  character.crowd.live = true;
  character.crowd.culling.reset();
  evaluateCrowd(workbench, timed.bound, character.crowd, seconds);
  const PaletteError error =
      crowdError(timed.mesh.drawing, workbench, timed.bound, character.crowd);
  const vec3 extent = computeBounds(workbench.rig.positions).extent();
  const double largest = std::max({extent.x, extent.y, extent.z, 1e-30f});
  constexpr double kTall = 1800.0; // millimetres
  result.errorMm = kTall * static_cast<double>(error.largest) / largest;
  result.boundMm = kTall * static_cast<double>(error.bound) / largest;
}

// One part of what is asked for beside a plain entry.
struct BenchVariant {
  const char* suffix;
  CrowdDrawing drawing;
  SkinOn skinOn = SkinOn::vertexShader;
};

std::vector<BenchVariant> listVariants(const CrowdDrawing& asked, SkinOn skinOn) {
  std::vector<BenchVariant> variants;
  CrowdDrawing plain;
  plain.passes = asked.passes;
  const auto add = [&](const char* suffix, bool is, auto change) {
    if (!is) return;
    CrowdDrawing drawing = plain;
    change(drawing);
    variants.push_back({suffix, drawing, skinOn});
  };
  const bool baked = asked.baking != CrowdBaking::none;
  add(toString(asked.format).data(), asked.format != PaletteFormat::f32,
      [&](CrowdDrawing& d) { d.format = asked.format; });
  add("baked", asked.baking == CrowdBaking::palette, [&](CrowdDrawing& d) {
    d.baking = CrowdBaking::palette;
    d.format = asked.format;
  });
  add("vertices", baked, [&](CrowdDrawing& d) {
    d.baking = CrowdBaking::vertices;
    if (asked.format == PaletteFormat::f16) d.format = asked.format;
  });
  add("lod", asked.lodPixels > 0.0f, [&](CrowdDrawing& d) { d.lodPixels = asked.lodPixels; });
  add("culled", asked.culls, [&](CrowdDrawing& d) { d.culls = true; });
  if (asked.passes > 1 && skinOn == SkinOn::vertexShader) {
    variants.push_back({"on cpu", plain, SkinOn::cpu});
    if (hasCompute()) variants.push_back({"on compute", plain, SkinOn::compute});
  }
  const int parts = (asked.format != PaletteFormat::f32 && !baked) + baked +
                    (asked.lodPixels > 0.0f) + asked.culls;
  const bool together = asked.baking != CrowdBaking::vertices || asked.lodPixels == 0.0f;
  add("all", parts > 1 && together, [&](CrowdDrawing& d) { d = asked; });
  return variants;
}

} // namespace

std::string cpuName() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);)
    if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
  return "unknown";
}

Distribution computeDistribution(std::vector<double> values) {
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
  PosingTools tools;
  const Framebuffer target(options.width, options.height);
  target.bind();
  for (const BenchEntry& entry : entries) {
    const std::size_t index = characterFor(entry, options, characters);
    Character& character = characters[index];
    const bool skins = entry.method != &staticMethod();
    if (skins && entry.settings.skinOn == SkinOn::automatic)
      timed.push_back(fastestEntry(entry, index, character, renderer, tools));
    else
      timed.push_back(timedEntry(entry, index, character,
                                 skins ? entry.settings.skinOn : SkinOn::vertexShader));
  }
  const auto start = Clock::now();
  int rounds = 0;
  const auto computeTime = [](int round) { return static_cast<float>(round + 1) / 60.0f; };
  for (int round = -1; round < options.frames; ++round) {
    const bool late = options.seconds > 0.0 && millisecondsSince(start) > 1e3 * options.seconds;
    if (late && round > 0) break;
    for (Timed& of : timed)
      measureFrame(of, characters[of.character], renderer, tools, computeTime(round), round >= 0);
    rounds = round + 1;
  }

  const auto countVertices = [](const Character& character) {
    return character.crowd.members.size() * character.workbench->rig.positions.size();
  };
  const GlInfo gl = glInfo();
  BenchReport report;
  report.renderer = gl.renderer;
  report.version = gl.version;
  report.cpu = cpuName();
  report.model = characters.front().workbench->model.name;
  // The unskinned mesh, which comes first, has no palette.
  report.palette = toString(timed.back().mesh.levels.front().mesh.storage());
  report.width = options.width;
  report.height = options.height;
  report.vertexOnly = options.vertexOnly;
  report.frames = rounds;
  report.instances = characters.front().crowd.members.size();
  report.vertices = countVertices(characters.front());
  for (std::size_t i = 0; i < timed.size(); ++i) {
    Character& character = characters[timed[i].character];
    BenchResult result = makeResult(timed[i], timed[entries[i].against], countVertices(character));
    if (const std::size_t plain = entries[i].plain; plain > 0) {
      result.ratioToPlain = medianRatio(timed[i].frameMs, timed[plain].frameMs);
      result.processorToPlain = medianRatio(timed[i].processorMs, timed[plain].processorMs);
    }
    addErrors(timed[i], character, computeTime(rounds), result);
    report.results.push_back(std::move(result));
  }
  return report;
}

BenchReport runBench(const Workbench& workbench, std::span<const Method* const> chosen,
                     const Settings& settings, const BenchOptions& options) {
  CrowdDrawing plain;
  plain.passes = options.drawing.passes;
  std::vector<BenchEntry> entries = {{.name = "static",
                                      .method = &staticMethod(),
                                      .settings = settings,
                                      .workbench = &workbench,
                                      .drawing = plain}};
  for (const Method* method : chosen) {
    BenchEntry entry = entries.front();
    entry.name = method->name;
    entry.method = method;
    entries.push_back(entry);
    entry.plain = entries.size() - 1;
    if (workbench.moving.strength.moves()) {
      BenchEntry moved = entry;
      moved.plain = entries.size() - 1;
      moved.name = std::string(method->name) + " velocity";
      moved.method = &modified(*method, velocityModifier());
      entries.push_back(moved);
    }
    for (const BenchVariant& variant : listVariants(options.drawing, settings.skinOn)) {
      entry.name = std::string(method->name) + " " + variant.suffix;
      entry.drawing = variant.drawing;
      entry.settings.skinOn = variant.skinOn;
      entries.push_back(entry);
    }
  }
  return runBench(entries, options);
}

} // namespace sinew
