// The workbench in a browser without its page: what is open, and the requests by which a page has
// it read, shown, changed and saved. The module for browsers (src/wasm) passes them on; in tests
// they run as they are.
#pragma once

#include "app/settings.h"
#include "core/progress.h"
#include "model/model.h"
#include "weights/skeleton.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

struct WebSession {
  std::optional<Model> model;
  std::string file; // its name
};

// request: a JSON object whose "do" names one of webRequests(). Returns what that says: JSON, or
// bytes. Throws Error, with usageError for a request that is not understood, and Cancelled.
std::string answerRequest(WebSession& session, std::string_view request, const Progress& progress);

struct WebRequest {
  std::string_view name;
  std::string_view summary; // the other members of the request, and what is returned
};
std::vector<WebRequest> webRequests();

} // namespace sinew
