// A cache folder: one simulation's frames on disk. Writing, reading and checking it.
#pragma once
#include "solver/cache/cacheReader.h"
#include "solver/cache/cacheWriter.h"
#include "solver/cache/verify.h"
