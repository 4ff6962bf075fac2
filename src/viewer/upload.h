// Uploads what the editor has marked to the GPU, once a frame.
#pragma once

#include "editor/session.h"
#include "viewer/state/graphics.h"

namespace sinew {

// Shows a model that has been read in place of the current one if the driver can hold it. Else the
// current model stays and the reason is shown.
void showPendingImport(Session& session, Graphics& graphics, Statistics& statistics);

// Sets the view to pose a crowd with its own CrowdDrawing for. Call it before advanceSession().
void aimCrowd(Document& document, Graphics& graphics, const View& view);

// Uploads Document::changes and clears them. What the driver cannot hold is reverted.
void uploadChanges(Session& session, Graphics& graphics, Statistics& statistics);

// Uploads the same for side-by-side models. A model that the driver cannot hold is removed, with
// the reason in a message.
void uploadSideModels(Document& document, Graphics& graphics);

// Draws the view's model into the bound framebuffer; the document's with what is selected.
DrawCount drawModel(const Document& document, Graphics& graphics, const Settings& settings,
                    const View& view, std::size_t index,
                    std::optional<std::uint32_t> selected = {});

// Uploads the pictures of a figure that has been made.
void uploadFigure(FigureList& list, Graphics& graphics);

// Uploads the pictures of the list of figures when it opens for the first time.
void uploadThumbnails(const Ui& ui, Graphics& graphics);
void uploadMethodPicture(Ui& ui, Graphics& graphics);

// Uploads the texture that is shown by itself (Ui::texture).
void uploadTexture(const Document& document, const Ui& ui, Graphics& graphics);

} // namespace sinew
