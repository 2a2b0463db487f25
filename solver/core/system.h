// What operating systems do differently: files that survive a power cut, locks, processes, the machine. system.cpp is
// for POSIX, systemWindows.cpp for Windows. Functions that return int return 0 or an errno.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace purl::os {

// --- files: descriptors of the C library, -1 is none

struct FileInfo {
    bool regular = false, folder = false;
    uint64_t bytes = 0;
};
// Opens a file for reading, without waiting for the other end of a pipe.
int openToRead(const std::string& path, int& file, FileInfo& info);
// Creates a file for writing; fails if the name exists, even as a dangling link.
int create(const std::string& path, int& file);
// Opens a file for reading and writing, or creates it; refuses links.
int openOrCreate(const std::string& path, int& file);
int close(int file);
// Writes or reads all bytes; reading past the end is EIO. Thread-safe.
int writeAt(int file, uint64_t offset, const char* bytes, size_t size);
int readAt(int file, uint64_t offset, char* bytes, size_t size);
// At most `size` bytes from the start; empty if they cannot be read.
std::string readStart(int file, size_t size);
int resize(int file, uint64_t bytes);
// After these the content survives a power cut. syncContent may leave out times. File systems that cannot do this count
// as having done it.
int sync(int file);
int syncContent(int file);
int syncFolder(const std::string& path);
// Gives a file its name; an existing file of that name is replaced, and there is no moment without either.
int rename(const std::string& from, const std::string& to);
int remove(const std::string& path);
// True if the path still refers to the open file.
bool isAt(const std::string& path, int file);

enum class Kind { none, file, folder, link, other };
enum class Links { follow, stay };
// What has this name; `none` also for what cannot be examined. A link is that only with Links::stay.
Kind kindOf(const std::string& path, Links links = Links::follow);
// Creates one folder; EEXIST if the name is taken.
int makeFolder(const std::string& path);
// Removes an empty folder.
int removeFolder(const std::string& path);
// Names of what a folder holds, in any order.
int namesIn(const std::string& path, std::vector<std::string>& names);

enum class Lock { taken, held, unsupported };  // held: by another process
Lock lock(int file);
void unlock(int file);

// --- memory

// Null if there is none; `alignment` is a power of two that divides `bytes`.
void* allocateAligned(size_t alignment, size_t bytes);
void freeAligned(void* memory);

// --- processes and the machine

long processId();
bool isAlive(long process);
std::string hostName();
// Time in UTC as 2026-11-19T21:30:00Z.
std::string utcTime();
double physicalBytes();
double residentBytes();       // of this process; 0 if unknown
double peakResidentBytes();   // likewise
std::string systemName();     // like "Linux x86_64"
std::string processorName();  // empty if unknown
// A variable of this process and of those that it starts.
void setEnvironment(const char* name, const std::string& value);
// CPU time of the calling thread in s; elapsed time where the system does not count it.
double threadSeconds();

// --- terminals

bool isTerminal(std::FILE* stream);
// Words of the command line in UTF-8.
std::vector<std::string> commandLine(int count, char** words);
// For a program, at its start: closed standard streams are opened, so that no file gets their numbers; a closed pipe is
// an error of the write and does not end the program; text is UTF-8.
void prepareStandardStreams();
// Exceeding a limit on file sizes is an error of the write and does not end the program.
void reportFileSizeLimit();

}  // namespace purl::os
