#include "editor/pose/subdividing.h"

#include "app/subdivision.h"
#include "core/error.h"
#include "editor/paint/painting.h"

#include <fmt/format.h>

#include <utility>

namespace sinew {
namespace {

// With weights as they are painted and splines as they are laid: its own from then on.
void keepSubdivided(Document& document, Model model, std::string what) {
  const std::size_t before = vertexCount(document.workbench.model);
  const std::size_t now = vertexCount(model);
  Edit& edit = document.history.live();
  edit.model = std::make_shared<const Model>(std::move(model));
  edit.weights = {};
  edit.splines = {}; // it has them
  document.wasBound = true;
  notify(document, fmt::format("{}: {} vertices instead of {}", what, now, before));
  commitEdit(document, std::move(what));
}

bool canSubdivide(Document& document) {
  if (!hasModel(document) || document.crowd || drafting(document)) {
    notify(document, "there is no single model to subdivide");
    return false;
  }
  return true;
}

} // namespace

void subdivideSelected(Document& document, Subdivision kind) {
  if (!canSubdivide(document)) return;
  if (!document.selected) return notify(document, "select the joint to subdivide at");
  const std::string name = nodeName(document, *document.selected);
  const std::string word = fmt::format("{}={}", name, toString(kind));
  try {
    keepSubdivided(document, subdivideByWords(paintedModel(document), {{word}}),
                   fmt::format("Subdivide {} {}", name, toString(kind)));
  } catch (const Error&) {
    notify(document, fmt::format("no triangle is connected to {}", name));
  }
}

void subdivideBent(Document& document, float degrees) {
  if (!canSubdivide(document)) return;
  const std::vector<std::uint32_t> bent = bentTriangles(document.workbench, degrees);
  if (bent.empty())
    return notify(
        document,
        fmt::format("this pose bends the skin nowhere by more than {:g} degrees", degrees));
  keepSubdivided(document, subdivideTriangles(paintedModel(document), bent, Subdivision::midpoints),
                 fmt::format("Subdivide where bent by {:g} degrees", degrees));
}

} // namespace sinew
