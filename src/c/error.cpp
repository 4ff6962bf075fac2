#include "core/error.h"

#include "c/handles.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <new>

namespace sinew {
namespace {

struct LastError {
  sinew_code code = SINEW_OK;
  std::string line;
};
thread_local LastError lastError;

sinew_code toCode(ErrorCause cause) {
  switch (cause) {
  case ErrorCause::usage:
  case ErrorCause::graphics: // shaders that cannot be written
    return SINEW_USAGE;
  case ErrorCause::input:
    return SINEW_INPUT;
  case ErrorCause::limit:
    return SINEW_LIMIT;
  }
  return SINEW_INTERNAL;
}

} // namespace

sinew_code setLastError(sinew_code code, std::string_view line) noexcept {
  lastError.code = code;
  try {
    lastError.line.assign(line);
  } catch (const std::bad_alloc&) {
    lastError.line.clear();
  }
  return code;
}

sinew_code setLastErrorOfException() noexcept {
  try {
    throw;
  } catch (const Error& error) {
    return setLastError(toCode(error.cause()), error.what());
  } catch (const Cancelled&) {
    return setLastError(SINEW_CANCELLED, "cancelled");
  } catch (const std::bad_alloc&) {
    return setLastError(SINEW_LIMIT, "out of memory");
  } catch (const std::length_error&) {
    return setLastError(SINEW_LIMIT, "out of memory");
  } catch (const std::exception& error) {
    return setLastError(SINEW_INTERNAL, error.what());
  } catch (...) {
    return setLastError(SINEW_INTERNAL, "an unknown exception");
  }
}

void requirePointer(const void* pointer, const char* name) {
  if (pointer == nullptr) throw usageError(fmt::format("{}: a null pointer", name));
}

Progress toProgress(sinew_progress progress, void* user) {
  if (progress == nullptr) return {};
  return [progress, user](float fraction, std::string_view what) {
    return progress(user, fraction, std::string(what).c_str()) != 0;
  };
}

std::unique_ptr<sinew_blob> makeBlob(std::string bytes) {
  auto blob = std::make_unique<sinew_blob>();
  blob->bytes = std::move(bytes);
  return blob;
}

} // namespace sinew

extern "C" {

uint32_t sinew_abi(void) {
  return SINEW_ABI;
}

const char* sinew_version(void) {
  return SINEW_VERSION;
}

sinew_code sinew_last_error(char* text, size_t size) {
  if (text != nullptr && size > 0) {
    const std::size_t length = std::min(size - 1, sinew::lastError.line.size());
    std::memcpy(text, sinew::lastError.line.data(), length);
    text[length] = '\0';
  }
  return sinew::lastError.code;
}

const void* sinew_blob_data(const sinew_blob* blob, size_t* size) {
  if (size != nullptr) *size = blob != nullptr ? blob->bytes.size() : 0;
  return blob != nullptr ? blob->bytes.c_str() : nullptr;
}

void sinew_blob_free(sinew_blob* blob) {
  delete blob;
}

} // extern "C"
