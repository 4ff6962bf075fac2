#include "import/collada_instances.h"

#include <algorithm>
#include <map>
#include <pugixml.hpp>
#include <string_view>
#include <vector>

namespace sinew {
namespace {

constexpr std::uint64_t kMany = std::uint64_t{1} << 40; // enough to be refused
constexpr std::uint64_t kInstanceBytes = 2048;          // of memory that a node with a mesh takes

// How many nodes and meshes a node of the file becomes.
class Instances {
 public:
  explicit Instances(const pugi::xml_document& document) {
    for (const pugi::xpath_node& found : document.select_nodes("//node")) {
      const pugi::xml_node node = found.node();
      ++elements_;
      if (const char* id = node.attribute("id").value(); *id != '\0') byId_.emplace(id, node);
    }
  }

  std::uint64_t elements() const { return elements_; }

  // With a stack of its own: a chain of instances may be as long as the file.
  std::uint64_t of(const pugi::xml_node& top) {
    std::vector<Open> open{{top, top.first_child(), 1}};
    while (true) {
      Open& last = open.back();
      if (!last.next) {
        const std::uint64_t count = std::min(last.count, kMany);
        counts_[last.node.internal_object()] = count;
        open.pop_back();
        if (open.empty()) return count;
        open.back().count = std::min(open.back().count + count, kMany);
        continue;
      }
      const pugi::xml_node child = last.next;
      last.next = child.next_sibling();
      const pugi::xml_node inner = nodeOf(child);
      if (!inner) {
        if (std::string_view(child.name()).starts_with("instance_")) ++last.count;
        continue;
      }
      const auto [known, isNew] = counts_.try_emplace(inner.internal_object(), kMany);
      if (isNew)
        open.push_back({inner, inner.first_child(), 1});
      else // one that is still open is within itself
        last.count = std::min(last.count + known->second, kMany);
    }
  }

 private:
  struct Open {
    pugi::xml_node node, next;
    std::uint64_t count = 0;
  };

  // The node that a child of a node is or stands for.
  pugi::xml_node nodeOf(const pugi::xml_node& child) const {
    const std::string_view name = child.name();
    if (name == "node") return child;
    if (name != "instance_node") return {};
    std::string_view url = child.attribute("url").value();
    if (url.starts_with('#')) url.remove_prefix(1);
    const auto found = byId_.find(url);
    return found != byId_.end() ? found->second : pugi::xml_node();
  }

  std::map<std::string, pugi::xml_node, std::less<>> byId_;
  std::map<const void*, std::uint64_t> counts_;
  std::uint64_t elements_ = 0;
};

} // namespace

void checkColladaInstances(const std::string& text, ImportBudget& budget) {
  pugi::xml_document document;
  if (!document.load_buffer(text.data(), text.size())) return;
  Instances instances(document);
  std::uint64_t count = 0;
  for (const pugi::xpath_node& scene : document.select_nodes("//visual_scene"))
    count += instances.of(scene.node());
  if (count > instances.elements())
    budget.take(count - instances.elements(), kInstanceBytes, "repeated nodes and meshes");
}

} // namespace sinew
