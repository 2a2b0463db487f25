// Parses and formats the values of setAttr statements: numbers, and data of the -type forms.
#pragma once
#include <string>
#include <vector>

#include "host/graph/graph.h"
#include "host/ma/lexer.h"
#include "host/shapes/storedMesh.h"

namespace purl::host {

// Sequential reader of the words after the attribute name. Throws Error that says what was expected.
class Words {
  public:
    Words(const Token* begin, const Token* end) : at_(begin), end_(end) {}
    bool atEnd() const { return at_ == end_; }
    const Token& peek() const { return *at_; }
    std::string_view word();
    double number();  // also accepts yes, no, on, off
    int whole();
    int count();  // an element count, between 0 and the number of words left
    bool yesNo();

  private:
    const Token* at_;
    const Token* end_;
};

// Data of the given -type, or null if the type is not supported. Converts distances to cm.
DataPtr readData(const std::string& type, Words& words, const Units& units);

// Inverse of readData: type name and values in file syntax; empty for data that files do not store.
std::string dataText(const Data& data, const Units& units);

// Formats a stored number in a unit of `size` (cm, radians, ticks) with the fewest digits that round-trip.
std::string numberText(double stored, double size);
std::string numberText(float stored, double size);
double sizeOfUnit(Kind kind, const Units& units);

// polyFaces: f 4 0 1 2 3 mu 0 4 … . Returns "" or an error.
std::string readFaces(StoredMesh& mesh, Words& words);

// The mesh stored in a file, with all its UV sets. Throws Error if it is invalid.
DataPtr meshDataFrom(const StoredMesh& stored);

}  // namespace purl::host
