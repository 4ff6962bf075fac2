// What is wrong in files of other formats, and what Assimp's readers do not give of them: the
// functions of formats() rows.
#pragma once

#include "import/source_kind.h"
#include "model/model.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace sinew {

// The counts that a file's header declares against what its length can hold. Assimp reserves memory
// by such counts and then fills it, which takes minutes for a file of a few bytes. The complaint,
// or empty when there is none. head: the first bytes of the file; bytes: its length. OFF: the
// numbers of vertices and faces.
std::string brokenOff(std::string_view head, std::uint64_t bytes);
// PLY: "element NAME COUNT" lines; every element takes a byte at least.
std::string brokenPly(std::string_view head, std::uint64_t bytes);
// MD5: "numJoints N" and its like, each of which takes a line.
std::string brokenMd5(std::string_view head, std::uint64_t bytes);
// glTF binary: the container's own length.
std::string brokenGlb(std::string_view head, std::uint64_t bytes);
// Blitz3D: the length of the chunk that is the whole file.
std::string brokenB3d(std::string_view head, std::uint64_t bytes);

// The same for text with blocks in braces: a file that ends inside a block is incomplete, and makes
// Assimp's MD5 reader crash. Reads the file. comments: Format::comments.
std::string unbalancedBlock(const std::filesystem::path& path,
                            const std::array<std::string_view, 2>& comments);

// What Assimp's reader leaves of a rig in a file, a line for Model::warnings, or empty: a rig must
// not vanish without a word. model: what Assimp gave of the file.
std::string lostParts(const SourceFile& file, const Model& model);

// The same for a file's bytes.
std::string lostMilkshape(std::string_view bytes);
std::string lostMd2(std::string_view bytes);
std::string lostMd3(std::string_view bytes);
std::string lostMdl(std::string_view bytes); // Quake and 3D GameStudio, by the first word
std::string lostBlender(std::string_view bytes);
std::string lostOgre(std::string_view bytes);
std::string lostOpenGex(std::string_view bytes);

} // namespace sinew
