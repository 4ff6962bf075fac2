// The smaller module, view.wasm: it shows models, and leaves files, bakes and weights to
// sinew.wasm.
#include "web/web_call.h"

namespace sinew {

std::span<const WebEntry> moreRequests() {
  return {};
}

} // namespace sinew
