#include "import/collada_text.h"

#include <pugixml.hpp>
#include <sstream>
#include <vector>

namespace sinew {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

// Whether pugixml would change the encoding: another one is named, or there are zeros between the
// letters.
bool isOtherEncoding(std::string_view text) {
  const std::string_view head = text.substr(0, 64);
  if (head.starts_with("\xEF\xBB\xBF")) return false;
  return head.find('\0') != std::string_view::npos || head.starts_with("\xFF\xFE") ||
         head.starts_with("\xFE\xFF");
}

// Removes the blanks around the texts of elements.
class Trimmer : public pugi::xml_tree_walker {
 public:
  bool for_each(pugi::xml_node& node) override {
    if (node.type() != pugi::node_pcdata) return true;
    const std::string_view text = node.value();
    const std::size_t first = text.find_first_not_of(kBlanks);
    if (first == 0 || first == std::string_view::npos) return true;
    const std::size_t last = text.find_last_not_of(kBlanks);
    node.set_value(std::string(text.substr(first, last + 1 - first)).c_str());
    changed_ = true;
    return true;
  }
  bool changed() const { return changed_; }

 private:
  bool changed_ = false;
};

// Without clips all animations play on one time line. Those below the first of the file move into
// it, their sources, samplers and channels side by side.
bool joinAnimations(const pugi::xml_document& document) {
  const pugi::xml_node root = document.child("COLLADA");
  if (root.child("library_animation_clips").child("animation_clip")) return false;
  std::vector<pugi::xml_node> others;
  pugi::xml_node first;
  for (const pugi::xml_node& library : root.children("library_animations"))
    for (const pugi::xml_node& animation : library.children("animation")) {
      if (first)
        others.push_back(animation);
      else
        first = animation;
    }
  if (others.empty()) return false;
  for (const pugi::xml_node& animation : others) {
    for (const pugi::xpath_node& found : animation.select_nodes("descendant::animation/*"))
      if (std::string_view(found.node().name()) != "animation") first.append_move(found.node());
    for (pugi::xml_node part = animation.first_child(); part;) {
      const pugi::xml_node next = part.next_sibling();
      if (std::string_view(part.name()) != "animation") first.append_move(part);
      part = next;
    }
    animation.parent().remove_child(animation);
  }
  for (const pugi::xpath_node& found : first.select_nodes("descendant::animation/*"))
    if (std::string_view(found.node().name()) != "animation") first.append_move(found.node());
  while (const pugi::xml_node nested = first.child("animation"))
    first.remove_child(nested);
  return true;
}

} // namespace

std::optional<std::string> plainCollada(std::string_view text) {
  pugi::xml_document document;
  if (!document.load_buffer(text.data(), text.size())) return std::nullopt;
  Trimmer trimmer;
  document.traverse(trimmer);
  const bool joined = joinAnimations(document);
  if (!joined && !trimmer.changed() && !isOtherEncoding(text)) return std::nullopt;
  std::ostringstream written;
  document.save(written, "", pugi::format_raw, pugi::encoding_utf8);
  return std::move(written).str();
}

} // namespace sinew
