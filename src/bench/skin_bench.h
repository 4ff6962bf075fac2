// Measures skinning on the CPU alone: the kernels of cpu_skin/ and the reference, in nanoseconds a
// vertex.
#pragma once

#include "bench/bench.h"

#include <span>
#include <string>
#include <vector>

namespace sinew {

// Nanoseconds a vertex, over the rounds.
struct SkinBenchResult {
  std::string method;
  bool kernel = false;     // false: the reference, by threads
  Distribution reference;  // Method::skin, one thread, one character
  Distribution cached;     // one character that stays in the caches, one thread
  Distribution crowd;      // many characters of that mesh into memory, all threads
  Distribution memoryOne;  // a mesh too large for the caches, from and into memory, one thread
  Distribution memoryAll;  // the same, by all threads
  float difference = 0.0f; // largest error of a position, share of the model's size
};

struct SkinBenchReport {
  std::string model, cpu, instructions;
  std::size_t vertices = 0;      // vertices of the model
  std::size_t largeVertices = 0; // vertices of the large mesh and of the crowd
  std::size_t threads = 0;
  int rounds = 0;
  // For comparison: memcpy of a position and a normal a vertex, 24 bytes read and 24 written.
  Distribution copyOne, copyAll;
  std::vector<SkinBenchResult> results;
};

// Uses the workbench's pose. Rounds of the methods alternate; the first, a warm-up, does not count.
SkinBenchReport runSkinBench(const Workbench& workbench, std::span<const Method* const> chosen,
                             const Settings& settings, std::size_t vertices, int rounds);

} // namespace sinew
