// The file formats that are read, one row of a table each: how a file is recognised, who reads it,
// and of which other files it may consist. Messages, the window's chooser, standard input and the
// budget of an import go by it. Assimp reads some formats more.
#pragma once

#include "import/import_model.h"
#include "import/source_kind.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace sinew {

struct Format {
  std::string_view extension;   // lower case, without the dot
  std::string_view ending = {}; // end of the name, where files of other kinds share the extension
  SourceKind kind = SourceKind::other;
  std::string_view name = {}; // empty: as Assimp says
  Model (*read)(const SourceFile& file, const ImportOptions& options) = nullptr; // null: Assimp
  // Magic bytes: a file that begins so is of this format, whatever its name.
  std::array<std::string_view, 2> begins = {};
  // Where not every file has magic bytes: its first bytes contain one of these.
  std::array<std::string_view, 2> holds = {};
  // The endings of further files that belong to a model, with a blank before and after each. Null:
  // there are none but textures; empty: their endings may be any.
  const char* parts = nullptr;
  bool partsNamed = true; // parts stand in the file by their names, or have the file's
  // What is wrong with the head of a file of so many bytes; empty: nothing.
  std::string (*complaint)(std::string_view head, std::uint64_t bytes) = nullptr;
  // Whether a file with this head is text with blocks in braces. null: never.
  bool (*isBlockText)(std::string_view head) = nullptr;
  std::array<std::string_view, 2> comments = {}; // one or two characters that begin them in it
  // What Assimp's reader leaves of a rig in these bytes, a line for Model::warnings; empty:
  // nothing.
  std::string (*lost)(std::string_view bytes) = nullptr;
  bool motionAlone = false; // has clips, and no mesh
  bool inBrowser = true;    // the module for browsers reads it
  // The media type by which a desktop knows it (assets/desktop); empty: it does not.
  std::string_view mediaType = {};
};

std::span<const Format> formats();

// By a lower-case extension, with or without the dot; null: not in the table.
const Format* findFormat(std::string_view extension);
// What the names of its files end in, with the dot.
std::string getEnding(const Format& format);

// By the first bytes; null: they are not certain.
const Format* formatOfContent(std::string_view head);

// Whether these can be the first bytes of a file of that format.
bool mayBegin(const Format& format, std::string_view head);

// ".x .fbx ...": the extensions of the formats whose field is not empty.
template <class Field>
std::string listFormats(Field Format::*field) {
  std::string list;
  for (const Format& format : formats())
    if (format.*field != Field{})
      list += (list.empty() ? "." : " .") + std::string(format.extension);
  return list;
}

} // namespace sinew
