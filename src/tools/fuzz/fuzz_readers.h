// Every reader of bytes from outside, by a name: what libFuzzer feeds (main.cpp), and what a
// test feeds with the inputs that once failed (assets/fuzz).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace sinew {

struct FuzzReader {
  std::string_view name;
  std::string_view help;
  // Reads the bytes, and checks the result. An error of the input is an answer like any
  // other; anything else (a crash, another exception, a broken model) is a finding.
  void (*read)(std::string_view bytes);
  // Good bytes, others for each number: where mutations begin. nullptr: only files have them.
  std::string (*good)(std::uint64_t number) = nullptr;
};

std::span<const FuzzReader> fuzzReaders();

} // namespace sinew
