// The doctor's checks by what they look at, each adding what it finds. For nodes/doctor.cpp.
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

// In three digits.
std::string text(double value);
// In two digits: a value that a person might have typed.
std::string typed(double value);
// A length of the patient's bodies: "0.4 cm".
std::string lengthText(const Patient& patient, double length);
double largestSpacing(const Patient& patient);  // of its liquids; 0: it has none

}  // namespace purl
