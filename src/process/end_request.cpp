#include "process/end_request.h"

#include <array>
#include <csignal>
#include <cstddef>

namespace sinew {
namespace {

constexpr std::array kEnding{SIGINT, SIGTERM, SIGHUP};

// A handler of signals reaches nothing else.
volatile std::sig_atomic_t endRequested = 0;
std::array<struct sigaction, kEnding.size()> actionsBefore;

void requestEnd(int signal) {
  if (endRequested == 0) {
    endRequested = 1;
    return;
  }
  for (std::size_t i = 0; i < kEnding.size(); ++i)
    if (kEnding[i] == signal) ::sigaction(signal, &actionsBefore[i], nullptr);
  ::raise(signal); // once this handler has returned
}

} // namespace

EndRequest::EndRequest() {
  endRequested = 0;
  for (std::size_t i = 0; i < kEnding.size(); ++i) {
    if (::sigaction(kEnding[i], nullptr, &actionsBefore[i]) != 0) continue;
    if (actionsBefore[i].sa_handler == SIG_IGN) continue;
    struct sigaction request {};
    request.sa_handler = requestEnd; // without SA_RESTART: it ends a wait for events
    ::sigaction(kEnding[i], &request, nullptr);
  }
}

EndRequest::~EndRequest() {
  for (std::size_t i = 0; i < kEnding.size(); ++i)
    ::sigaction(kEnding[i], &actionsBefore[i], nullptr);
}

bool EndRequest::made() const {
  return endRequested != 0;
}

} // namespace sinew
