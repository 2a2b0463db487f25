// Declaration of one attribute of a node type: names, kind, range, default and flags. Shared by all nodes of the type.
//
// Declaring the attributes of a built-in type reads like a table (see type.h):
//     auto width  = type.add(range(number("width", "w", 1.0, Kind::Distance), 0));
//     auto offset = type.add(vector3("offset", "of", Kind::Distance));            // offsetX ofx, offsetY …
//     auto mode   = type.add(enumeration("mode", "mo", {"off", "on"}));
//     auto out    = type.add(output(typed("output", "out", DataType::Mesh)));
#pragma once
#include <initializer_list>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "host/graph/data.h"

namespace purl::host {

enum class Kind {
    Bool,
    Char,
    Byte,
    Short,
    Int,
    Int64,
    Float,
    Double,
    Enum,
    Time,      // stored in ticks of 1/141120000 s
    Distance,  // stored in cm
    Angle,     // stored in radians
    Typed,     // holds Data of Attr::dataType
    Matrix,    // holds MatrixData
    Numeric,   // two to four contiguous numbers of type Attr::element (float3, double3, colours, points)
    Compound,
    Message,
};
const char* nameOf(Kind kind);
inline bool isScalar(Kind k) { return k <= Kind::Angle; }
inline bool isUnit(Kind k) { return k == Kind::Time || k == Kind::Distance || k == Kind::Angle; }
inline bool holdsData(Kind k) { return k == Kind::Typed || k == Kind::Matrix; }

class Attr;
using AttrPtr = std::shared_ptr<Attr>;

class Attr : public Object {
  public:
    int id = 0;  // creation order; gives maps over attributes a deterministic order
    std::string name, shortName, niceName;
    Kind kind = Kind::Double;

    Kind element = Kind::Double;        // Numeric: storage type: Float, Double, Int or Short
    DataType dataType = DataType::Any;  // Typed
    unsigned dataId = 0;                // Typed, DataType::Plugin
    double initial[4] = {0, 0, 0, 0};   // default of numbers, in internal units
    DataPtr initialData;                // default of data, may be null
    double min = -std::numeric_limits<double>::infinity(), max = std::numeric_limits<double>::infinity();
    double softMin = min, softMax = max;              // slider range; not enforced
    std::vector<std::pair<int, std::string>> fields;  // Enum
    std::vector<AttrPtr> children;                    // Compound and Numeric
    Attr* parent = nullptr;

    bool array = false, readable = true, writable = true, storable = true, keyable = false, channelBox = false;
    bool hidden = false, connectable = true, cached = true, internal = false, indexMatters = true;
    bool usesArrayBuilder = false, usedAsColor = false, usedAsFilename = false, dynamic = false;
    bool standIn = false;     // created for a connection to a placeholder node of unknown type
    bool rawUnits = false;    // connections pass internal values unconverted: unitConversion converts them itself
    bool worldSpace = false;  // depends on the DAG path: dirtied when an ancestor moves
    bool affectsWorldSpace = false;  // moves the node and its descendants
    int disconnectBehavior = 2;      // 0 delete the element, 1 reset to default, 2 nothing
    std::vector<std::string> categories;

    Attr();
    MFn::Type apiType() const override;
    bool hasFn(MFn::Type fn) const override;

    const Attr* root() const;
    int arrayDepth() const;                                 // number of arrays among this attribute and its parents
    int childIndex() const;                                 // index among the parent's children
    bool isOrIsBelow(const Attr* a) const;                  // is a, or a descendant of a
    Attr* child(const std::string& longOrShortName) const;  // direct child, or null
    std::vector<const Attr*> leaves() const;                // depth first, the order in which files flatten a compound
    int leafCount() const;
    const std::string* fieldName(int value) const;
};

// Factories. `initial` is in internal units (cm, radians, ticks).
AttrPtr number(const std::string& name, const std::string& shortName, double initial = 0, Kind kind = Kind::Double);
AttrPtr boolean(const std::string& name, const std::string& shortName, bool initial = false);
AttrPtr enumeration(const std::string& name, const std::string& shortName, std::initializer_list<const char*> fields,
                    int initial = 0);
// Three numbers with children nameX nameY nameZ (short: x y z appended).
AttrPtr vector3(const std::string& name, const std::string& shortName, Kind element = Kind::Double, double x = 0,
                double y = 0, double z = 0);
// Two to four numbers with the given children. `element` is the storage type; the children may have unit kinds.
AttrPtr numeric(const std::string& name, const std::string& shortName, Kind element, std::vector<AttrPtr> children);
AttrPtr typed(const std::string& name, const std::string& shortName, DataType type, DataPtr initial = nullptr);
AttrPtr matrix(const std::string& name, const std::string& shortName);
AttrPtr message(const std::string& name, const std::string& shortName);
AttrPtr compound(const std::string& name, const std::string& shortName, std::vector<AttrPtr> children);

// Modifiers, to be nested around a factory.
AttrPtr array(AttrPtr a);
AttrPtr output(AttrPtr a);  // not writable, not storable
AttrPtr range(AttrPtr a, double min, double max = std::numeric_limits<double>::infinity());
AttrPtr keyable(AttrPtr a);
AttrPtr hidden(AttrPtr a);
AttrPtr worldSpace(AttrPtr a);         // also makes it an array, one element per instance
AttrPtr affectsWorldSpace(AttrPtr a);  // with its children

}  // namespace purl::host
