// What exceptions.cpp has to do right, compiled by itself: scripts/tests/web_test.py runs it in
// node.
#include <exception>
#include <stdexcept>
#include <string>

namespace {

struct First {
  virtual ~First() = default;
  int value = 1;
};
struct Second {
  virtual ~Second() = default;
  int value = 2;
};
struct Both : First, Second {}; // Second is not where the object begins

int alive = 0;
struct Counted {
  Counted() { ++alive; }
  Counted(const Counted& /*other*/) { ++alive; }
  ~Counted() { --alive; }
  int value = 7;
};

void throwKind(int kind) {
  static Both both;
  const Counted local;
  if (kind == 0) throw std::runtime_error("zero");
  if (kind == 1) throw Both();
  if (kind == 2) throw 5;
  if (kind == 3) throw Counted();
  if (kind == 4) throw &both;
}

int throwInHandler() {
  try {
    throw std::string("inner");
  } catch (const std::string& text) {
    return text == "inner" ? 0 : -3;
  }
}

} // namespace

#define SINEW_EXPORT(name) extern "C" __attribute__((export_name(#name)))

// The value of the exception, by the handler that catches it; negative: something is wrong.
SINEW_EXPORT(caught) int caughtKind(int kind) {
  try {
    try {
      throwKind(kind);
    } catch (const std::logic_error&) {
      return -1;
    } catch (const Second& second) {
      return second.value * 10;
    } catch (const Counted&) {
      if (alive != 1) return -2;
      throw;
    } catch (Second* second) {
      return second->value * 100;
    } catch (int) {
      if (const int wrong = throwInHandler(); wrong != 0) return wrong;
      throw;
    }
  } catch (const std::exception& error) {
    return error.what()[0];
  } catch (int value) {
    return alive == 0 ? value : -4;
  } catch (const Counted& counted) {
    return counted.value;
  } catch (...) {
    return -5;
  }
  return 0;
}

// An exception that outlives its handler.
SINEW_EXPORT(retained) int retainedException() {
  std::exception_ptr retained;
  try {
    throwKind(3);
  } catch (...) {
    retained = std::current_exception();
  }
  if (alive != 1) return -1;
  try {
    std::rethrow_exception(retained);
  } catch (const Counted& counted) {
    if (counted.value != 7) return -2;
  }
  retained = nullptr;
  return alive;
}

// Objects that were not destroyed.
SINEW_EXPORT(left) int leftAlive() {
  return alive;
}
