// A job for a farm: simulates the wedges of a scene, then meshes and renders their frames in chunks, then makes movies
// and a contact sheet. Written for Slurm or as a job bundle of Open Job Description.
#pragma once
#include <string>
#include <vector>

#include "farm/wedges.h"
#include "solver/cache/frameList.h"

namespace purl {

struct FarmJob {
    std::string name, scene, out;     // scene and out are absolute paths
    std::vector<std::string> inputs;  // files that the scene reads, itself included
    FrameList frames;
    std::vector<Wedge> wedges;
    std::vector<std::string> assignments;            // of all wedges
    std::string solver, formats, meshFormats, size;  // options of the commands; empty: their defaults
    std::string program = "purl";
    bool mesh = false, render = false, movie = false;
    int chunk = 24;     // frames of a task that meshes or renders
    int cpus = 0;       // of every task; 0: not asked for
    double memory = 0;  // GB of every task; 0: not asked for

    int chunks() const;
    std::string folder() const { return out + "/job"; }
};

struct FarmStep {
    std::string name, what;
    int tasks = 0;
};
// The steps of the job, in order.
std::vector<FarmStep> stepsOf(const FarmJob& job);

struct JobFile {
    std::string name, text;  // name: below FarmJob::folder
};
// template.yaml, parameter_values.yaml and asset_references.yaml: a bundle as Deadline Cloud takes it.
std::vector<JobFile> openJdFiles(const FarmJob& job);
// Batch scripts, and submit.sh, which hands them over in order.
std::vector<JobFile> slurmFiles(const FarmJob& job);

// Writes the files and the list of wedges. Throws Error.
void writeJob(const FarmJob& job, const std::vector<JobFile>& files);

}  // namespace purl
