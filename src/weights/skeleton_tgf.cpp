#include "weights/skeleton_tgf.h"

#include "core/error.h"
#include "core/file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

namespace sinew {
namespace {

// Reads the fields of a line.
class Fields {
 public:
  Fields(std::string_view path, std::size_t number, std::string line)
      : path_(path), number_(number), line_(std::move(line)), at_(line_.c_str()) {}

  Error wrong(std::string_view what) const {
    return inputError(fmt::format("{}:{}", path_, number_), what,
                      "a .tgf file has lines 'index x y z', a line '#' and lines 'parent child'");
  }
  float number(std::string_view what) {
    char* end = nullptr;
    const double value = std::strtod(at_, &end);
    if (end == at_ || !std::isfinite(static_cast<float>(value)))
      throw wrong(fmt::format("{} is not a number", what));
    at_ = end;
    return static_cast<float>(value);
  }
  long index(std::string_view what) {
    char* end = nullptr;
    const long value = std::strtol(at_, &end, 10);
    if (end == at_ || (*end != '\0' && *end != ' ' && *end != '\t' && *end != '\r'))
      throw wrong(fmt::format("{} is not a whole number", what));
    at_ = end;
    return value;
  }

 private:
  std::string_view path_;
  std::size_t number_;
  std::string line_;
  const char* at_;
};

struct Graph {
  struct Vertex {
    long index = 0;
    vec3 position{0.0f};
    std::optional<std::size_t> parent; // into `vertices`
    std::vector<std::size_t> edges;    // to its children, into `edges`
  };
  struct Edge {
    std::size_t parent = 0;
    std::size_t child = 0;
  };
  std::vector<Vertex> vertices; // in file order, like edges
  std::vector<Edge> edges;
  std::map<long, std::size_t> known;
};

void addVertex(Graph& graph, Fields& fields) {
  Graph::Vertex vertex;
  vertex.index = fields.index("the joint's index");
  for (int i = 0; i < 3; ++i)
    vertex.position[i] = fields.number("a coordinate");
  if (!graph.known.emplace(vertex.index, graph.vertices.size()).second)
    throw fields.wrong(fmt::format("joint {} occurs twice", vertex.index));
  graph.vertices.push_back(std::move(vertex));
}

void addEdge(Graph& graph, Fields& fields) {
  const auto find = [&](std::string_view what) {
    const long index = fields.index(what);
    const auto found = graph.known.find(index);
    if (found == graph.known.end()) throw fields.wrong(fmt::format("there is no joint {}", index));
    return found->second;
  };
  const std::size_t parent = find("the parent");
  const std::size_t child = find("the child");
  if (graph.vertices[child].parent)
    throw fields.wrong(fmt::format("joint {} has two parents", graph.vertices[child].index));
  for (std::optional<std::size_t> up = parent; up; up = graph.vertices[*up].parent)
    if (*up == child)
      throw fields.wrong(fmt::format("joint {} is above itself", graph.vertices[child].index));
  graph.vertices[child].parent = parent;
  graph.vertices[parent].edges.push_back(graph.edges.size());
  graph.edges.push_back({parent, child});
}

Graph readGraph(const std::string& path) {
  const std::string text = readFile(path);
  Graph graph;
  bool edges = false;
  std::size_t number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    begin = end + 1;
    ++number;
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first == std::string::npos) continue;
    Fields fields(path, number, line);
    if (line[first] == '#')
      edges = true;
    else if (edges)
      addEdge(graph, fields);
    else
      addVertex(graph, fields);
  }
  if (graph.vertices.empty()) throw inputError(path, "has no joints");
  return graph;
}

// Names for joints or bones, from NAME.names.txt beside NAME.tgf. Lines `index NAME` name joints.
// Lines `parent child NAME` name bones; a name in parentheses marks a link: it attaches its child
// to the bone before it and is not a bone itself.
struct TgfNames {
  std::filesystem::path path;
  std::map<long, std::string> joints;                    // by index
  std::map<std::pair<long, long>, std::string> bones;    // by parent and child; empty: a link
  std::map<std::pair<long, long>, std::size_t> boneLine; // line of each name, for messages
};

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

// Removes a leading whole number, followed by white space or the end of the text.
std::optional<long> takeIndex(std::string_view& text) {
  long value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const auto length = static_cast<std::size_t>(end - text.data());
  if (error != std::errc() || (length < text.size() && text[length] != ' ' && text[length] != '\t'))
    return std::nullopt;
  text = trimmed(text.substr(length));
  return value;
}

class NameLines {
 public:
  explicit NameLines(TgfNames& out) : out_(out) {}

  void add(std::string_view line, std::size_t number) {
    const auto wrong = [&](std::string_view what) {
      return inputError(fmt::format("{}:{}", out_.path.string(), number), what,
                        "lines are 'index NAME' or 'parent child NAME'");
    };
    const auto first = takeIndex(line);
    if (!first) throw wrong("the joint's index is not a whole number");
    std::string_view rest = line;
    const auto second = takeIndex(rest);
    const bool isBone = second && !rest.empty();
    std::string name(isBone ? rest : line);
    if (name.empty()) throw wrong("there is no name");
    if (isBone && name.front() == '(')
      name.clear();
    else if (!names_.insert(name).second)
      throw wrong(fmt::format("the name '{}' occurs twice", name));
    const bool isNew = isBone ? out_.bones.emplace(std::pair(*first, *second), name).second
                              : out_.joints.emplace(*first, name).second;
    if (!isNew) throw wrong("the same is named twice");
    if (isBone) out_.boneLine[{*first, *second}] = number;
    if (!out_.joints.empty() && !out_.bones.empty()) throw wrong("it names joints and bones both");
  }

 private:
  TgfNames& out_;
  std::set<std::string> names_;
};

// Empty if there is no such file. Throws inputError with file and line: no index, no name, a joint,
// bone or name twice, names of joints and of bones in one file.
TgfNames readTgfNames(const std::filesystem::path& tgf) {
  TgfNames out;
  out.path = tgf;
  out.path.replace_extension(".names.txt");
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(out.path, ignored)) return out;
  NameLines lines(out);
  std::istringstream file(readFile(out.path.string()));
  std::size_t number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (const std::string_view text = trimmed(line); !text.empty()) lines.add(text, number);
  }
  return out;
}

// All named joints and bones must exist.
void check(const Graph& graph, const TgfNames& names) {
  const auto missing = [&](std::size_t line, const std::string& what) {
    const std::string where = line > 0 ? fmt::format(":{}", line) : "";
    return inputError(names.path.string() + where, what + " the .tgf does not have",
                      "correct or remove it: names are optional");
  };
  for (const auto& [index, name] : names.joints)
    if (!graph.known.contains(index))
      throw missing(0, fmt::format("names '{}', joint {}, which", name, index));
  for (const auto& named : names.bones) {
    const auto& bone = named.first;
    const bool found = std::any_of(graph.edges.begin(), graph.edges.end(), [&](const auto& edge) {
      return graph.vertices[edge.parent].index == bone.first &&
             graph.vertices[edge.child].index == bone.second;
    });
    if (!found)
      throw missing(names.boneLine.at(bone),
                    fmt::format("names a bone {} {} which", bone.first, bone.second));
  }
}

// Builds the skeleton from its roots outwards.
class Builder {
 public:
  Builder(const Graph& graph, const TgfNames& names) : graph_(graph), names_(names) {
    jointOfEdge.assign(graph.edges.size(), 0);
    addNode("skeleton", kNoNode, vec3(0.0f));
    for (std::size_t v = 0; v < graph.vertices.size(); ++v)
      if (!graph.vertices[v].parent) addAll(v);
  }

  Skeleton skeleton;
  std::vector<std::uint32_t> jointOfEdge;

 private:
  // A vertex to visit, and its parent node: a joint's, except at a root.
  struct Open {
    std::size_t vertex = 0;
    std::uint32_t node = 0;
    std::optional<std::uint32_t> joint;
  };

  void addAll(std::size_t root) {
    open_ = {{root, 0, {}}};
    while (!open_.empty()) {
      const Open at = open_.back();
      open_.pop_back();
      const std::size_t first = open_.size();
      if (names_.bones.empty())
        addVertex(at);
      else
        addBonesBelow(at);
      std::reverse(open_.begin() + static_cast<std::ptrdiff_t>(first), open_.end());
    }
  }

  // Without names of bones: a joint at every vertex, which moves all bones that begin there.
  void addVertex(const Open& at) {
    const Graph::Vertex& vertex = graph_.vertices[at.vertex];
    const auto named = names_.joints.find(vertex.index);
    const std::uint32_t joint = addJoint(
        named != names_.joints.end() ? named->second : "joint" + std::to_string(vertex.index),
        at.node, vertex.position);
    for (const std::size_t edge : vertex.edges)
      addBone(edge, joint);
    // An isolated joint is a bone without length.
    if (vertex.edges.empty() && !vertex.parent) addBone(vertex.position, vertex.position, joint);
  }

  // With names of bones: a joint for every bone, at its start, so that bones with a common start
  // rotate independently. The last vertex is a plain node: the end of its bone.
  void addBonesBelow(const Open& at) {
    const Graph::Vertex& vertex = graph_.vertices[at.vertex];
    for (const std::size_t edge : vertex.edges) {
      const long child = graph_.vertices[graph_.edges[edge].child].index;
      const auto named = names_.bones.find({vertex.index, child});
      const bool isLink = named != names_.bones.end() && named->second.empty();
      if (isLink && at.joint)
        extend(edge, *at.joint);
      else
        addBone(edge, addJoint(named != names_.bones.end() && !isLink
                                   ? named->second
                                   : fmt::format("joint{}-{}", vertex.index, child),
                               at.node, vertex.position));
    }
    if (!vertex.edges.empty()) return;
    if (at.joint)
      addNode(skeleton.hierarchy.nodes[at.node].name + ".end", at.node, vertex.position);
    else
      addBone(vertex.position, vertex.position,
              addJoint("joint" + std::to_string(vertex.index), at.node, vertex.position));
  }

  std::uint32_t addNode(std::string name, std::uint32_t parent, const vec3& position) {
    const vec3 above = parent == kNoNode ? vec3(0.0f) : positions_[parent];
    while (findNode(skeleton.hierarchy, name))
      name += '_';
    skeleton.hierarchy.nodes.push_back(
        {std::move(name), parent, {.translation = position - above}});
    positions_.push_back(position);
    return static_cast<std::uint32_t>(positions_.size() - 1);
  }

  std::uint32_t addJoint(std::string name, std::uint32_t parent, const vec3& position) {
    mat4 modelFromJoint(1.0f);
    modelFromJoint[3] = vec4(position, 1.0f);
    skeleton.joints.push_back(addNode(std::move(name), parent, position));
    skeleton.modelFromJoint.push_back(modelFromJoint);
    return static_cast<std::uint32_t>(skeleton.joints.size() - 1);
  }

  void addBone(const vec3& from, const vec3& to, std::uint32_t joint) {
    skeleton.bones.push_back({from, to});
    skeleton.jointOfBone.push_back(joint);
  }

  void addBone(std::size_t edge, std::uint32_t joint) {
    const Graph::Edge& ends = graph_.edges[edge];
    addBone(graph_.vertices[ends.parent].position, graph_.vertices[ends.child].position, joint);
    extend(edge, joint);
  }

  void extend(std::size_t edge, std::uint32_t joint) {
    jointOfEdge[edge] = joint;
    open_.push_back({graph_.edges[edge].child, skeleton.joints[joint], joint});
  }

  const Graph& graph_;
  const TgfNames& names_;
  std::vector<Open> open_;
  std::vector<vec3> positions_; // per node
};

Builder buildFrom(const std::filesystem::path& path) {
  const Graph graph = readGraph(path.string());
  const TgfNames names = readTgfNames(path);
  check(graph, names);
  return {graph, names};
}

} // namespace

Skeleton readTgf(const std::filesystem::path& path) {
  return buildFrom(path).skeleton;
}

std::vector<std::uint32_t> jointsOfTgfEdges(const std::filesystem::path& path) {
  return buildFrom(path).jointOfEdge;
}

} // namespace sinew
