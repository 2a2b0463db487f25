# shellcheck shell=bash
# Functions shared by scripts/demo and scripts/test: install missing packages, configure, build. Sourced, not run.
# Everything stays inside build/: logs in build/*.log, Python packages in build/venv, the programs in build/release.

root=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
build=$root/build
release=$build/release
python=$build/venv/bin/python

# Debian packages. "package:program" is satisfied if the program exists.
debianPackages=(
    g++:g++ cmake:cmake ninja-build:ninja ffmpeg:ffmpeg ca-certificates
    python3 python3-venv python3-dev
    libgtest-dev libfmt-dev libcli11-dev nlohmann-json3-dev libpng-dev libopenexr-dev
    libopengl-dev libegl-dev libgl-dev libegl1 libgl1-mesa-dri libosmesa6-dev
    libopenvdb-tools:vdb_print qt6-base-dev
)
# clang-format is pinned, because every version formats slightly differently.
pythonPackages=(numpy pytest nanobind scikit-build-core clang-format==14.0.6)
# Third-party readers of our files, and the command that runs our farm jobs. If they cannot be installed, the tests that
# need them are skipped.
optionalPythonPackages=(usd-core alembic3d pysplashsurf OpenEXR materialx openjd-cli)

say() { printf '%s\n' "$*"; }
fail() {
    printf '%s\n' "$*" >&2
    exit 1
}

# quietly LOG WHAT COMMAND...: prints WHAT and the time it took. Output goes to build/LOG.log; its end is shown on failure.
quietly() {
    local log=$build/$1.log what=$2 begin=$SECONDS status=0
    shift 2
    mkdir -p "$build"
    printf '%s ... ' "$what"
    "$@" >"$log" 2>&1 </dev/null || status=$?
    if ((status == 0)); then
        say "$((SECONDS - begin)) s"
        return 0
    fi
    say "failed"
    tail -n 60 "$log" >&2
    say "Full log: $log" >&2
    return "$status"
}

isInstalled() {
    local package=${1%%:*} program=
    [[ $1 == *:* ]] && program=${1#*:}
    if [[ $program ]] && command -v "$program" >/dev/null; then return 0; fi
    [[ $(dpkg-query -W -f='${Status}' "$package" 2>/dev/null) == 'install ok installed' ]]
}

aptInstall() {
    local asRoot=()
    ((EUID == 0)) || asRoot=(sudo)
    asRoot+=(env DEBIAN_FRONTEND=noninteractive)
    "${asRoot[@]}" apt-get update && "${asRoot[@]}" apt-get install -y --no-install-recommends "$@"
}

installDebianPackages() {
    local missing=() package
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        say "apt-get is missing; expecting equivalents of: ${debianPackages[*]%%:*}"
        return
    fi
    for package in "${debianPackages[@]}"; do
        isInstalled "$package" || missing+=("${package%%:*}")
    done
    ((${#missing[@]})) || return 0
    if ((EUID != 0)); then
        command -v sudo >/dev/null || fail "Packages are missing, and there is no sudo. As root: apt-get install ${missing[*]}"
        sudo -v || fail "Packages are missing, and sudo was refused. As root: apt-get install ${missing[*]}"
    fi
    quietly install "Installing ${missing[*]}" aptInstall "${missing[@]}"
}

installReaders() {
    local package
    for package in "${optionalPythonPackages[@]}"; do
        "$python" -m pip install --disable-pip-version-check --only-binary :all: "$package" ||
            say "$package is not available for this Python; tests that need it are skipped."
    done
}

makeVenv() {
    # Use /usr/bin/python3: another one may lack the headers that the Python module needs.
    rm -rf "$build/venv"
    /usr/bin/python3 -m venv "$build/venv" &&
        "$python" -m pip install --disable-pip-version-check "${pythonPackages[@]}" &&
        installReaders &&
        printf '%s\n' "${pythonPackages[@]}" "${optionalPythonPackages[@]}" >"$build/venv/packages"
}

installPythonPackages() {
    # The stamp is written last, so that an interrupted installation starts over. python -c, because moving a folder breaks a venv.
    if [[ $(cat "$build/venv/packages" 2>/dev/null) == "$(printf '%s\n' "${pythonPackages[@]}" "${optionalPythonPackages[@]}")" ]] &&
        "$python" -c 'import numpy, pytest, nanobind' 2>/dev/null; then
        return 0
    fi
    quietly pip "Installing ${pythonPackages[*]} into build/venv" makeVenv
}

installMissing() {
    installDebianPackages
    installPythonPackages
}

# archOption [CPUINFO]: prints the architecture option if this CPU cannot run the default, x86-64-v3.
archOption() {
    local cpuinfo=${1:-/proc/cpuinfo} flag
    if [[ $(uname -m) != x86_64 ]]; then
        say "This CPU is not x86-64: building for the compiler's default." >&2
        say -DPURL_ARCH=
        return
    fi
    for flag in avx2 fma bmi2; do
        if ! grep -qw "$flag" "$cpuinfo"; then
            say "This CPU lacks $flag: building for x86-64 instead of x86-64-v3, which is slower." >&2
            say -DPURL_ARCH=x86-64
            return
        fi
    done
}

# A build folder that was configured elsewhere (a moved or copied clone) cannot be reused.
forgetMovedBuild() {
    local cache=$release/CMakeCache.txt
    if [[ -f $cache ]] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$cache"; then
        rm -rf "$release"
    fi
}

# Options of every configuration, one per line: for this CPU, and with ccache if available.
machineOptions() {
    archOption
    if command -v ccache >/dev/null; then
        say -DCMAKE_CXX_COMPILER_LAUNCHER=ccache
        say -DCMAKE_CUDA_COMPILER_LAUNCHER=ccache
    fi
}

hasNvcc() { command -v nvcc >/dev/null || [[ -x ${CUDACXX:-/usr/local/cuda/bin/nvcc} ]]; }

# A driver's device file; WSL has its own.
hasGpu() { [[ -e /dev/nvidiactl || -e /dev/dxg ]]; }

# configure WITH_CUDA: `yes` builds the kernels for the GPU too.
configure() {
    local options
    mapfile -t options < <(machineOptions)
    options+=(-DPython_EXECUTABLE="$python")
    if [[ $1 == yes ]]; then
        options+=(-DPURL_CUDA=ON)
        # nvcc is often installed but not on the path.
        command -v nvcc >/dev/null || export CUDACXX=${CUDACXX:-/usr/local/cuda/bin/nvcc}
    else
        options+=(-DPURL_CUDA=OFF)
    fi
    forgetMovedBuild
    cd "$root" || return
    quietly configure "Configuring" cmake --preset release "${options[@]}"
}

# buildRelease [TARGET]: everything, or one target.
buildRelease() {
    local what="Building"
    [[ -f $release/.ninja_log ]] || what="Building (the first time takes some minutes; log: build/build.log)"
    quietly build "$what" cmake --build "$release" -j "$(nproc)" ${1:+--target "$1"}
}
