# Sourced by the other scripts: installs what is missing and builds.
#
#   need_packages PACKAGE...   Debian packages, by apt-get, with sudo where we are not root
#   build PRESET TARGET...     configure where needed, then build; in batches of sources, which is
#                              fastest for a first build (SINEW_UNITY)

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# Where ccache is installed, it keeps what is compiled with precompiled headers only if it may trust
# these, and a fresh clone's files are all new.
export CCACHE_SLOPPINESS=${CCACHE_SLOPPINESS:-pch_defines,time_macros,include_file_mtime,include_file_ctime}

# What it takes to build sinew; what the tests need on top is in scripts/test.
build_packages=(
  g++ cmake ninja-build pkg-config
  python3-glad libglfw3-dev libegl-dev libglm-dev libimgui-dev libassimp-dev zlib1g-dev libpng-dev libminizip-dev libstb-dev
  libcli11-dev nlohmann-json3-dev libfmt-dev libmeshoptimizer-dev libeigen3-dev libsquish-dev libcairo2-dev libembree-dev libmuparser-dev libdraco-dev libpugixml-dev libwebp-dev
  libhwy-dev libseccomp-dev
  libbullet-dev
  doctest-dev
  fonts-inter       # the letters of the window
  fonts-dejavu-core # what Inter lacks, captions and plots
  libgl1-mesa-dri libegl1 libgl1 # the software renderer, where there is no graphics driver
)

# What the preset `sanitize` takes on top.
sanitize_packages=(clang libclang-rt-14-dev)

need_packages() {
  local package missing=()
  local installed
  # dpkg-query fails where it does not know one of them: that is an answer, not an error.
  installed=$(dpkg-query -W -f='${Package} ${db:Status-Status}\n' "$@" 2>/dev/null |
    awk '$2 == "installed" {print $1}') || true
  for package in "$@"; do
    grep -qxF "$package" <<<"$installed" || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || {
      echo "Missing packages, and no sudo to install them. As root: apt-get install ${missing[*]}" >&2
      exit 1
    }
    as_root=(sudo)
  fi
  echo "Installing, which may take a minute: ${missing[*]}" >&2
  local log=$root/build/packages.log
  mkdir -p "$root/build"
  if ! { "${as_root[@]}" apt-get update -qq && "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
    cat "$log" >&2
    exit 1
  fi
}

# Reads ninja's output; says how far it is, on one line of a terminal or else every 15 seconds.
show_progress() {
  local line said=$SECONDS
  while IFS= read -r line; do
    [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]] || continue
    if [ -t 2 ]; then
      printf '\rBuilding: %s of %s ' "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}" >&2
    elif [ $((SECONDS - said)) -ge 15 ]; then
      said=$SECONDS
      echo "Building: ${BASH_REMATCH[1]} of ${BASH_REMATCH[2]}" >&2
    fi
  done
  if [ -t 2 ]; then printf '\r\033[K' >&2; fi
}

build() {
  local preset=$1
  shift
  local folder=$root/build/$preset log=$root/build/$preset.log
  local options=(-DSINEW_UNITY=ON)
  if [ -n "${CI:-}" ]; then options+=(-DSINEW_WERROR=ON); fi
  mkdir -p "$root/build"
  if [ ! -f "$folder/build.ninja" ] || [ -n "${CI:-}" ]; then
    echo "Configuring build/$preset" >&2
    (cd "$root" && cmake --preset "$preset" "${options[@]}") >"$log" 2>&1 || {
      cat "$log" >&2
      exit 1
    }
  fi
  [ -f "$folder/libsinew_core.a" ] || echo "Building build/$preset for the first time: some minutes" >&2
  local targets=()
  [ $# -gt 0 ] && targets=(--target "$@")
  if ! (cd "$root" && cmake --build --preset "$preset" "${targets[@]}") 2>&1 | tee "$log" | show_progress; then
    cat "$log" >&2
    exit 1
  fi
}
