#!/usr/bin/env bash
# The ends of what fiskd runs on, from the npm registry: installs a clean copy where there is neither Python nor a compiler,
# without a warning, and runs the demo and a few tests of what depends on Node. Takes a folder to work in.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(realpath "$1")
arch=$(node -p process.arch)
npm=$(dirname "$(realpath "$(command -v npm)")")
tests=(test/package/{node-version,lock-file}.test.ts test/store/sqlite/store.test.ts test/store/shared/written-once.test.ts
  test/cis/message/sign-message.test.ts test/cis/transport/transport.test.ts test/api/sale.test.ts test/receipts/lines/lines.test.ts test/daemon/lifecycle/start.test.ts)

# Everything that is on the PATH but Python, compilers and this machine's own Node.
mkdir -p "$work/bin"
for program in $(compgen -c | sort -u); do
  case $program in
    python* | make | gmake | cc | gcc* | c++* | g++* | cpp* | clang* | *-linux-gnu-g* | node | nodejs | npm | npx) ;;
    *) file=$(type -P "$program") && ln -sf "$file" "$work/bin/$program" ;;
  esac
done
ln -sf "$npm/npm-cli.js" "$work/bin/npm"
ln -sf "$npm/npx-cli.js" "$work/bin/npx"

# on VERSION COMMAND...: runs it on that Node, fetched (npm checks its integrity) where it is not there yet.
on() {
  local node="$work/node-$1"
  [ -d "$node" ] || npm install --silent --no-save --prefix "$node" "node-linux-$arch@$1"
  PATH="$node/node_modules/node-linux-$arch/bin:$work/bin" "${@:2}"
}

# install VERSION FOLDER: a clean copy, with what npm ci says kept and its warnings refused.
install() {
  mkdir "$2"
  git ls-files -z | xargs -0 cp --parents -t "$2"
  echo "npm ci on Node $(on "$1" node --version)"
  (cd "$2" && time on "$1" npm ci) 2>&1 | tee "$2.log"
  ! grep -i 'npm warn' "$2.log" | grep -v 'Unknown .* config'
}

# A shared machine may stand still for seconds: what fails runs once more, and both are told.
twice() {
  "$@" && return
  echo "FAILED, now once more: $*"
  "$@"
}

# A Node that is too old has one brought along; on the others nothing is, and what npm ci made serves all of them.
install 20 "$work/brought"
[ -e "$work/brought/node_modules/.bin/node" ]
cd "$work/brought"
on 20 npm run demo
on 20 npm pack --pack-destination "$work"
cd -
on 20 npm install --global --prefix "$work/installed" "$work"/fiskd-*.tgz
for program in fisk fiskd; do on 20 "$work/installed/bin/$program" --version; done
install 22.14.0 "$work/own"
[ ! -e "$work/own/node_modules/.bin/node" ]
cd "$work/own"
# The oldest and the newest; everything else is tried on 24, which npm ci brings along here.
for version in 22.14.0 26; do
  echo "demo and tests on Node $(on "$version" node --version)"
  on "$version" npm run demo
  twice on "$version" npx vitest run --project sqlite "${tests[@]}"
done
