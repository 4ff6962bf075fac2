#include "import/collada_morphs.h"

#include "import/assimp_types.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <pugixml.hpp>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

namespace sinew {
namespace {

constexpr const char* kHidden = "sinew-morph-targets"; // id of the node that shows them
constexpr int kBezierSteps = 32;                       // lines of a curved stretch of keys

// Every element of the document that has an id.
class Ids : public pugi::xml_tree_walker {
 public:
  bool for_each(pugi::xml_node& node) override {
    if (const char* id = node.attribute("id").value(); *id != '\0') of_.emplace(id, node);
    return true;
  }
  // "#id" or "id"; an empty node where there is none.
  pugi::xml_node find(std::string_view reference) const {
    if (reference.starts_with('#')) reference.remove_prefix(1);
    const auto found = of_.find(reference);
    return found != of_.end() ? found->second : pugi::xml_node();
  }

 private:
  std::map<std::string, pugi::xml_node, std::less<>> of_;
};

pugi::xml_node inputOf(const pugi::xml_node& parent, std::string_view semantic) {
  for (const pugi::xml_node& input : parent.children("input"))
    if (input.attribute("semantic").value() == semantic) return input;
  return {};
}

std::vector<std::string> wordsOf(const pugi::xml_node& array) {
  std::istringstream in(array.text().get());
  std::vector<std::string> out;
  for (std::string word; in >> word;)
    out.push_back(std::move(word));
  return out;
}

std::vector<float> numbersOf(const pugi::xml_node& source) {
  std::vector<float> out;
  for (const std::string& word : wordsOf(source.child("float_array"))) {
    float value = NAN;
    std::from_chars(word.data(), word.data() + word.size(), value);
    out.push_back(value);
  }
  return out;
}

// The source of the positions of a geometry's vertices.
pugi::xml_node positionsOf(const pugi::xml_node& geometry, const Ids& ids) {
  return ids.find(
      inputOf(geometry.child("mesh").child("vertices"), "POSITION").attribute("source").value());
}

// In a copy of an element: its ids and what refers to them get an ending.
class Renamer : public pugi::xml_tree_walker {
 public:
  Renamer(const pugi::xml_node& root, std::string ending) : ending_(std::move(ending)) {
    for (const pugi::xpath_node& found : root.select_nodes(".//*[@id]"))
      ids_.insert(found.node().attribute("id").value());
  }
  bool for_each(pugi::xml_node& node) override {
    rename(node.attribute("id"), 0);
    rename(node.attribute("source"), 1);
    return true;
  }

 private:
  void rename(pugi::xml_attribute attribute, std::size_t skipped) const {
    const std::string value = attribute.value();
    if (value.size() > skipped && ids_.contains(value.substr(skipped)))
      attribute.set_value((value + ending_).c_str());
  }
  std::set<std::string> ids_;
  std::string ending_;
};

// A copy of the geometry with the id and, where there is one, other text of its positions.
void copyGeometry(const pugi::xml_node& geometry, const std::string& id, const char* positions,
                  std::string_view source) {
  pugi::xml_node copy = geometry.parent().append_copy(geometry);
  for (const pugi::xml_node& each : copy.child("mesh").children("source"))
    if (positions != nullptr && each.attribute("id").value() == source)
      each.child("float_array").text().set(positions);
  Renamer renamer(copy, "-of-" + id);
  copy.traverse(renamer);
  copy.attribute("id").set_value(id.c_str());
}

class Separation {
 public:
  Separation(pugi::xml_document& document, ColladaMorphs& out) : document_(document), out_(out) {
    document_.traverse(ids_);
  }

  void run() {
    std::vector<pugi::xml_node> controllers;
    for (const pugi::xpath_node& found : document_.select_nodes("//controller[morph]"))
      controllers.push_back(found.node());
    for (const pugi::xml_node& controller : controllers)
      separate(controller);
    for (const pugi::xpath_node& found : document_.select_nodes("//library_animations/animation"))
      readAnimation(found.node());
    hide();
  }

 private:
  void warn(const pugi::xml_node& controller, std::string_view what) {
    out_.warnings.push_back(
        fmt::format("morph controller '{}': {}", controller.attribute("id").value(), what));
  }

  // What refers to the controller refers to a copy of its mesh.
  void separate(pugi::xml_node controller) {
    const pugi::xml_node morph = controller.child("morph");
    const pugi::xml_node geometry = ids_.find(morph.attribute("source").value());
    if (std::string_view(geometry.name()) != "geometry")
      return warn(controller, "its mesh is not there");
    const std::string controllerId = controller.attribute("id").value();
    const std::string id = fmt::format("sinew-morph-{}", out_.morphs.size());
    ColladaMorph made{id,
                      geometry.attribute("id").value(),
                      std::string_view(morph.attribute("method").value()) == "RELATIVE",
                      {},
                      {}};
    readTargets(controller, morph, geometry, made);
    copyGeometry(geometry, id, nullptr, {});
    // Blender writes controllers that nothing refers to: they are of all that show the mesh.
    if (redirect(controllerId, id) == 0) redirect(made.name, id);
    controller.parent().remove_child(controller);
    out_.morphs.push_back(std::move(made));
  }

  // Whatever shows or binds `from` does so with the geometry `to`; returns how many do.
  std::size_t redirect(const std::string& from, const std::string& to) {
    std::size_t count = 0;
    for (const pugi::xpath_node& found :
         document_.select_nodes("//instance_controller | //instance_geometry | //skin")) {
      pugi::xml_node user = found.node();
      const bool skin = std::string_view(user.name()) == "skin";
      pugi::xml_attribute reference = user.attribute(skin ? "source" : "url");
      if (reference.value() != '#' + from) continue;
      if (!skin) user.set_name("instance_geometry");
      reference.set_value(('#' + to).c_str());
      ++count;
    }
    return count;
  }

  void readTargets(const pugi::xml_node& controller, const pugi::xml_node& morph,
                   const pugi::xml_node& geometry, ColladaMorph& made) {
    const pugi::xml_node inputs = morph.child("targets");
    const pugi::xml_node targets =
        ids_.find(inputOf(inputs, "MORPH_TARGET").attribute("source").value());
    const pugi::xml_node weights =
        ids_.find(inputOf(inputs, "MORPH_WEIGHT").attribute("source").value());
    const pugi::xml_node own = positionsOf(geometry, ids_);
    const std::size_t count = wordsOf(own.child("float_array")).size();
    std::vector<std::string> names = wordsOf(targets.child("IDREF_array"));
    if (names.empty()) names = wordsOf(targets.child("Name_array"));
    const std::vector<float> values = numbersOf(weights);
    for (std::size_t i = 0; i < names.size(); ++i) {
      const pugi::xml_node target = ids_.find(names[i]);
      const pugi::xml_node moved = positionsOf(target, ids_);
      const char* label = target.attribute("name").value();
      ColladaMorphTarget out{*label != '\0' ? label : names[i],
                             fmt::format("{}-target-{}", made.mesh, i),
                             i < values.size() ? values[i] : 0.0f};
      if (count == 0 || wordsOf(moved.child("float_array")).size() != count) {
        warn(controller,
             fmt::format("target '{}' has not as many positions as the mesh", names[i]));
        out.mesh.clear();
      } else {
        const std::string text = moved.child("float_array").text().get();
        copyGeometry(geometry, out.mesh, text.c_str(), own.attribute("id").value());
      }
      made.targets.push_back(std::move(out));
    }
    weights_.emplace_back(weights.attribute("id").value());
  }

  // Channels of weights, which Assimp is not shown.
  void readAnimation(const pugi::xml_node& animation) {
    const char* name = animation.attribute("name").value();
    if (*name == '\0') name = animation.attribute("id").value();
    std::vector<pugi::xml_node> channels;
    for (const pugi::xpath_node& found : animation.select_nodes("descendant-or-self::*/channel"))
      channels.push_back(found.node());
    for (pugi::xml_node channel : channels) {
      std::string_view target = channel.attribute("target").value();
      target.remove_prefix(target.rfind('/') + 1); // npos + 1 is 0
      const std::string_view id = target.substr(0, target.find('('));
      const auto found = std::ranges::find(weights_, id);
      if (id.empty() || found == weights_.end()) continue;
      ColladaMorph& morph = out_.morphs[static_cast<std::size_t>(found - weights_.begin())];
      readChannel(ids_.find(channel.attribute("source").value()), target.substr(id.size()), morph);
      morph.animation = name;
      channel.parent().remove_child(channel);
    }
  }

  // index: "(2)", or empty for all weights together.
  void readChannel(const pugi::xml_node& sampler, std::string_view index, ColladaMorph& morph) {
    const auto source = [&](const char* semantic) {
      return ids_.find(inputOf(sampler, semantic).attribute("source").value());
    };
    std::size_t first = 0;
    std::size_t stride = morph.targets.size();
    if (!index.empty()) {
      std::from_chars(index.data() + 1, index.data() + index.size(), first);
      stride = 1;
    }
    const std::vector<float> times = numbersOf(source("INPUT"));
    const std::vector<float> values = numbersOf(source("OUTPUT"));
    const std::vector<std::string> kinds = wordsOf(source("INTERPOLATION").child("Name_array"));
    const std::vector<float> in = numbersOf(source("IN_TANGENT"));
    const std::vector<float> out = numbersOf(source("OUT_TANGENT"));
    const std::size_t count = morph.targets.size();
    if (stride == 0 || first >= count || stride > count - first || times.empty() ||
        values.size() != times.size() * stride) {
      out_.warnings.push_back("an animation of morph weights does not fit its targets: left out");
      return;
    }
    for (std::size_t t = 0; t < stride; ++t) {
      Track<float>& track = morph.targets[first + t].keys;
      track = {};
      for (std::size_t k = 0; k < times.size(); ++k) {
        std::string_view kind = "LINEAR";
        if (k > 0 && k <= kinds.size()) kind = kinds[k - 1];
        const auto value = [&](std::size_t key) { return values[key * stride + t]; };
        if (k > 0 && kind == "STEP") {
          add(std::nextafter(times[k], times[k - 1]), value(k - 1), track);
        } else if (k > 0 && stride == 1 && kind == "BEZIER" && in.size() >= 2 * times.size() &&
                   out.size() >= 2 * times.size()) {
          addCurve({times[k - 1], out[2 * k - 2], in[2 * k], times[k]},
                   {value(k - 1), out[2 * k - 1], in[2 * k + 1], value(k)}, track);
        }
        add(times[k], value(k), track);
      }
    }
  }

  static void add(float time, float value, Track<float>& track) {
    if (!track.times.empty() && !(time > track.times.back())) return;
    track.times.push_back(time);
    track.values.push_back(value);
  }

  // Between the ends of a Bezier curve, whose times rise where they are within those of its ends.
  static void addCurve(const std::array<float, 4>& times, const std::array<float, 4>& values,
                       Track<float>& track) {
    const auto at = [](const std::array<float, 4>& p, float s) {
      const float r = 1.0f - s;
      return r * r * r * p[0] + 3.0f * r * r * s * p[1] + 3.0f * r * s * s * p[2] +
             s * s * s * p[3];
    };
    for (int i = 1; i < kBezierSteps; ++i) {
      const float s = static_cast<float>(i) / kBezierSteps;
      if (const float time = at(times, s); time < times[3]) add(time, at(values, s), track);
    }
  }

  // Nodes that show the targets, and the meshes as they are, for joinColladaMorphs().
  void hide() {
    pugi::xml_node scene;
    const pugi::xml_node shown =
        document_.child("COLLADA").child("scene").child("instance_visual_scene");
    scene = ids_.find(shown.attribute("url").value());
    if (!scene) return;
    pugi::xml_node hidden = scene.append_child("node");
    hidden.append_attribute("id").set_value(kHidden);
    const auto show = [&](const std::string& mesh) {
      if (mesh.empty()) return;
      pugi::xml_node node = hidden.append_child("node");
      node.append_attribute("id").set_value((mesh + "-shown").c_str());
      node.append_child("instance_geometry")
          .append_attribute("url")
          .set_value(('#' + mesh).c_str());
    };
    for (const ColladaMorph& morph : out_.morphs) {
      show(morph.mesh);
      for (const ColladaMorphTarget& target : morph.targets)
        show(target.mesh);
    }
  }

  pugi::xml_document& document_;
  ColladaMorphs& out_;
  Ids ids_;
  std::vector<std::string> weights_; // per morph the id of the source of its weights
};

// The node of the id that shows a mesh, below the hidden one.
const aiNode* shownBy(const aiNode& hidden, const std::string& mesh) {
  for (unsigned i = 0; i < hidden.mNumChildren; ++i)
    if (toString(hidden.mChildren[i]->mName) == mesh + "-shown") return hidden.mChildren[i];
  return nullptr;
}

bool samePlaces(const aiMesh& a, const aiMesh& b) {
  return a.mNumVertices == b.mNumVertices &&
         std::equal(a.mVertices, a.mVertices + a.mNumVertices, b.mVertices);
}

aiAnimMesh* targetOf(const ColladaMorphTarget& target, const aiMesh& mesh, const aiMesh* moved,
                     bool relative) {
  auto* out = new aiAnimMesh;
  out->mName = target.name;
  out->mWeight = target.weight;
  out->mNumVertices = mesh.mNumVertices;
  out->mVertices = new aiVector3D[mesh.mNumVertices];
  for (unsigned v = 0; v < mesh.mNumVertices; ++v) {
    out->mVertices[v] = mesh.mVertices[v];
    if (moved != nullptr)
      out->mVertices[v] = relative ? mesh.mVertices[v] + moved->mVertices[v] : moved->mVertices[v];
  }
  return out;
}

// Its targets, from the parts of the hidden meshes that are the same part of the geometry.
void giveTargets(const ColladaMorph& morph, const aiScene& scene, const aiNode& hidden,
                 aiMesh& mesh) {
  const aiNode* own = shownBy(hidden, morph.mesh);
  if (own == nullptr || morph.targets.empty()) return;
  unsigned part = 0;
  while (part < own->mNumMeshes && !samePlaces(*scene.mMeshes[own->mMeshes[part]], mesh))
    ++part;
  if (part == own->mNumMeshes) return;
  mesh.mAnimMeshes = new aiAnimMesh*[morph.targets.size()];
  mesh.mNumAnimMeshes = 0;
  for (const ColladaMorphTarget& target : morph.targets) {
    const aiNode* shown = shownBy(hidden, target.mesh);
    const aiMesh* moved = shown != nullptr && part < shown->mNumMeshes
                              ? scene.mMeshes[shown->mMeshes[part]]
                              : nullptr;
    if (moved != nullptr && moved->mNumVertices != mesh.mNumVertices) moved = nullptr;
    mesh.mAnimMeshes[mesh.mNumAnimMeshes++] = targetOf(target, mesh, moved, morph.relative);
  }
}

// The names of nodes that show a mesh of the id, of which one may have several.
void collectShowing(const aiScene& scene, const aiNode& root, const std::string& mesh,
                    std::vector<std::string>& out) {
  std::vector<const aiNode*> open{&root};
  while (!open.empty()) {
    const aiNode& node = *open.back();
    open.pop_back();
    for (unsigned i = 0; i < node.mNumMeshes; ++i)
      if (toString(scene.mMeshes[node.mMeshes[i]]->mName) == mesh) {
        out.push_back(toString(node.mName));
        break;
      }
    for (unsigned i = 0; i < node.mNumChildren; ++i)
      open.push_back(node.mChildren[i]);
  }
}

// The scene's animation of that name, or its first, or a new one.
aiAnimation& animationOf(const std::string& name, aiScene& scene) {
  for (unsigned i = 0; i < scene.mNumAnimations; ++i)
    if (toString(scene.mAnimations[i]->mName) == name) return *scene.mAnimations[i];
  if (scene.mNumAnimations > 0) return *scene.mAnimations[0];
  scene.mAnimations = new aiAnimation*[1];
  scene.mAnimations[0] = new aiAnimation;
  scene.mNumAnimations = 1;
  scene.mAnimations[0]->mName = name;
  scene.mAnimations[0]->mTicksPerSecond = 1.0;
  return *scene.mAnimations[0];
}

aiMeshMorphAnim* channelOf(const ColladaMorph& morph, const std::string& node, double ticks) {
  std::size_t count = 0;
  for (const ColladaMorphTarget& target : morph.targets)
    count += target.keys.times.size();
  auto* out = new aiMeshMorphAnim;
  out->mName = node;
  out->mKeys = new aiMeshMorphKey[count];
  for (unsigned t = 0; t < morph.targets.size(); ++t) {
    const Track<float>& keys = morph.targets[t].keys;
    for (std::size_t k = 0; k < keys.times.size(); ++k) {
      aiMeshMorphKey& key = out->mKeys[out->mNumKeys++];
      key.mTime = static_cast<double>(keys.times[k]) * ticks;
      key.mNumValuesAndWeights = 1;
      key.mValues = new unsigned[1]{t};
      key.mWeights = new double[1]{static_cast<double>(keys.values[k])};
    }
  }
  return out;
}

void animate(const ColladaMorph& morph, const std::vector<std::string>& nodes, aiScene& scene) {
  if (morph.animation.empty() || nodes.empty()) return;
  aiAnimation& animation = animationOf(morph.animation, scene);
  const double ticks = animation.mTicksPerSecond > 0.0 ? animation.mTicksPerSecond : 1.0;
  auto** channels = new aiMeshMorphAnim*[animation.mNumMorphMeshChannels + nodes.size()];
  std::copy_n(animation.mMorphMeshChannels, animation.mNumMorphMeshChannels, channels);
  delete[] animation.mMorphMeshChannels;
  animation.mMorphMeshChannels = channels;
  for (const std::string& node : nodes)
    channels[animation.mNumMorphMeshChannels++] = channelOf(morph, node, ticks);
}

} // namespace

std::optional<ColladaMorphs> separateColladaMorphs(const std::string& text) {
  if (text.find("<morph") == std::string::npos) return std::nullopt;
  pugi::xml_document document;
  if (!document.load_buffer(text.data(), text.size())) return std::nullopt;
  ColladaMorphs out;
  Separation(document, out).run();
  std::ostringstream written;
  document.save(written, "", pugi::format_raw);
  out.text = std::move(written).str();
  return out;
}

void joinColladaMorphs(ColladaMorphs& morphs, aiScene& scene) {
  aiNode* hidden = scene.mRootNode->FindNode(kHidden);
  if (hidden == nullptr || hidden->mParent == nullptr) return;
  aiNode& parent = *hidden->mParent;
  const auto end = std::remove(parent.mChildren, parent.mChildren + parent.mNumChildren, hidden);
  parent.mNumChildren = static_cast<unsigned>(end - parent.mChildren);
  for (const ColladaMorph& morph : morphs.morphs) {
    for (unsigned m = 0; m < scene.mNumMeshes; ++m)
      if (toString(scene.mMeshes[m]->mName) == morph.mesh)
        giveTargets(morph, scene, *hidden, *scene.mMeshes[m]);
    std::vector<std::string> nodes;
    collectShowing(scene, *scene.mRootNode, morph.mesh, nodes);
    animate(morph, nodes, scene);
    for (unsigned m = 0; m < scene.mNumMeshes; ++m)
      if (toString(scene.mMeshes[m]->mName) == morph.mesh) scene.mMeshes[m]->mName = morph.name;
  }
  delete hidden;
}

} // namespace sinew
