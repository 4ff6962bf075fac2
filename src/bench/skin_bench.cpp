#include "bench/skin_bench.h"

#include "app/method_list.h"
#include "core/stopwatch.h"
#include "cpu_skin/cpu_skin.h"
#include "cpu_skin/reference_slices.h"
#include "cpu_skin/skin_tables.h"
#include "skinning/modified.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <numeric>

namespace sinew {
namespace {

constexpr std::size_t kLine = 64;
constexpr int kCachedFrames = 20; // per measurement: one alone is too short for the clock

// Vertices side by side that begin at a cache line.
class LineVectors {
 public:
  explicit LineVectors(std::size_t count)
      : floats_(3 * count + kLine / sizeof(float)), count_(count) {
    void* begin = floats_.data();
    std::size_t room = floats_.size() * sizeof(float);
    first_ = static_cast<vec3*>(std::align(kLine, 3 * count * sizeof(float), begin, room));
  }
  std::span<vec3> all() { return {first_, count_}; }

 private:
  std::vector<float> floats_;
  std::size_t count_;
  vec3* first_ = nullptr;
};

// One method with its copies; the arrays that it writes are shared.
struct SkinEntry {
  const Method* method;
  Binding binding;
  Palette palette;
  CpuSkin one, large;
  std::size_t largeVertices;
  std::vector<vec4> crowdRows;
  std::size_t characters;
  std::array<std::vector<double>, 5> ns = {};
};

// Copies of the model's vertices, each a part of its own, so that a block holds no more of a list
// than it does in the model.
CpuSkin largeSkin(const Rig& rig, const Method& method, const Binding& binding,
                  std::size_t copies) {
  const std::size_t each = rig.positions.size();
  std::vector<std::uint32_t> source(copies * each);
  for (std::size_t i = 0; i < source.size(); ++i)
    source[i] = static_cast<std::uint32_t>(i % each);
  const BindSource whole = gatherBind(rig, binding, source);
  std::vector<std::uint32_t> order(source.size());
  std::iota(order.begin(), order.end(), 0u);
  std::vector<std::span<const std::uint32_t>> parts;
  for (std::size_t c = 0; c < copies; ++c)
    parts.push_back(std::span(order).subspan(c * each, each));
  return {method, whole.vertices(), whole.binding, parts};
}

SkinEntry makeEntry(const Workbench& workbench, const Method& method, const Settings& settings,
                    std::size_t copies) {
  const Rig& rig = workbench.rig;
  BoundMethod bound =
      bindMethod(rig, method, withZones(workbench, method, makeBindOptions(settings, method)));
  Palette palette;
  packPalette(method, rig, bound.binding, workbench.modelFromNode, palette, workbench.pose.twists);
  if (isModified(bound.binding, velocityModifier()))
    putModifierRows(bound.binding, workbench.moving.now.joints, palette.rows);
  std::vector<vec4> rows;
  for (std::size_t c = 0; c < copies; ++c)
    rows.insert(rows.end(), palette.rows.begin(), palette.rows.end());
  CpuSkin one(method, rig, bound.binding);
  CpuSkin large = largeSkin(rig, method, bound.binding, copies);
  return {&method,          std::move(bound.binding),      std::move(palette), std::move(one),
          std::move(large), copies * rig.positions.size(), std::move(rows),    copies};
}

template <class Run>
void time(std::vector<double>& ns, std::size_t vertices, bool counts, const Run& run) {
  const auto start = Clock::now();
  run();
  const double seconds = secondsSince(start);
  if (counts) ns.push_back(1e9 * seconds / static_cast<double>(vertices));
}

struct Room {
  LineVectors positions, normals;

  PosedArrays first(std::size_t count, bool streaming) {
    return {.positions = positions.all().first(count),
            .normals = normals.all().first(count),
            .tangents = {},
            .streaming = streaming};
  }
};

void measureRound(SkinEntry& entry, const Rig& rig, Workers& one, Workers& all, Room& room,
                  bool counts) {
  const Palette& palette = entry.palette;
  const std::size_t vertices = rig.positions.size();
  SkinnedMesh reference;
  entry.method->skin(rig, entry.binding, palette, reference); // the memory is there
  time(entry.ns[0], vertices, counts,
       [&] { entry.method->skin(rig, entry.binding, palette, reference); });
  const auto skin = [&](CpuSkin& of, std::span<const vec4> rows, std::size_t characters,
                        Workers& workers, bool streaming) {
    of.skin(rows, characters, palette.nonUniformScale, workers,
            room.first(characters * of.source().size(), streaming));
  };
  skin(entry.one, palette.rows, 1, one, false);
  time(entry.ns[1], kCachedFrames * vertices, counts, [&] {
    for (int i = 0; i < kCachedFrames; ++i)
      skin(entry.one, palette.rows, 1, one, false);
  });
  time(entry.ns[2], entry.characters * vertices, counts,
       [&] { skin(entry.one, entry.crowdRows, entry.characters, all, true); });
  time(entry.ns[3], entry.largeVertices, counts,
       [&] { skin(entry.large, palette.rows, 1, one, true); });
  time(entry.ns[4], entry.largeVertices, counts,
       [&] { skin(entry.large, palette.rows, 1, all, true); });
}

// 24 bytes a vertex read and as many written, as skinning does.
void copyRound(std::span<const vec3> positions, std::span<const vec3> normals, Workers& workers,
               Room& room) {
  constexpr std::size_t kPiece = 16384;
  vec3* toPositions = room.positions.all().data();
  vec3* toNormals = room.normals.all().data();
  workers.forEach((positions.size() + kPiece - 1) / kPiece, [&](std::size_t piece, std::size_t) {
    const std::size_t first = piece * kPiece;
    const std::size_t bytes = std::min(kPiece, positions.size() - first) * sizeof(vec3);
    std::memcpy(toPositions + first, positions.data() + first, bytes);
    std::memcpy(toNormals + first, normals.data() + first, bytes);
  });
}

float measureDifference(SkinEntry& entry, const Rig& rig, Workers& workers) {
  SkinnedMesh reference;
  SkinnedMesh fast;
  entry.method->skin(rig, entry.binding, entry.palette, reference);
  entry.one.skin(entry.palette, workers, fast);
  float largest = 0.0f;
  for (std::size_t v = 0; v < reference.positions.size(); ++v)
    largest = std::max(largest, glm::length(reference.positions[v] - fast.positions[v]));
  return largest / std::max(computeBounds(rig.positions).size(), 1e-30f);
}

std::string entryName(const SkinEntry& entry) {
  const bool moved = isModified(entry.binding, velocityModifier());
  return std::string(entry.method->name) + (moved ? " velocity" : "");
}

} // namespace

SkinBenchReport runSkinBench(const Workbench& workbench, std::span<const Method* const> chosen,
                             const Settings& settings, std::size_t vertices, int rounds) {
  const Rig& rig = workbench.rig;
  const std::size_t each = std::max<std::size_t>(rig.positions.size(), 1);
  const std::size_t copies = std::max<std::size_t>((vertices + each - 1) / each, 1);
  std::vector<SkinEntry> entries;
  std::size_t room = 0;
  std::vector<const Method*> all;
  for (const Method* method : chosen) {
    all.push_back(method);
    if (workbench.moving.strength.moves()) all.push_back(&modified(*method, velocityModifier()));
  }
  for (const Method* method : all) {
    entries.push_back(makeEntry(workbench, *method, settings, copies));
    room = std::max(
        {room, entries.back().large.source().size(), copies * entries.back().one.source().size()});
  }
  Workers one(1);
  Workers every;
  Room posed{LineVectors(room), LineVectors(room)};
  const std::vector<vec3> from(copies * each, vec3(1.0f));
  const std::vector<vec3> others = from;
  std::vector<double> copyOne;
  std::vector<double> copyAll;
  for (int round = -1; round < rounds; ++round) {
    for (SkinEntry& entry : entries)
      measureRound(entry, rig, one, every, posed, round >= 0);
    time(copyOne, from.size(), round >= 0, [&] { copyRound(from, others, one, posed); });
    time(copyAll, from.size(), round >= 0, [&] { copyRound(from, others, every, posed); });
  }
  SkinBenchReport report{.model = workbench.model.name,
                         .cpu = cpuName(),
                         .instructions = vectorInstructions(),
                         .vertices = rig.positions.size(),
                         .largeVertices = copies * rig.positions.size(),
                         .threads = every.threads(),
                         .rounds = rounds,
                         .copyOne = computeDistribution(copyOne),
                         .copyAll = computeDistribution(copyAll),
                         .results = {}};
  for (SkinEntry& entry : entries)
    report.results.push_back({entryName(entry), entry.one.hasKernel(),
                              computeDistribution(entry.ns[0]), computeDistribution(entry.ns[1]),
                              computeDistribution(entry.ns[2]), computeDistribution(entry.ns[3]),
                              computeDistribution(entry.ns[4]),
                              measureDifference(entry, rig, one)});
  return report;
}

} // namespace sinew
