// The checks of the doctor, each of which appends the problems it finds. Used by nodes/doctor.cpp.
#pragma once
#include <string>
#include <vector>

#include "nodes/doctor.h"

namespace purl {

using Problems = std::vector<Problem>;

void checkFluids(const Patient& patient, Problems& found);     // doctorFluids.cpp
void checkFills(const Patient& patient, Problems& found);      // doctorFluids.cpp
void checkEmitters(const Patient& patient, Problems& found);   // doctorFluids.cpp
void checkColliders(const Patient& patient, Problems& found);  // doctorColliders.cpp
void checkFabrics(const Patient& patient, Problems& found);    // doctorFabrics.cpp
void checkUnits(const Patient& patient, Problems& found);      // doctorUnits.cpp

// Three significant digits, for messages.
std::string text(double value);
// Two significant digits, for suggested values.
std::string typed(double value);
// A length with the unit of the scene: "0.4 cm".
std::string lengthText(const Patient& patient, double length);
double largestSpacing(const Patient& patient);  // of the liquids; 0: no liquids

}  // namespace purl
