#include "commands/command.h"
#include "commands/commands.h"
#include "commands/output.h"
#include "core/error.h"
#include "gl/context.h"
#include "picture/film.h"
#include "process/sandbox.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <system_error>

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

constexpr const char* kFont = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf";
constexpr const char* kWindowFont = "/usr/share/fonts/opentype/inter/Inter-Regular.otf";

struct Findings {
  std::vector<SandboxCheck> sandbox;
  std::vector<ContextReport> contexts;
  bool films = false;
  bool font = false;       // font for captions and plots
  bool windowFont = false; // Inter
};

bool works(const ContextReport& report) {
  return report.works;
}

Findings examine() {
  Findings found;
  found.sandbox = probeSandbox(); // first: it forks, and drivers start threads
  found.contexts = probeContexts();
  found.films = canEncodeFilms();
  std::error_code error;
  found.font = std::filesystem::exists(kFont, error);
  found.windowFont = std::filesystem::exists(kWindowFont, error);
  return found;
}

// What the findings mean to a person, one sentence each.
std::vector<std::string> advice(const Findings& found) {
  std::vector<std::string> lines;
  if (found.sandbox.empty() || !std::all_of(found.sandbox.begin(), found.sandbox.end(),
                                            [](const SandboxCheck& check) { return check.holds; }))
    lines.push_back("Model files are read in a process of their own, but this kernel does not "
                    "bound it fully: Linux 5.13 with seccomp and Landlock does.");
  if (!found.films) lines.push_back("Films need ffmpeg: apt-get install ffmpeg.");
  if (!found.font || !found.windowFont)
    lines.push_back("Captions look best with fonts-dejavu-core, and the window with fonts-inter: "
                    "apt-get install fonts-dejavu-core fonts-inter.");
  const std::vector<ContextReport>& reports = found.contexts;
  if (std::none_of(reports.begin(), reports.end(), works)) {
    lines.push_back("No renderer was found: apt-get install libegl1 libgl1-mesa-dri for software "
                    "rendering, or your card's driver.");
    return lines;
  }
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

Json doctorJson(const Findings& found) {
  Json sandbox = Json::array();
  for (const SandboxCheck& check : found.sandbox)
    sandbox.push_back({{"name", check.name}, {"what", check.what}, {"holds", check.holds}});
  Json contexts = Json::array();
  for (const ContextReport& report : found.contexts) {
    Json entry{{"kind", toString(report.kind)}, {"device", report.device}, {"works", report.works}};
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
  return {{"contexts", contexts},   {"display", hasDisplay()}, {"sandbox", sandbox},
          {"ffmpeg", found.films},  {"font", found.font},      {"window_font", found.windowFont},
          {"advice", advice(found)}};
}

std::string doctorText(const Findings& found) {
  std::string out;
  for (const ContextReport& report : found.contexts) {
    out += fmt::format("{} {}: {}\n", toString(report.kind), report.device,
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
  out += fmt::format("ffmpeg: {}\n", found.films ? "installed" : "not installed");
  out += fmt::format("font DejaVu Sans: {}\n", found.font ? "installed" : "not installed");
  out += fmt::format("font Inter: {}\n", found.windowFont ? "installed" : "not installed");
  out += "sandbox in which model files are read:\n";
  for (const SandboxCheck& check : found.sandbox)
    out += fmt::format("  {} {}: {}\n", check.holds ? "yes" : "NO ", check.name, check.what);
  for (const std::string& line : advice(found))
    out += line + "\n";
  return out;
}

} // namespace

Command doctorCommand() {
  auto json = std::make_shared<bool>(false);
  Command command{"doctor", "Check what this machine has: graphics, ffmpeg, fonts, the sandbox"};
  command.add("--json", json.get(), "one JSON document on stdout");
  command.run = [json](const Command&) {
    const Findings found = examine();
    print(*json ? toString(doctorJson(found)) : doctorText(found));
    const bool any = std::any_of(found.contexts.begin(), found.contexts.end(), works);
    return any ? ExitCode::done : ExitCode::graphics;
  };
  return command;
}

} // namespace sinew
