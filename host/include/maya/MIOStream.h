// Standard streams under their bare names, as sources written for Maya expect them.
#pragma once
#include <iostream>
using std::cerr;
using std::cin;
using std::cout;
using std::endl;
using std::ios;
using std::istream;
using std::ostream;
