// Replaces operator new in the test programs.
#include "core/test_effort.h"

#include <cstdlib>
#include <new>

namespace {
thread_local std::size_t newCallsOfThread = 0;
}

std::size_t sinew::test::newCalls() {
  return newCallsOfThread;
}

#ifndef SINEW_SANITIZED
// The forms for arrays call these.
void* operator new(std::size_t size) {
  ++newCallsOfThread;
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
#endif
