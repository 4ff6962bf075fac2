// What of a workbench has changed since whoever shows it last looked. The editor marks, the window
// uploads and clears: so no editing code calls the renderer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace sinew {

// Vertices whose attributes were bound again in place.
struct BoundVertices {
  std::size_t method = 0; // index into Workbench::bound
  std::shared_ptr<const std::vector<std::uint32_t>> vertices;
};

struct MeshChanges {
  bool model = false;               // another model and rig: everything
  bool storage = false;             // another palette storage: every mesh
  bool bindings = false;            // the list of bound methods, or `methods` of it
  std::vector<std::size_t> methods; // bound again
  std::vector<BoundVertices> vertices;
  bool pose = false;  // palettes and differences
  bool field = false; // the colours of the heat map
};

} // namespace sinew
