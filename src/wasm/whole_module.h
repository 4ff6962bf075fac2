// What view.wasm throws where only sinew.wasm goes on. The page then fetches that one, and asks
// again.
#pragma once

namespace sinew {

struct WholeModuleNeeded {
  const char* reason; // for a host that has no other module
};

} // namespace sinew
