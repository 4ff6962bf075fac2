// From the marks of the editor to the GPU, once a frame.
#pragma once

#include "editor/session.h"
#include "viewer/state/graphics.h"

namespace sinew {

// A model that has been read takes the place of the current one if the driver can hold it; else the
// current one stays and the reason is shown.
void showPendingImport(Session& session, Graphics& graphics, Statistics& statistics);

// Before advanceSession(): the view that a crowd with a CrowdDrawing of its own is posed for.
void aimCrowd(Document& document, Graphics& graphics, const View& view);

// Uploads Document::changes and clears them. What the driver cannot hold is reverted.
void uploadChanges(Session& session, Graphics& graphics, Statistics& statistics);

// The same for the models beside the document. One that the driver cannot hold is removed, with the
// reason in a message.
void uploadSideModels(Document& document, Graphics& graphics);

// The view's model into the bound framebuffer, of the document with what is selected of it.
DrawCount drawModel(const Document& document, Graphics& graphics, const Settings& settings,
                    const View& view, std::size_t index,
                    std::optional<std::uint32_t> selected = {});

// The pictures of a figure that has been made.
void uploadFigure(FigureList& list, Graphics& graphics);

// Those of the list of figures, when it opens for the first time.
void uploadThumbnails(const Ui& ui, Graphics& graphics);
void uploadMethodPicture(Ui& ui, Graphics& graphics);

// The texture that is shown by itself (Ui::texture).
void uploadTexture(const Document& document, const Ui& ui, Graphics& graphics);

} // namespace sinew
