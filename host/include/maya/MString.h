// MString: a UTF-8 string.
#pragma once
#include <maya/MStatus.h>

#include <ostream>
#include <string>

namespace Autodesk::Maya::OpenMayaHost {

class MString {
  public:
    MString() = default;
    MString(const char* text) : text_(text ? text : "") {}
    MString(const char* text, int length) : text_(text, size_t(length)) {}

    const char* asChar() const { return text_.c_str(); }
    const char* asChar(int& length) const {
        length = int(text_.size());
        return text_.c_str();
    }
    const char* asUTF8() const { return text_.c_str(); }
    unsigned int length() const { return static_cast<unsigned int>(text_.size()); }  // in bytes
    unsigned int numChars() const;                                                   // in characters

    MStatus set(const char* text);
    MStatus set(double value);
    MStatus set(double value, int precision);
    MStatus setUTF8(const char* text) { return set(text); }
    MStatus clear();

    MString& operator=(double value);
    MString& operator+=(const MString& o);
    MString& operator+=(const char* o);
    MString& operator+=(double value);
    MString& operator+=(int value);
    MString& operator+=(unsigned int value);
    MString& operator+=(float value);
    MString operator+(const MString& o) const;
    MString operator+(const char* o) const;
    MString operator+(double value) const;
    MString operator+(int value) const;
    MString operator+(unsigned int value) const;
    MString operator+(float value) const;
    bool operator==(const MString& o) const { return text_ == o.text_; }
    bool operator==(const char* o) const { return text_ == o; }
    bool operator!=(const MString& o) const { return text_ != o.text_; }
    bool operator!=(const char* o) const { return text_ != o; }

    int index(char c) const;                                   // first position of c, or -1
    int rindex(char c) const;                                  // last position of c, or -1
    MStatus split(char delimiter, MStringArray& parts) const;  // omits empty parts
    MString substring(int start, int end) const;               // both ends inclusive
    MString& toUpperCase();
    MString& toLowerCase();
    MStatus substitute(const MString& from, const MString& to);
    // Replaces ^1s to ^9s in the pattern by the arguments.
    MStatus format(const MString& pattern, const MString& a1 = MString(), const MString& a2 = MString(),
                   const MString& a3 = MString(), const MString& a4 = MString(), const MString& a5 = MString());

    bool isShort() const;
    bool isInt() const;
    bool isUnsigned() const;
    bool isFloat() const;
    bool isDouble() const;
    short asShort() const;
    int asInt() const;
    unsigned int asUnsigned() const;
    float asFloat() const;
    double asDouble() const;
#if MAYA_API_VERSION >= 20230000
    bool isEmpty() const { return text_.empty(); }
#endif

  private:
    friend struct purl::host::Api;
    friend MString operator+(const char* a, const MString& b);
    std::string text_;
};

MString operator+(const char* a, const MString& b);
inline bool operator==(const char* a, const MString& b) { return b == a; }
std::ostream& operator<<(std::ostream& out, const MString& s);

}  // namespace Autodesk::Maya::OpenMayaHost
