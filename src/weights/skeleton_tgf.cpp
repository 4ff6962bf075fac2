#include "core/error.h"
#include "core/file.h"
#include "weights/skeleton.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>

namespace sinew {
namespace {

// A line's fields, read one after the other.
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
    vec3 place{0.0f};
    std::optional<std::size_t> parent; // as the next, into `vertices`
    std::vector<std::size_t> children;
  };
  std::vector<Vertex> vertices; // in the order of the file
  std::map<long, std::size_t> known;
};

void addVertex(Graph& graph, Fields& fields) {
  Graph::Vertex vertex;
  vertex.index = fields.index("the joint's index");
  for (int i = 0; i < 3; ++i)
    vertex.place[i] = fields.number("a coordinate");
  if (!graph.known.emplace(vertex.index, graph.vertices.size()).second)
    throw fields.wrong(fmt::format("joint {} is there twice", vertex.index));
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
  graph.vertices[parent].children.push_back(child);
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

// Appends a vertex and all below it; bones stand in the order of their parents.
void addJoints(const Graph& graph, std::size_t root, Skeleton& out) {
  std::vector<std::pair<std::size_t, std::uint32_t>> open{{root, 0}}; // with the node above
  while (!open.empty()) {
    const auto [v, parent] = open.back();
    open.pop_back();
    const Graph::Vertex& vertex = graph.vertices[v];
    const auto node = static_cast<std::uint32_t>(out.hierarchy.nodes.size());
    const vec3 above = vertex.parent ? graph.vertices[*vertex.parent].place : vec3(0.0f);
    out.hierarchy.nodes.push_back(
        {fmt::format("joint{}", vertex.index), parent, {.translation = vertex.place - above}});
    for (const std::size_t child : vertex.children) {
      out.bones.push_back({vertex.place, graph.vertices[child].place});
      out.jointOfBone.push_back(static_cast<std::uint32_t>(out.joints.size()));
    }
    // A joint alone is a bone without length.
    if (vertex.children.empty() && !vertex.parent) {
      out.bones.push_back({vertex.place, vertex.place});
      out.jointOfBone.push_back(static_cast<std::uint32_t>(out.joints.size()));
    }
    mat4 modelFromJoint(1.0f);
    modelFromJoint[3] = vec4(vertex.place, 1.0f);
    out.joints.push_back(node);
    out.modelFromJoint.push_back(modelFromJoint);
    for (auto child = vertex.children.rbegin(); child != vertex.children.rend(); ++child)
      open.emplace_back(*child, node);
  }
}

} // namespace

Skeleton readTgf(const std::filesystem::path& path) {
  const Graph graph = readGraph(path.string());
  Skeleton out;
  out.hierarchy.nodes.push_back({"skeleton", kNoNode, {}});
  for (std::size_t v = 0; v < graph.vertices.size(); ++v)
    if (!graph.vertices[v].parent) addJoints(graph, v, out);
  return out;
}

} // namespace sinew
