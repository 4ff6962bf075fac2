// SIGINT, SIGTERM and SIGHUP as a question that a loop asks, in place of an end in the middle of
// it.
#pragma once

namespace sinew {

class EndRequest {
 public:
  EndRequest();  // one at a time; a signal that is ignored stays so
  ~EndRequest(); // the signals mean again what they meant before
  EndRequest(const EndRequest&) = delete;
  EndRequest& operator=(const EndRequest&) = delete;

  // Since the construction. A second signal does what it did before.
  bool made() const;
};

} // namespace sinew
