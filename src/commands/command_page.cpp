#include "commands/command.h"
#include "commands/commands.h"
#include "commands/model_options.h"
#include "commands/output.h"
#include "commands/setting_options.h"
#include "compare/compare_output.h"
#include "core/error.h"
#include "core/file.h"
#include "page/page.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <system_error>

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;

struct PageCommandOptions {
  ModelOptions model;
  Settings settings;
  std::vector<std::string> clips;
  double fps = 30.0;
  std::uint32_t textureLimit = PageOptions().textureLimit;
  bool exact = false;
  bool noNumbers = false;
  bool noPosing = false;
  bool shapes = false;
  bool workbench = false;
  std::string module;
  std::string output;
};

std::string writeNumbers(const Workbench& workbench, const Settings& settings, bool allClips) {
  ComparisonOptions comparison;
  comparison.methods = settings.methods;
  comparison.allClips = allClips;
  const Comparison compared = compareMethods(workbench, settings, comparison);
  std::string html =
      fmt::format("<details>\n<summary>Numbers: {}</summary>\n", htmlEscaped(compared.subject));
  for (const Table& table : {jointSummary(compared), wholeSummary(compared)})
    html += "<div class=\"scroll\">" + tableHtml(table) + "</div>\n";
  return html + "</details>\n";
}

// The tables of `sinew compare` over the page's clips; nothing for one method, which is compared
// with none.
std::string allNumbers(Workbench workbench, const PageCommandOptions& options) {
  if (options.noNumbers || workbench.bound.size() < 2) return {};
  Settings settings = options.settings;
  if (std::ranges::find(options.clips, "all") != options.clips.end())
    return writeNumbers(workbench, settings, true);
  if (options.clips.size() < 2) return writeNumbers(workbench, settings, false);
  std::string html;
  for (const std::string& clip : options.clips) {
    settings.clip = clip;
    chooseClip(workbench, settings);
    html += writeNumbers(workbench, settings, false);
  }
  return html;
}

// The module for browsers: the one named, or built or installed with this program.
std::filesystem::path modulePath(const std::string& named) {
  if (!named.empty()) return named;
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path().parent_path();
  for (const char* place : {"web/sinew.wasm", "share/sinew/sinew.wasm"})
    if (fs::is_regular_file(folder / place, error)) return folder / place;
  throw usageError("the module for browsers, sinew.wasm, is not built",
                   "scripts/web builds it, within some minutes; or name it by --module");
}

bool isPageFile(const std::string& output) {
  return getExtension(output) == ".html" || output == "-";
}

// The workbench is one file, or a folder with the modules beside index.html: view.wasm, with which
// the page begins, and sinew.wasm.
PageOptions workbenchOptions(PageCommandOptions& options) {
  if (options.model.model.empty()) {
    options.model.model = "demo:arm";
    options.settings.methods = parseMethods("lbs,arc-spline");
    options.settings.distance = 0.7f;
  }
  const std::filesystem::path module = modulePath(options.module);
  PageOptions page;
  page.workbench = isPageFile(options.output) ? readFile(module) : "";
  if (isPageFile(options.output)) return page;
  std::filesystem::create_directories(options.output);
  const std::filesystem::path folder = options.output;
  writeFile(folder / "sinew.wasm", readFile(module));
  writeFile(folder / "view.wasm", readFile(module.parent_path() / "view.wasm"));
  options.output = (folder / "index.html").string();
  return page;
}

ExitCode makePage(PageCommandOptions& options) {
  if (options.model.model.empty() && !options.workbench)
    throw usageError("page needs a MODEL, or --workbench");
  PageOptions page;
  if (options.workbench) page = workbenchOptions(options);
  if (getExtension(options.output) != ".html" && options.output != "-")
    throw usageError(fmt::format("{}: a page is HTML", options.output), "end the name in .html");
  // Chosen at first; those named are in the page.
  if (!options.clips.empty() && options.clips.front() != "all")
    options.settings.clip = options.clips.front();
  const Workbench workbench = openWorkbench(options.model, options.settings, Methods::several);
  if (!options.settings.weightsJoint.empty())
    findJoint(workbench.model, options.settings.weightsJoint);
  const std::vector<PageClip> clips =
      sampleClips(workbench, options.settings, options.clips, options.fps);
  PageSummary summary;
  page.exact = options.exact;
  page.textureLimit = options.textureLimit;
  page.numbersHtml = allNumbers(workbench, options);
  page.posing = !options.noPosing;
  page.shapes = options.shapes;
  const std::string html = pageHtml(workbench, options.settings, clips, page, summary);
  if (options.output == "-")
    print(html);
  else
    writeFile(options.output, html);
  if (summary.stillMorphs > 0 && !options.model.quiet)
    fmt::print(stderr, "{} morph targets stand still in the page: {}\n", summary.stillMorphs,
               summary.stillReason);
  if (!summary.fixedReason.empty() && !options.noPosing && !options.model.quiet)
    fmt::print(stderr, "joints cannot be rotated in the page: {}\n", summary.fixedReason);
  if (options.model.json && options.output != "-")
    print(toString(Json{{"file", options.output},
                        {"bytes", html.size()},
                        {"clips", clips.size()},
                        {"poses", summary.poses},
                        {"still_morphs", summary.stillMorphs},
                        {"still_because", summary.stillReason},
                        {"posing", summary.fixedReason.empty()},
                        {"fixed_because", summary.fixedReason},
                        {"rounded", summary.rounded},
                        {"error_percent", summary.errorPercent},
                        {"poses_measured", summary.measured}}));
  return ExitCode::done;
}

} // namespace

Command pageCommand() {
  auto options = std::make_shared<PageCommandOptions>();
  Command command{"page", "One HTML file that shows the model moving in any browser"};
  addModelOptions(command, options->model);
  command.find("MODEL").required(false);
  command.add("-o,--output", &options->output, "the page (.html; - for the standard output)")
      .as(ValueKind::file)
      .required();
  command.add("--fps", &options->fps, "poses a second of a clip").range(1.0, 240.0).showDefault();
  command
      .add("--texture-limit", &options->textureLimit,
           "pixels each way of a texture; larger ones are halved until they fit")
      .range(16, 16384)
      .showDefault();
  command.add("--exact", &options->exact,
              "floats as they are instead of 16 bits of their range; textures without loss");
  command.add("--no-numbers", &options->noNumbers, "without the tables of sinew compare");
  command.add("--no-posing", &options->noPosing,
              "without the program by which joints can be rotated in the page");
  command.add("--shapes", &options->shapes,
              "with every morph target, for the page's slider, not only those that clips move");
  command.add("--workbench", &options->workbench,
              "a page that takes other models: one file, or a folder for a web server");
  command
      .add("--module", &options->module,
           "the module of the workbench, sinew.wasm [that which scripts/web has built]")
      .as(ValueKind::file);
  addCamera(command, options->settings);
  addSettings(command, options->settings,
              {"Skinning", "Animation", "Motion", "Show", "Light", "Camera"});
  command.remove("--skin-on");
  // What a page does not show, or shows whenever its reader asks for it.
  for (const char* name : {"--palette", "--clip", "--fade", "--textures", "--wireframe",
                           "--normals", "--difference", "--contact-shadow", "--projection"})
    command.remove(name);
  command
      .add("--clip", &options->clips,
           "by name or index; may be repeated; 'all', 'none' for the rest pose, 'bind' for the "
           "bind pose [the first]")
      .count(1)
      .in("Animation");
  command.notes = "The file needs no network and no other file. docs/page.md lists its keys and "
                  "what its\naddress can say.";
  command.examples = {"sinew page model.fbx -o page.html",
                      "sinew page model.glb --method lbs,dqs,arc-spline --clip all -o page.html",
                      "sinew page --workbench -o workbench.html",
                      "sinew page demo:arm --method lbs,arc-spline --camera 0,10,0.7 -o arm.html"};
  command.run = [options](const Command&) { return makePage(*options); };
  return command;
}

} // namespace sinew
