#include "import/collada/document.h"

#include "core/file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

namespace sinew {
namespace {

constexpr std::string_view kXmlBlanks = " \t\r\n";

// Calls each(word) for every word of an element's text, which comments and CDATA may part.
template <class Each>
void forWords(const pugi::xml_node& element, const Each& each) {
  for (const pugi::xml_node& part : element.children()) {
    if (part.type() != pugi::node_pcdata && part.type() != pugi::node_cdata) continue;
    const std::string_view text = part.value();
    for (std::size_t at = 0; (at = text.find_first_not_of(kXmlBlanks, at)) != text.npos;) {
      const std::size_t end = std::min(text.find_first_of(kXmlBlanks, at), text.size());
      each(text.substr(at, end - at));
      at = end;
    }
  }
}

double numberOfWord(std::string_view word) {
  if (word.starts_with('+')) word.remove_prefix(1);
  double value = 0.0;
  const char* end = word.data() + word.size();
  const auto [rest, error] = std::from_chars(word.data(), end, value);
  if (error == std::errc::result_out_of_range) return 0.0; // smaller than any double, or larger
  if (error == std::errc() && rest == end) return value;
  // Some writers take the decimal comma of their language.
  if (error == std::errc() && *rest == ',' && word.size() < 64) {
    std::string dotted(word);
    dotted[static_cast<std::size_t>(rest - word.data())] = '.';
    if (dotted.find(',') == dotted.npos) return numberOfWord(dotted);
  }
  return std::numeric_limits<double>::quiet_NaN();
}

// Numbers that a <param> stands for: "float4x4" is sixteen.
std::uint32_t widthOfType(std::string_view type) {
  constexpr std::array<std::pair<std::string_view, std::uint32_t>, 5> kWide = {
      {{"float4x4", 16}, {"float3x3", 9}, {"float4", 4}, {"float3", 3}, {"float2", 2}}};
  for (const auto& [name, width] : kWide)
    if (type == name) return width;
  return 1;
}

// Which numbers of each stride an accessor gives out: a param without a name skips its own, unless
// none has a name.
std::vector<std::uint32_t> findColumns(const pugi::xml_node& accessor, std::uint32_t stride) {
  std::vector<std::uint32_t> named;
  std::uint32_t at = 0;
  for (const pugi::xml_node& param : accessor.children("param")) {
    const std::uint32_t width = widthOfType(param.attribute("type").value());
    for (std::uint32_t i = 0; i < width && at + i < stride; ++i)
      if (param.attribute("name")) named.push_back(at + i);
    at += std::min(width, stride - at);
  }
  if (!named.empty()) return named;
  constexpr std::uint32_t kWidest = 64; // nothing has more numbers
  std::vector<std::uint32_t> all;
  for (std::uint32_t i = 0; i < std::min(stride, kWidest); ++i)
    all.push_back(i);
  return all;
}

} // namespace

ColladaDocument::ColladaDocument(const SourceFile& file, const ImportOptions& options)
    : options_(options), budget_(file.path.string(), file.bytes) {
  const std::string text = readFile(file.path);
  const pugi::xml_parse_result result = document_.load_buffer(text.data(), text.size());
  if (!result) {
    std::string what = result.description();
    if (!what.empty()) what.front() = static_cast<char>(std::tolower(what.front()));
    throw ColladaError(fmt::format("{} at byte {}", what, result.offset));
  }
  root_ = document_.child("COLLADA");
  if (!root_) throw ColladaError("it has no element COLLADA");
  index();
}

void ColladaDocument::index() {
  std::vector<std::uint32_t> open; // places whose end is to come, with their elements
  std::uint32_t number = 0;
  std::uint32_t depth = 0;
  const auto enter = [&](const pugi::xml_node& element) {
    const char* id = element.attribute("id").value();
    const char* sid = element.attribute("sid").value();
    ++number;
    if (*id == '\0' && *sid == '\0') return;
    const auto place = static_cast<std::uint32_t>(places_.size());
    places_.push_back({element, number, number, depth});
    placeOf_.emplace(element.internal_object(), place);
    if (*id != '\0') byId_.emplace(id, place);
    if (*sid != '\0') bySid_[sid].push_back(place);
    open.push_back(place);
  };
  const auto leave = [&](const pugi::xml_node& element) {
    if (open.empty() || places_[open.back()].element != element) return;
    places_[open.back()].end = number;
    open.pop_back();
  };
  // Without recursion: elements may be nested as deeply as the file is long.
  pugi::xml_node at = root_;
  while (at) {
    enter(at);
    if (const pugi::xml_node child = at.first_child()) {
      at = child;
      ++depth;
      continue;
    }
    while (at) {
      leave(at);
      if (at == root_) return;
      if (const pugi::xml_node next = at.next_sibling()) {
        at = next;
        break;
      }
      at = at.parent();
      --depth;
    }
  }
}

pugi::xml_node ColladaDocument::find(std::string_view reference) const {
  if (reference.starts_with('#')) reference.remove_prefix(1);
  const auto found = byId_.find(reference);
  return found == byId_.end() ? pugi::xml_node() : places_[found->second].element;
}

pugi::xml_node ColladaDocument::find(std::string_view reference, std::string_view name) const {
  const pugi::xml_node found = find(reference);
  return found.name() == name ? found : pugi::xml_node();
}

pugi::xml_node ColladaDocument::findSid(const pugi::xml_node& above, std::string_view sid) const {
  const auto all = bySid_.find(sid);
  const auto place = placeOf_.find(above.internal_object());
  if (all == bySid_.end() || place == placeOf_.end()) return {};
  const Place& outer = places_[place->second];
  auto next = std::ranges::upper_bound(all->second, outer.begin, {},
                                       [&](std::uint32_t i) { return places_[i].begin; });
  const Place* best = nullptr;
  for (; next != all->second.end() && places_[*next].begin <= outer.end; ++next) {
    const Place& inner = places_[*next];
    if (best == nullptr || inner.depth < best->depth) best = &inner;
    if (best->depth == outer.depth + 1) break;
  }
  return best == nullptr ? pugi::xml_node() : best->element;
}

std::vector<double> colladaNumbers(const pugi::xml_node& element) {
  std::vector<double> out;
  forWords(element, [&](std::string_view word) { out.push_back(numberOfWord(word)); });
  return out;
}

std::vector<std::string> colladaWords(const pugi::xml_node& element) {
  std::vector<std::string> out;
  forWords(element, [&](std::string_view word) { out.emplace_back(word); });
  return out;
}

double colladaNumber(const pugi::xml_node& element, double otherwise) {
  std::optional<double> first;
  forWords(element, [&](std::string_view word) {
    if (!first) first = numberOfWord(word);
  });
  return first && std::isfinite(*first) ? *first : otherwise;
}

double colladaNumber(const pugi::xml_attribute& attribute, double otherwise) {
  const double value = numberOfWord(attribute.value());
  return std::isfinite(value) ? value : otherwise;
}

std::string colladaName(const pugi::xml_node& element) {
  const std::string name = element.attribute("name").value();
  return name.empty() ? element.attribute("id").value() : name;
}

pugi::xml_node colladaInput(const pugi::xml_node& parent, std::string_view semantic) {
  for (const pugi::xml_node& input : parent.children("input"))
    if (input.attribute("semantic").value() == semantic) return input;
  return {};
}

ColladaSource readColladaSource(const ColladaDocument& document, const pugi::xml_node& source,
                                std::uint32_t width) {
  const pugi::xml_node accessor = source.child("technique_common").child("accessor");
  pugi::xml_node array = document.find(accessor.attribute("source").value());
  if (!array) array = source.child("float_array");
  const std::vector<double> numbers = colladaNumbers(array);
  const std::uint32_t stride =
      std::max(accessor.attribute("stride").as_uint(accessor ? 1 : width), 1u);
  const std::size_t first = accessor.attribute("offset").as_uint();
  const std::vector<std::uint32_t> columns = findColumns(accessor, stride);
  ColladaSource out;
  out.width = static_cast<std::uint32_t>(columns.size());
  if (out.width < width) return {};
  const std::size_t there = first < numbers.size() ? (numbers.size() - first) / stride : 0;
  const std::size_t count = std::min<std::size_t>(there, accessor.attribute("count").as_uint(~0u));
  out.values.reserve(count * columns.size());
  for (std::size_t i = 0; i < count; ++i)
    for (const std::uint32_t column : columns)
      out.values.push_back(numbers[first + i * stride + column]);
  return out;
}

std::vector<std::string> readColladaNames(const pugi::xml_node& source) {
  std::vector<std::string> names = colladaWords(source.child("Name_array"));
  return names.empty() ? colladaWords(source.child("IDREF_array")) : names;
}

} // namespace sinew
