// Names of a model file as people are shown them.
#pragma once

#include "model/model.h"

namespace sinew {

// Makes every name, repair and warning of the model printable() (core/text.h), so that none reaches
// a terminal, a table or a list as anything but one line of text. Names of nodes and clips stay
// unique.
void makeNamesPrintable(Model& model);

} // namespace sinew
