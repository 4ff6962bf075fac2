// Requests of the workbench in a browser as their answers see them. The module for browsers is
// built twice: a smaller one answers those of requests.cpp alone, and a page has the other fetched
// for those of more_requests.cpp.
#pragma once

#include "app/workbench.h"
#include "core/error.h"
#include "page/page.h"
#include "web/requests.h"

#include <nlohmann/json.hpp>

#include <span>

namespace sinew {

using Json = nlohmann::ordered_json;

struct WebCall {
  WebSession& session;
  const Json& request;
  const Progress& progress;

  const Model& model() const {
    if (!session.model) throw usageError("no model is open");
    return *session.model;
  }
  // A member of the request, or what holds without it.
  template <class T>
  T get(const char* name, T otherwise) const {
    return request.value(name, std::move(otherwise));
  }
};

struct WebEntry {
  WebRequest request;
  std::string (*answer)(const WebCall& call);
};

// The requests that write files and reports, bake, and compute weights.
std::span<const WebEntry> moreRequests();

std::string textIn(const Json& json);

// "settings": an object of settings by the names of the command line's options.
Settings settingsIn(const WebCall& call);
Workbench openCallWorkbench(const WebCall& call, const Settings& settings);

// What such a request says of a page, as `text` writes it: pageData or pageHtml.
using PageText = std::string (*)(const Workbench&, const Settings&, std::span<const PageClip>,
                                 const PageOptions&, PageSummary&);
std::string pageIn(const WebCall& call, PageText text);

// What the model holds.
Json described(const Model& model);

} // namespace sinew
