// What the module for browsers exports beside the C interface: the files that its host gives, and
// requests (web/requests.h). packages/web/sinew.js calls these.
#include "core/error.h"
#include "wasm/given_files.h"
#include "wasm/whole_module.h"
#include "web/requests.h"

#include <cstdlib>
#include <new>

#define SINEW_EXPORT(name) extern "C" __attribute__((export_name(#name)))

// Tells the host how far a request is; returns whether it goes on.
extern "C" __attribute__((import_module("sinew"), import_name("progress"))) int
hostProgress(float fraction, const char* what, std::size_t length);

namespace sinew {
namespace {

WebSession session;
std::string answer;

std::string causeWord(ErrorCause cause) {
  switch (cause) {
  case ErrorCause::usage:
    return "usage";
  case ErrorCause::input:
    return "input";
  case ErrorCause::limit:
    return "limit";
  case ErrorCause::graphics:
    return "graphics";
  }
  return "input";
}

} // namespace

// Memory of the host's texts and arrays, until it gives it back.
SINEW_EXPORT(sinew_web_room) void* webRoom(std::size_t size) {
  return std::malloc(size == 0 ? 1 : size);
}
SINEW_EXPORT(sinew_web_free) void webFree(void* room) {
  std::free(room);
}

// A file by its name, in the place of an earlier one.
SINEW_EXPORT(sinew_web_give)
void webGive(const char* name, std::size_t nameLength, const char* bytes, std::size_t length) {
  givenFiles()[givenName(std::string(name, nameLength))].assign(bytes, length);
}
SINEW_EXPORT(sinew_web_forget) void webForget() {
  givenFiles().clear();
}

// Answers a request. 0 and the answer, or 1 and "cause message", "cancelled" and "whole"
// (wasm/whole_module.h) among the causes.
SINEW_EXPORT(sinew_web_answer) int webAnswer(const char* request, std::size_t length) {
  const Progress progress = [](float fraction, std::string_view what) {
    return hostProgress(fraction, what.data(), what.size()) != 0;
  };
  try {
    answer = answerRequest(session, {request, length}, progress);
    return 0;
  } catch (const Error& error) {
    answer = causeWord(error.cause()) + " " + error.what();
  } catch (const Cancelled& error) {
    answer = std::string("cancelled ") + error.what();
  } catch (const WholeModuleNeeded& needed) {
    answer = std::string("whole ") + needed.reason;
  } catch (const std::bad_alloc&) {
    answer = "limit the memory of the browser does not suffice";
  } catch (const std::exception& error) {
    answer = std::string("input ") + error.what();
  }
  return 1;
}
SINEW_EXPORT(sinew_web_answer_at) const char* webAnswerAt() {
  return answer.data();
}
SINEW_EXPORT(sinew_web_answer_length) std::size_t webAnswerLength() {
  return answer.size();
}

} // namespace sinew
