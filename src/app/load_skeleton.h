// The skeleton that a mesh is to be bound to, by the name that the user gives.
#pragma once

#include "app/load_model.h"
#include "weights/bind_model.h"
#include "weights/skeleton.h"

#include <string>

namespace sinew {

// "template:NAME" is fitted into the mesh (weights/templates/skeleton_template.h); else a .tgf file
// (weights/skeleton_tgf.h), or a model, whose joints are taken: a file or "demo:NAME". The mesh is
// used for templates alone. Throws as these do.
Skeleton loadSkeleton(const std::string& name, const JoinedMeshes& mesh,
                      const LoadOptions& options = {});

} // namespace sinew
