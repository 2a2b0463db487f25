#include <maya/MString.h>
#include <maya/MStringArray.h>

#include <cctype>
#include <cmath>
#include <cstdio>

#include "host/api/access.h"

namespace Autodesk::Maya::OpenMayaHost {

using purl::host::parseNumber;
using purl::host::shortest;

unsigned int MString::numChars() const {
    unsigned int n = 0;
    for (char c : text_) n += (static_cast<unsigned char>(c) & 0xC0) != 0x80;  // not a continuation byte
    return n;
}

MStatus MString::set(const char* text) {
    text_ = text ? text : "";
    return MStatus::kSuccess;
}
MStatus MString::set(double value) {
    text_ = shortest(value);
    return MStatus::kSuccess;
}
MStatus MString::set(double value, int precision) {
    char text[400];
    std::snprintf(text, sizeof text, "%.*f", precision, value);
    text_ = text;
    return MStatus::kSuccess;
}
MStatus MString::clear() {
    text_.clear();
    return MStatus::kSuccess;
}

MString& MString::operator=(double value) {
    set(value);
    return *this;
}
MString& MString::operator+=(const MString& o) {
    text_ += o.text_;
    return *this;
}
MString& MString::operator+=(const char* o) {
    text_ += o;
    return *this;
}
MString& MString::operator+=(double value) {
    text_ += shortest(value);
    return *this;
}
MString& MString::operator+=(float value) {
    text_ += shortest(value);
    return *this;
}
MString& MString::operator+=(int value) {
    text_ += std::to_string(value);
    return *this;
}
MString& MString::operator+=(unsigned int value) {
    text_ += std::to_string(value);
    return *this;
}
template <class T>
static MString sum(MString a, const T& b) {
    a += b;
    return a;
}
MString MString::operator+(const MString& o) const { return sum(*this, o); }
MString MString::operator+(const char* o) const { return sum(*this, o); }
MString MString::operator+(double o) const { return sum(*this, o); }
MString MString::operator+(int o) const { return sum(*this, o); }
MString MString::operator+(unsigned int o) const { return sum(*this, o); }
MString MString::operator+(float o) const { return sum(*this, o); }
MString operator+(const char* a, const MString& b) { return MString(a) + b; }

int MString::index(char c) const {
    const size_t at = text_.find(c);
    return at == std::string::npos ? -1 : int(at);
}
int MString::rindex(char c) const {
    const size_t at = text_.rfind(c);
    return at == std::string::npos ? -1 : int(at);
}

MStatus MString::split(char delimiter, MStringArray& parts) const {
    const char separators[2] = {delimiter, 0};
    parts.clear();
    for (const std::string& word : purl::host::splitWords(text_, separators)) parts.append(word.c_str());
    return MStatus::kSuccess;
}

MString MString::substring(int start, int end) const {
    if (start < 0) start = 0;
    if (end >= int(text_.size())) end = int(text_.size()) - 1;
    if (start > end) return {};
    return MString(text_.substr(size_t(start), size_t(end - start + 1)).c_str());
}

MString& MString::toUpperCase() {
    for (char& c : text_) c = char(std::toupper(static_cast<unsigned char>(c)));
    return *this;
}
MString& MString::toLowerCase() {
    for (char& c : text_) c = char(std::tolower(static_cast<unsigned char>(c)));
    return *this;
}

MStatus MString::substitute(const MString& from, const MString& to) {
    if (from.text_.empty()) return MStatus::kInvalidParameter;
    for (size_t at = 0; (at = text_.find(from.text_, at)) != std::string::npos; at += to.text_.size())
        text_.replace(at, from.text_.size(), to.text_);
    return MStatus::kSuccess;
}

MStatus MString::format(const MString& pattern, const MString& a1, const MString& a2, const MString& a3,
                        const MString& a4, const MString& a5) {
    const MString* const args[] = {&a1, &a2, &a3, &a4, &a5};
    std::string out;
    const std::string& p = pattern.text_;
    for (size_t i = 0; i < p.size(); ++i) {
        if (p[i] == '^' && i + 2 < p.size() && p[i + 1] >= '1' && p[i + 1] <= '5' && p[i + 2] == 's') {
            out += args[p[i + 1] - '1']->text_;
            i += 2;
        } else {
            out += p[i];
        }
    }
    text_ = out;
    return MStatus::kSuccess;
}

static bool whole(const std::string& text, double lo, double hi) {
    double x;
    return parseNumber(text, x) && x == std::floor(x) && x >= lo && x <= hi;
}
bool MString::isShort() const { return whole(text_, -32768, 32767); }
bool MString::isInt() const { return whole(text_, -2147483648.0, 2147483647.0); }
bool MString::isUnsigned() const { return whole(text_, 0, 4294967295.0); }
bool MString::isFloat() const { return isDouble(); }
bool MString::isDouble() const {
    double x;
    return parseNumber(text_, x);
}
short MString::asShort() const { return isShort() ? short(asDouble()) : short(0); }
int MString::asInt() const { return isInt() ? int(asDouble()) : 0; }
unsigned int MString::asUnsigned() const { return isUnsigned() ? static_cast<unsigned int>(asDouble()) : 0u; }
float MString::asFloat() const { return float(asDouble()); }
double MString::asDouble() const {
    double x;
    return parseNumber(text_, x) ? x : 0.0;
}

std::ostream& operator<<(std::ostream& out, const MString& s) { return out << s.asChar(); }

// --- MStatus

MString MStatus::errorString() const {
    static const char* const names[] = {"(kSuccess): done",
                                        "(kFailure): the call failed",
                                        "(kInsufficientMemory): out of memory",
                                        "(kInvalidParameter): a parameter or object is invalid",
                                        "(kLicenseFailure): no licence",
                                        "(kUnknownParameter): not a parameter of this node",
                                        "(kNotImplemented): not implemented",
                                        "(kNotFound): not found",
                                        "(kEndOfFile): end of file"};
    return names[code_];
}

void MStatus::perror(const char* prefix) const {
    purl::host::report(purl::host::Severity::Error, std::string(prefix) + ": " + errorString().asChar());
}

std::ostream& operator<<(std::ostream& out, const MStatus& s) { return out << s.errorString(); }

}  // namespace Autodesk::Maya::OpenMayaHost

namespace purl::host {

void reportStatus(const MStatus& status, const char* file, int line) {
    std::string name = file;
    name = name.substr(name.find_last_of('/') + 1);
    status.perror((name + ":" + std::to_string(line)).c_str());
}

}  // namespace purl::host
