// Measures the stress scene: every method and the unskinned mesh by turns, in one run.
#pragma once

#include "app/settings.h"
#include "app/workbench.h"
#include "crowd/crowd_mesh.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sinew {

struct BenchOptions {
  std::size_t vertices = 1000000;
  int frames = 30; // measured per method
  int width = 640;
  int height = 480;
  bool vertexOnly = false; // rasteriser discard
  // Each method is also measured with these: every part in an entry of its own, beside one without.
  // Passes are drawn in all entries.
  CrowdDrawing drawing = {};
  double seconds = 0.0; // about how long to measure; then fewer frames do; 0: no limit
};

struct Distribution {
  double median = 0.0;
  double p95 = 0.0;
  double minimum = 0.0;
};

std::string cpuName();

Distribution computeDistribution(std::vector<double> values);

// All times are milliseconds; poseMs, uploadMs and gpuMs are medians.
struct BenchResult {
  std::string method; // or the name of the entry
  std::size_t vertices = 0;
  Distribution frame; // posing, packing, upload and drawing, until the GPU is done
  // Processor time of the same, summed over the threads: a busy machine changes it least.
  Distribution processor;
  std::string skinOn;    // what skinned it; none: the mesh is unskinned
  double poseMs = 0.0;   // clip, scene graph and palette, on the CPU
  double uploadMs = 0.0; // handing the palettes to the driver; on the CPU skinning into its memory
  std::optional<double> gpuMs;    // by timer query; none where the driver does not tell
  double verticesPerSecond = 0.0; // at the median frame
  double ratioToStatic = 0.0;     // median over rounds of this frame to another entry's
  double processorToStatic = 0.0; // likewise, by processor time
  std::size_t draws = 0;
  std::size_t triangles = 0; // drawn
  // For an entry with its own CrowdDrawing: median over rounds of its frame to the plain one's.
  std::optional<double> ratioToPlain, processorToPlain;
  CrowdBytes bytes;
  // Error of a palette's format: millimetres, as if the bind pose's largest extent were 1.8 m.
  std::optional<double> errorMm, boundMm;
};

struct BenchReport {
  std::string renderer, version, cpu, model, palette;
  int width = 0;
  int height = 0;
  bool vertexOnly = false;
  int frames = 0;
  std::size_t vertices = 0;
  std::size_t instances = 0;
  std::vector<BenchResult> results; // "static" first
};

// A crowd of a character by a method, which is measured. Entries may share a workbench.
struct BenchEntry {
  std::string name;
  const Method* method = nullptr;
  Settings settings; // palette storage, influences and parameters
  const Workbench* workbench = nullptr;
  std::size_t vertices = 0; // vertices of its crowd; 0: as in the options
  std::size_t against = 0;  // index of the entry that its ratio refers to
  CrowdDrawing drawing = {};
  std::size_t plain = 0; // index of the entry without that drawing; 0: none
};

// Needs a current context. Frames of the entries alternate, round by round, so that a machine that
// slows down slows all of them; the first round warms up and does not count. The report's model,
// palette, instances and vertices are those of the first entry, and so is the light and camera.
BenchReport runBench(std::span<const BenchEntry> entries, const BenchOptions& options);

// The unskinned mesh, called "static", and the methods, each without and with options.drawing.
BenchReport runBench(const Workbench& workbench, std::span<const Method* const> chosen,
                     const Settings& settings, const BenchOptions& options);

} // namespace sinew
