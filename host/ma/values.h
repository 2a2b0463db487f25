// The values of a setAttr statement: numbers, and the data of its -type forms.
#pragma once
#include <string>
#include <vector>

#include "host/graph/graph.h"
#include "host/ma/lexer.h"
#include "host/shapes/storedMesh.h"

namespace purl::host {

// The words after the attribute's name, read one after another. Throws Error saying what was expected.
class Words {
  public:
    Words(const Token* begin, const Token* end) : at_(begin), end_(end) {}
    bool atEnd() const { return at_ == end_; }
    const Token& peek() const { return *at_; }
    std::string_view word();
    double number();  // also yes, no, on, off
    int whole();
    int count();  // a number of things that follow, 0 or more and no more than the words left
    bool yesNo();

  private:
    const Token* at_;
    const Token* end_;
};

// Data of the given -type, or null when the type is not one we read. Distances are converted to cm.
DataPtr readData(const std::string& type, Words& words, const Units& units);

// The reverse: the type's name and its values as a file has them; empty for data that files do not hold.
std::string dataText(const Data& data, const Units& units);

// A number in a unit of `size` (cm, radians, ticks) as text, with the fewest digits that read back to the same bits.
std::string numberText(double stored, double size);
std::string numberText(float stored, double size);
double sizeOfUnit(Kind kind, const Units& units);

// polyFaces: f 4 0 1 2 3 mu 0 4 … . Returns "" or what is wrong.
std::string readFaces(StoredMesh& mesh, Words& words);

// The mesh a file stored on a mesh node, with all its UV sets. Throws Error saying what is wrong with it.
DataPtr meshDataFrom(const StoredMesh& stored);

}  // namespace purl::host
