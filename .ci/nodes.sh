# Runs on several Nodes, and their sums. Sourced by .ci/run.

passed=0 failed=0 skipped=0
running=

# counted NAME COMMAND...: runs it, and adds up what its last line says. A command that fails counts, whatever it says.
counted() {
  local name=$1 log="$work/count.log" code line p f s; shift
  echo "== $name: $*"
  # In the background, because bash runs no trap while it waits for a command in front; in a process group of its own, to be
  # ended with all that it has started. Behind || or if, bash would not heed the inner -e.
  set -m +e
  { (set -e; "$@") 2>&1; echo $? >"$work/code"; } </dev/null | tee "$log" &
  running=$(jobs -p %%)
  wait "$!"
  running=
  set +m -e
  code=$(<"$work/code")
  line=$(grep -E '^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$' "$log" | tail -n 1) || line='0 passed, 0 failed, 0 skipped'
  read -r p _ f _ s _ <<<"$line"
  if [ "$code" -ne 0 ] && [ "$f" -eq 0 ]; then f=1; fi
  passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
}

# Ends what `counted` waits for, when the run is ended before it. Files go only once nothing writes them any more.
stop_counted() {
  [ -n "$running" ] || return 0
  kill -- "-$running" 2>/dev/null || true
  wait "$!" 2>/dev/null || true
}

# Ends the run: the last line says how it went.
report() {
  echo "$passed passed, $failed failed, $skipped skipped"
  [ "$failed" -eq 0 ]
}

# on_node RELEASE COMMAND...: with the newest Node of that release, in a copy of this checkout, so that no Node finds what was
# compiled for another. The package that npm gets holds the binary and nothing to run.
on_node() {
  local release=$1 at="$work/node-$1"; shift
  mkdir -p "$at/checkout"
  npm install --silent --no-save --prefix "$at" "node-linux-$(node -p process.arch)@$release"
  tar -c --exclude=node_modules --exclude=./dist . | tar -x -C "$at/checkout"
  cd "$at/checkout"
  PATH="$at/node_modules/.bin:$PATH"
  node --version
  "$@"
  rm -rf "$at"
}

# What most depends on the release: the SQLite driver, what is private to Node's HTTP, processes and signals, the command line; the
# reference app, built and booted; the recipes, followed to their end; a new project with its own tests.
smoke() {
  npm test -- plugins/orm/dialect-sqlite/{sqlite-contract,sqlite-transactions,sqlite.test,node-sqlite} plugins/http/{fast-koa,http2} \
    kernel/boot kernel/process kernel/e2e/scenarios/{command-line,recipes,reference-app}
  cd ..
  node checkout/dist/kernel/bin/fw.js new project --install
  cd project
  npm test
}
