// Alembic constants and names shared by the writer and the reader.
#pragma once
#include <cstddef>
#include <cstdint>

#include "solver/cache/manifest.h"

namespace purl::alembic {

enum class Kind : uint32_t { compound = 0, scalar = 1, array = 2 };
// Alembic's codes of plain data types.
enum class Pod : uint32_t { uint8 = 1, uint32 = 5, int32 = 6, uint64 = 7, int64 = 8, float32 = 10, float64 = 11 };

constexpr size_t kKeyBytes = 16;                           // each sample begins with a digest of its data
constexpr double kAcyclic = 1.7976931348623157e+308 / 32;  // time per cycle of acyclic sampling

struct Schema {
    Content content;
    const char* name;
};
constexpr Schema kSchemas[] = {{Content::points, "AbcGeom_Points_v1"},
                               {Content::mesh, "AbcGeom_PolyMesh_v1"},
                               {Content::curves, "AbcGeom_Curve_v2"}};

// Channels that have another name on disk. Those with true are properties of the schema; all others become arbitrary
// geometry parameters under their own name.
struct Spelling {
    const char *channel, *onDisk;
    bool ofSchema;
};
constexpr Spelling kSpellings[] = {{"position", "P", true},         {"velocity", ".velocities", true},
                                   {"normal", "N", true},           {"width", "width", true},
                                   {"radiusPP", "radius", false},   {"rgbPP", "Cd", false},
                                   {"restPosition", "rest", false}, {"source", "sourceId", false}};

}  // namespace purl::alembic
