#include "core/base64.h"
#include "core/error.h"
#include "core/text.h"
#include "page/page.h"
#include "page/page_files.h"
#include "page/sha256.h"
#include "report/table.h"

#include <fmt/format.h>

#include <array>
#include <string>
#include <utility>
#include <vector>
#include <zlib.h>

namespace sinew {
namespace {

std::string deflated(const std::string& bytes) {
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  std::string out(size, '\0');
  const int done = compress2(reinterpret_cast<Bytef*>(out.data()), &size,
                             reinterpret_cast<const Bytef*>(bytes.data()),
                             static_cast<uLong>(bytes.size()), Z_BEST_COMPRESSION);
  if (done != Z_OK) throw usageError("the page's data cannot be compressed");
  out.resize(size);
  return out;
}

// The template with every "{{name}}" that is one of the values replaced by it.
std::string filled(std::string_view text,
                   std::span<const std::pair<std::string_view, std::string>> values) {
  std::string out;
  while (!text.empty()) {
    const std::size_t begin = text.find("{{");
    const std::size_t end = text.find("}}", begin);
    if (end == std::string_view::npos) return out.append(text);
    const std::string_view name = text.substr(begin + 2, end - begin - 2);
    out.append(text.substr(0, begin));
    for (const auto& [key, value] : values)
      if (key == name) out += value;
    text.remove_prefix(end + 2);
  }
  return out;
}

std::string scriptText(bool workbench) {
  std::vector<const char*> paths{"data.js",  "camera.js", "overlay.js",
                                 "scene.js", "posing.js", "page.js"};
  if (workbench) paths.insert(paths.end(), {"warm_up.js", "workbench.js"});
  std::string out = "\n\"use strict\";\n";
  for (const char* path : paths)
    out += pageFile(path);
  return out;
}

// A module of JavaScript as a script.
std::string withoutExports(std::string_view text) {
  constexpr std::string_view kExport = "\nexport ";
  std::string out;
  for (std::size_t at = text.find(kExport); at != std::string_view::npos; at = text.find(kExport)) {
    out.append(text.substr(0, at + 1));
    text.remove_prefix(at + kExport.size());
  }
  return out.append(text);
}

// What runs in the page: its one script, by its hash, and the module within it.
std::string makeScriptPolicy(std::string_view script) {
  const std::array<std::uint8_t, 32> hash = sha256(script);
  return fmt::format(
      "script-src 'sha256-{}' 'wasm-unsafe-eval'; style-src 'unsafe-inline'; img-src data: blob:",
      base64({reinterpret_cast<const char*>(hash.data()), hash.size()}));
}

// What a browser allows the page: its own content, and its folder where it is served.
std::string makePolicyTag(const PageOptions& options, std::string_view allowed) {
  const bool isServed = options.workbench && options.workbench->empty();
  return fmt::format(
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; {}; "
      "worker-src blob:; connect-src {}\">\n",
      allowed, isServed ? "'self'" : "'none'");
}

std::string workerElement(const PageOptions& options) {
  if (!options.workbench) return {};
  return "<script id=\"worker\" type=\"text/plain\">" + withoutExports(pageFile("sinew.js")) +
         std::string(pageFile("worker.js")) + "</script>\n";
}

// Behind the page's script, which draws while the browser reads this.
std::string moduleElement(const PageOptions& options) {
  if (!options.workbench || options.workbench->empty()) return {};
  return "<script id=\"module\" type=\"text/plain\">" + base64(deflated(*options.workbench)) +
         "</script>\n";
}

} // namespace

std::string pageHtml(const Workbench& workbench, const Settings& settings,
                     std::span<const PageClip> clips, const PageOptions& options,
                     PageSummary& summary) {
  const std::string script = scriptText(options.workbench.has_value());
  const std::string allowed = makeScriptPolicy(script);
  const std::array<std::pair<std::string_view, std::string>, 13> values{
      {{"title", htmlEscaped(validUtf8(workbench.model.name))},
       {"style", std::string(pageFile("page.css"))},
       {"script", script},
       {"policy", makePolicyTag(options, allowed)},
       {"allowed", allowed},
       {"bench", options.workbench ? std::string(pageFile("workbench.html")) : ""},
       {"worker", workerElement(options)},
       {"module", moduleElement(options)},
       {"theme", options.embedded ? " data-theme=\"light\"" : ""},
       {"class", options.embedded ? " class=\"embedded\"" : ""},
       {"numbers", options.numbersHtml},
       {"version", SINEW_VERSION},
       {"data", base64(deflated(pageData(workbench, settings, clips, options, summary)))}}};
  return filled(pageFile("page.html"), values);
}

} // namespace sinew
