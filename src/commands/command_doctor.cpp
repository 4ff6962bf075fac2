#include "commands/cli.h"
#include "commands/commands.h"
#include "core/error.h"
#include "gl/context.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <memory>

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;

bool hasDisplay() {
  const auto set = [](const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr && *value != '\0';
  };
  return set("DISPLAY") || set("WAYLAND_DISPLAY");
}

// What the findings mean to a person, one sentence each.
std::vector<std::string> advice(const std::vector<ContextReport>& reports) {
  const auto works = [](const ContextReport& report) { return report.works; };
  if (std::none_of(reports.begin(), reports.end(), works))
    return {"No renderer was found: apt-get install libegl1 libgl1-mesa-dri for software "
            "rendering, or your card's driver."};
  std::vector<std::string> lines;
  if (std::none_of(reports.begin(), reports.end(),
                   [](const ContextReport& r) { return r.works && !r.info.software; }))
    lines.push_back("Pictures are rendered in software: correct, but slow. Install your card's "
                    "driver for speed.");
  if (!hasDisplay())
    lines.push_back("No display is set: render, export and bench work, view does not. Use ssh -X, "
                    "a desktop session or xvfb-run.");
  if (lines.empty()) lines.push_back("No problems found.");
  return lines;
}

Json doctorJson(const std::vector<ContextReport>& reports) {
  Json contexts = Json::array();
  for (const ContextReport& report : reports) {
    Json entry{{"kind", nameOf(report.kind)}, {"device", report.device}, {"works", report.works}};
    if (!report.works) {
      entry["problem"] = report.problem;
    } else {
      const GlLimits& limits = report.info.limits;
      entry["vendor"] = report.info.vendor;
      entry["renderer"] = report.info.renderer;
      entry["version"] = report.info.version;
      entry["software"] = report.info.software;
      entry["limits"] = {{"uniform_block_bytes", limits.uniformBlockBytes},
                         {"vertex_uniform_components", limits.vertexUniformComponents},
                         {"texture_buffer_texels", limits.textureBufferTexels},
                         {"texture_size", limits.textureSize},
                         {"samples", limits.samples},
                         {"vertex_attributes", limits.vertexAttributes}};
    }
    contexts.push_back(entry);
  }
  return {{"contexts", contexts}, {"display", hasDisplay()}, {"advice", advice(reports)}};
}

std::string doctorText(const std::vector<ContextReport>& reports) {
  std::string out;
  for (const ContextReport& report : reports) {
    out += fmt::format("{} {}: {}\n", nameOf(report.kind), report.device,
                       report.works ? report.info.renderer : report.problem);
    if (!report.works) continue;
    const GlLimits& limits = report.info.limits;
    // A bone matrix is three rows of 16 bytes.
    out += fmt::format("  OpenGL {}\n", report.info.version);
    out += fmt::format("  uniform block {} KiB: {} joints a draw\n",
                       limits.uniformBlockBytes / 1024, limits.uniformBlockBytes / 48);
    out += fmt::format("  buffer texture {} texels: {} joints of a crowd a draw\n",
                       limits.textureBufferTexels, limits.textureBufferTexels / 3);
  }
  for (const std::string& line : advice(reports))
    out += line + "\n";
  return out;
}

} // namespace

Command doctorCommand() {
  auto json = std::make_shared<bool>(false);
  Command command{"doctor", "Check which graphics are available and what works with them"};
  command.add("--json", json.get(), "one JSON document on stdout");
  command.run = [json](const Command&) {
    const std::vector<ContextReport> reports = probeContexts();
    print(*json ? textOf(doctorJson(reports)) : doctorText(reports));
    const bool any = std::any_of(reports.begin(), reports.end(),
                                 [](const ContextReport& report) { return report.works; });
    return any ? ExitCode::done : ExitCode::graphics;
  };
  return command;
}

} // namespace sinew
