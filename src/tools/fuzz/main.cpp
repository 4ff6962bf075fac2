// libFuzzer's entry: the reader that SINEW_FUZZ names is fed with bytes.
#include "tools/fuzz/fuzz_readers.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace {

const sinew::FuzzReader& chosen() {
  const char* name = std::getenv("SINEW_FUZZ");
  const auto all = sinew::fuzzReaders();
  const auto found = std::find_if(all.begin(), all.end(), [&](const sinew::FuzzReader& reader) {
    return name != nullptr && reader.name == name;
  });
  if (found != all.end()) return *found;
  std::fputs("SINEW_FUZZ must be one of:\n", stderr);
  for (const sinew::FuzzReader& reader : all)
    std::fprintf(stderr, "  %-12s %s\n", reader.name.data(), reader.help.data());
  std::_Exit(2); // not a finding
}

const sinew::FuzzReader& reader() {
  static const sinew::FuzzReader& one = chosen();
  return one;
}

} // namespace

extern "C" {
int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size);
std::size_t LLVMFuzzerMutate(unsigned char* data, std::size_t size, std::size_t maxSize);
std::size_t LLVMFuzzerCustomMutator(unsigned char* data, std::size_t size, std::size_t maxSize,
                                    unsigned seed);

int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  reader().read({reinterpret_cast<const char*>(data), size});
  return 0;
}

// Now and then a good input takes the place of what mutations have made: they alone would not find
// the structure of binary formats.
std::size_t LLVMFuzzerCustomMutator(unsigned char* data, std::size_t size, std::size_t maxSize,
                                    unsigned seed) {
  constexpr unsigned kSeldom = 500;
  if (reader().good != nullptr && (size < 2 || seed % kSeldom == 0)) {
    const std::string bytes = reader().good(seed / kSeldom);
    if (bytes.size() <= maxSize) {
      std::copy(bytes.begin(), bytes.end(), data);
      size = bytes.size();
    }
  }
  return LLVMFuzzerMutate(data, size, maxSize);
}
}
