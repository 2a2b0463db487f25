// The base class of everything an MObject can refer to, and the error type of host/.
#pragma once
#include <maya/MFn.h>

#include <memory>
#include <stdexcept>
#include <string>

#include "host/graph/text.h"

namespace purl::host {

// Invalid input. The message says who, what, and what would help; it is a single line even if it quotes names or values
// with line breaks.
struct Error : std::runtime_error {
    explicit Error(const std::string& what) : std::runtime_error(oneLine(what)) {}
};

// How a computation ended.
enum class Result {
    Done,
    Unknown,  // not computed here: try the parent plug, else keep the stored value
    Failed,
};

// A node, an attribute, data or a plugin.
class Object : public std::enable_shared_from_this<Object> {
  public:
    virtual ~Object() = default;
    virtual MFn::Type apiType() const = 0;
    virtual bool hasFn(MFn::Type fn) const { return fn == apiType() || fn == MFn::kBase; }
};

}  // namespace purl::host
