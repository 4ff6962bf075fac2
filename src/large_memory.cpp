// Replaces operator new of the program: large blocks ask for huge pages, where the system gives
// them on request. The vertices of a large mesh are written once and read a few times, so without
// them most of its reading is page faults: a million vertices took three times as long.
#ifndef SINEW_SANITIZED // sanitizers have operators of their own

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <sys/mman.h>

namespace {

constexpr std::size_t kLarge = std::size_t{4} << 20; // bytes; a huge page has 2 MiB
constexpr std::uintptr_t kPage = 4096;

// A refusal changes nothing but the speed.
void askForHugePages(void* memory, std::size_t size) {
  const std::size_t lead = (kPage - reinterpret_cast<std::uintptr_t>(memory) % kPage) % kPage;
  ::madvise(static_cast<std::byte*>(memory) + lead, (size - lead) / kPage * kPage, MADV_HUGEPAGE);
}

} // namespace

// The forms for arrays and those that do not throw call these.
void* operator new(std::size_t size) {
  void* memory = std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) throw std::bad_alloc();
  if (size >= kLarge) askForHugePages(memory, size);
  return memory;
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

#endif
