# Runs on several Nodes, and their sums. Sourced by .ci/run.

passed=0 failed=0 skipped=0
running= installing=

# counted NAME COMMAND...: runs it, and adds up what each of its runs of tests says at its end. A command that fails counts, whatever it
# says.
counted() {
  local name=$1 log="$work/count.log" code p f s; shift
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
  read -r p f s < <(awk '/^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$/ { p += $1; f += $3; s += $5 } END { print p + 0, f + 0, s + 0 }' "$log")
  if [ "$code" -ne 0 ] && [ "$f" -eq 0 ]; then f=1; fi
  passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
  # A line with the name of the test, and one with its reason (kernel/bin/test.mjs).
  awk -v run="$name" '/^FAILED / { print run ": " $0; getline; print }' "$log" >>"$work/failures.log"
}

# Ends what `counted` or `installed` would wait for, when the run is ended before it. Files go only once nothing writes them any more.
stop_counted() {
  [ -z "$installing" ] || { kill -- "-$installing" 2>/dev/null; wait "$installing" 2>/dev/null; } || true
  [ -n "$running" ] || return 0
  kill -- "-$running" 2>/dev/null || true
  wait "$!" 2>/dev/null || true
}

# Ends the run: says again which tests failed, because the output is long; the last line says how it went.
report() {
  cat "$work/failures.log"
  echo "$passed passed, $failed failed, $skipped skipped"
  [ "$failed" -eq 0 ]
}

# on_node RELEASE COMMAND...: with the newest Node of that release, in a copy of this checkout, so that no Node finds what was
# compiled for another.
on_node() {
  local release=$1 at="$work/node-$1" packages="$work/packages"; shift
  [ -d "$at/checkout" ] || copy_for "$release"
  if [ -d "$packages" ]; then link_packages "$packages" "$at/checkout/node_modules"; fi
  cd "$at/checkout"
  PATH="$at/node_modules/.bin:$PATH"
  node --version
  "$@"
  if [ ! -d "$packages" ]; then keep_packages "$at/checkout/node_modules" "$packages"; fi
  rm -rf "$at"
}

# copy_for RELEASE: that Node, and the copy. The package that npm gets holds the binary and nothing to run.
copy_for() {
  local at="$work/node-$1"
  mkdir -p "$at/copying"
  npm install --silent --no-save --prefix "$at" "node-linux-$(node -p process.arch)@$1"
  tar -c --exclude=node_modules --exclude=./dist . | tar -x -C "$at/copying"
  mv "$at/copying" "$at/checkout"
}

# install_for RELEASE: in the background, the copy with its packages, as the first command there would install them.
install_for() {
  # In a process group of its own, to be ended with all that it has started.
  set -m
  (
    copy_for "$1"
    cd "$work/node-$1/checkout"
    PATH="$work/node-$1/node_modules/.bin:$PATH"
    node -e 'import("./kernel/bin/ensure-installed.mjs").then((it) => it.ensureInstalled(process.cwd(), { scope: "test" }))'
  ) </dev/null >"$work/install-$1.log" 2>&1 &
  installing=$!
  set +m
}

# installed: waits for it. What has failed is tried again where it is needed, and says there what is wrong.
installed() {
  wait "$installing" || cat "$work"/install-*.log
  installing=
}

# keep_packages FROM TO: what is installed, for the copies that follow; of all that was cached, only the packed framework, which is the same
# for every Node.
keep_packages() {
  mv "$1" "$2"
  find "$2/.cache" -mindepth 1 -maxdepth 1 ! -name fw-pack -exec rm -rf {} +
}

# link_packages FROM TO: as links to the same files. npm replaces what is for another Node, and writes nothing in place but its list.
link_packages() {
  cp -al "$1" "$2"
  cp -p --remove-destination "$1/.package-lock.json" "$2/.package-lock.json"
}

# What most depends on the release: the SQLite driver, what is private to Node's HTTP, processes and signals, the command line; the
# reference app, built and booted; the recipes, followed to their end, and beside them, because they wait long for one process, a new
# project with its own tests.
smoke() {
  local project code=0
  npm test -- plugins/orm/dialect-sqlite/{sqlite-contract,sqlite-transactions,sqlite.test,node-sqlite} plugins/http/{fast-koa,http2} \
    kernel/boot kernel/process kernel/e2e/scenarios/{command-line,reference-app}
  new_project >../project.log 2>&1 &
  project=$!
  npm test -- kernel/e2e/scenarios/recipes || code=$?
  wait "$project" || code=$?
  cat ../project.log
  return "$code"
}

# smoke_on RELEASE...: smoke runs at the same time, because much of each keeps one core busy and no more: a build, an installation, a command
# behind another. What the first says is seen at once, what the others say after it.
smoke_on() {
  local release first=$1 code=0 runs=(); shift
  for release in "$@"; do
    (on_node "$release" smoke) >"$work/smoke-$release.log" 2>&1 &
    runs+=("$!")
  done
  # Neither behind || nor in if, where bash would not heed -e.
  set +e
  (set -e; on_node "$first" smoke)
  code=$?
  for release in "$@"; do
    wait "${runs[0]}" || code=$?
    runs=("${runs[@]:1}")
    cat "$work/smoke-$release.log"
  done
  set -e
  return "$code"
}

new_project() {
  cd ..
  node checkout/dist/kernel/bin/fw.js new project --install
  cd project
  npm test
}
