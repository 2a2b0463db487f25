// Standard streams in the global namespace, as sources written for Maya expect.
#pragma once
#include <iostream>
using std::cerr;
using std::cin;
using std::cout;
using std::endl;
using std::ios;
using std::istream;
using std::ostream;
