// MStatus: the status of an API call.
#pragma once
#include <maya/MTypes.h>

#include <ostream>

namespace Autodesk::Maya::OpenMayaHost {

class MStatus {
  public:
    enum MStatusCode {
        kSuccess = 0,
        kFailure,
        kInsufficientMemory,
        kInvalidParameter,
        kLicenseFailure,
        kUnknownParameter,
        kNotImplemented,
        kNotFound,
        kEndOfFile
    };
    MStatus() = default;
    MStatus(MStatusCode code) : code_(code) {}
    bool operator==(const MStatus& o) const { return code_ == o.code_; }
    bool operator==(MStatusCode code) const { return code_ == code; }
    bool operator!=(const MStatus& o) const { return code_ != o.code_; }
    bool operator!=(MStatusCode code) const { return code_ != code; }
    operator bool() const { return code_ == kSuccess; }
    bool error() const { return code_ != kSuccess; }
    void clear() { code_ = kSuccess; }
    MStatusCode statusCode() const { return code_; }
    MString errorString() const;
    void perror(const char* prefix) const;  // to the message sink of the current graph

  private:
    MStatusCode code_ = kSuccess;
};

inline bool operator==(MStatus::MStatusCode code, const MStatus& s) { return s == code; }
inline bool operator!=(MStatus::MStatusCode code, const MStatus& s) { return s != code; }
std::ostream& operator<<(std::ostream& out, const MStatus& s);

}  // namespace Autodesk::Maya::OpenMayaHost

namespace purl::host {
void reportStatus(const MStatus& status, const char* file, int line);
}

#define CHECK_MSTATUS(status)                                                               \
    do {                                                                                    \
        MStatus purlStatus_ = (status);                                                     \
        if (purlStatus_.error()) purl::host::reportStatus(purlStatus_, __FILE__, __LINE__); \
    } while (false)
#define CHECK_MSTATUS_AND_RETURN(status, result)                       \
    do {                                                               \
        MStatus purlStatus_ = (status);                                \
        if (purlStatus_.error()) {                                     \
            purl::host::reportStatus(purlStatus_, __FILE__, __LINE__); \
            return (result);                                           \
        }                                                              \
    } while (false)
#define CHECK_MSTATUS_AND_RETURN_IT(status) CHECK_MSTATUS_AND_RETURN((status), (status))
