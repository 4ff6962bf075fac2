#include "picture/choose_skin_on.h"

#include "app/settings_view.h"
#include "core/error.h"
#include "core/file.h"
#include "core/stopwatch.h"
#include "gl/context.h"
#include "gl/framebuffer.h"
#include "gl/load.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <ctime>
#include <limits>
#include <thread>

namespace sinew {
namespace {

constexpr int kTargetSize = 64; // pixels; nothing is rasterised

View measuringView(const Workbench& workbench, const Settings& settings) {
  const Viewport viewport{0, 0, kTargetSize, kTargetSize};
  const Bounds bounds = posedOutline(workbench);
  View view = makeView(settings, makeCamera(settings, bounds, 1.0f), bounds, viewport);
  makePlain(view);
  view.show.grid = false;
  view.show.vertexOnly = true;
  return view;
}

double processorMilliseconds() {
  return 1e3 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

namespace fs = std::filesystem;
using ChoicesJson = nlohmann::ordered_json; // the oldest first

constexpr std::uintmax_t kLargestFile = 1 << 20; // bytes

ChoicesJson readChoices(const fs::path& file) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(file, error);
  if (error || size > kLargestFile) return ChoicesJson::object();
  try {
    ChoicesJson choices = ChoicesJson::parse(readFile(file), nullptr, false);
    return choices.is_object() ? choices : ChoicesJson::object();
  } catch (const Error&) {
    return ChoicesJson::object();
  }
}

constexpr int kMinRounds = 8;
constexpr int kMaxRounds = 20;
// No other way is nearer to the fastest than this: more rounds would not change the choice.
constexpr double kClear = 1.25;

bool isClear(const std::vector<double>& least, double best) {
  return std::ranges::count_if(least, [&](double each) { return each < kClear * best; }) == 1;
}

} // namespace

SkinChoice chooseSkinOn(Renderer& renderer, const std::shared_ptr<const GpuMaterials>& materials,
                        PosingTools& tools, const Workbench& workbench, const BoundMethod& bound,
                        const Settings& settings) {
  const std::string key = skinOnKey(glInfo(), workbench, bound, settings.palette);
  if (const auto known = rememberedSkinOn(skinOnFile(), key);
      known && std::ranges::find(availableSkinOn(), *known) != availableSkinOn().end())
    return {bound.method, {{*known, 0.0}}};
  GpuMeshOptions options;
  options.storage = settings.palette;
  std::vector<PosedMesh> meshes;
  for (const SkinOn skinOn : availableSkinOn())
    meshes.push_back(makePosedMesh(materials, workbench.rig, bound, options, skinOn));
  FastestWay found;
  GLint shown = 0;
  glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &shown);
  {
    const Framebuffer target(kTargetSize, kTargetSize);
    target.bind();
    const View view = measuringView(workbench, settings);
    found = fastestWay(meshes.size(), [&](std::size_t i) {
      const auto start = Clock::now();
      const double processor = processorMilliseconds();
      poseMesh(meshes[i].mesh, meshes[i].posing.get(), tools, workbench, bound, bound.palette);
      renderer.begin(view);
      renderer.draw(meshes[i].mesh);
      finishGl();
      return glInfo().software ? processorMilliseconds() - processor : millisecondsSince(start);
    });
  }
  glBindFramebuffer(GL_FRAMEBUFFER, static_cast<GLuint>(shown));
  SkinChoice choice{bound.method};
  for (std::size_t i = 0; i < meshes.size(); ++i)
    choice.frames.emplace_back(availableSkinOn()[i], found.least[i]);
  const auto chosen = choice.frames.begin() + static_cast<std::ptrdiff_t>(found.way);
  std::rotate(choice.frames.begin(), chosen, chosen + 1);
  std::stable_sort(choice.frames.begin() + 1, choice.frames.end(),
                   [](const auto& a, const auto& b) { return a.second < b.second; });
  rememberSkinOn(skinOnFile(), key, choice.frames.front().first);
  return choice;
}

std::string toString(const SkinChoice& choice) {
  std::string slower;
  for (const auto& [skinOn, ms] : std::span(choice.frames).subspan(1))
    slower += fmt::format("{} {} {:.2f}", slower.empty() ? ";" : ",", toString(skinOn), ms);
  const auto& [skinOn, ms] = choice.frames.front();
  if (choice.frames.size() == 1)
    return fmt::format("{}: {} (measured before)", choice.method->name, toString(skinOn));
  return fmt::format("{}: {} ({:.2f} ms{})", choice.method->name, toString(skinOn), ms, slower);
}

std::string skinOnKey(const GlInfo& driver, const Workbench& workbench, const BoundMethod& bound,
                      PaletteStorage storage) {
  const Variant& variant = bound.binding.variant;
  return fmt::format("{}, {}, {} cores: {} [{}], {} vertices, {} joints, {} influences, "
                     "{} attachments, {}",
                     driver.renderer, driver.version, std::thread::hardware_concurrency(),
                     bound.method->name, fmt::join(bound.binding.parameters, " "),
                     workbench.rig.positions.size(), workbench.rig.joints.size(),
                     variant.influences, variant.attachments, toString(storage));
}

fs::path skinOnFile() {
  return userFolder("XDG_CACHE_HOME", ".cache") / "skin-on.json";
}

std::optional<SkinOn> rememberedSkinOn(const fs::path& file, const std::string& key) {
  const ChoicesJson choices = readChoices(file);
  const auto found = choices.find(key);
  if (found == choices.end() || !found->is_string()) return {};
  const auto names = skinOnNames();
  const auto name = std::ranges::find(names, found->get<std::string>());
  const auto way = static_cast<SkinOn>(name - names.begin());
  return name != names.end() && way != SkinOn::automatic ? std::optional(way) : std::nullopt;
}

void rememberSkinOn(const fs::path& file, const std::string& key, SkinOn chosen) {
  ChoicesJson choices = readChoices(file);
  choices.erase(key);
  while (choices.size() >= kRememberedChoices)
    choices.erase(choices.begin());
  choices[key] = toString(chosen);
  try {
    std::error_code error;
    fs::create_directories(file.parent_path(), error);
    writeFile(file, choices.dump(2, ' ', false, ChoicesJson::error_handler_t::replace) + "\n");
  } catch (const Error&) { // the next run measures again
  }
}

FastestWay fastestWay(std::size_t ways, const std::function<double(std::size_t)>& measure) {
  FastestWay out{0, std::vector<double>(ways, std::numeric_limits<double>::max()), 0};
  for (std::size_t way = 0; way < ways; ++way)
    measure(way);
  double best = 0.0;
  while (out.rounds < kMaxRounds) {
    for (std::size_t i = 0; i < ways; ++i) {
      const std::size_t way = (i + static_cast<std::size_t>(out.rounds)) % ways;
      out.least[way] = std::min(out.least[way], measure(way));
    }
    ++out.rounds;
    best = std::ranges::min(out.least);
    if (out.rounds >= kMinRounds && isClear(out.least, best)) break;
  }
  const auto asFast = [&](double each) { return each <= kAsFast * best; };
  out.way = static_cast<std::size_t>(std::ranges::find_if(out.least, asFast) - out.least.begin());
  return out;
}

} // namespace sinew
