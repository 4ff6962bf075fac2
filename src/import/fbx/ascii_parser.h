// The ASCII form of an FBX file, versions 6.1 to 7.7.
#pragma once

#include "import/fbx/element.h"

namespace sinew {

// The root element, whose children are the file's. Values refer to `text`, which must outlive them.
// Throws FbxError with the line.
FbxElement parseFbxAscii(std::string_view text);

} // namespace sinew
