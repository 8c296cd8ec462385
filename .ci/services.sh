# Servers for the tests, each private to one run: own data folder below $work, own port on loopback, ended by pid.
# Sourced by .ci/run.

pids=()

# Debian packages by the command that shows whether they are there.
install_packages() {
  local missing=()
  command -v g++ >/dev/null && command -v make >/dev/null && command -v python3 >/dev/null || missing+=(python3 make g++)
  compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null || missing+=(postgresql)
  command -v mariadbd >/dev/null || [ -x /usr/sbin/mariadbd ] || missing+=(mariadb-server)
  command -v redis-server >/dev/null || missing+=(redis-server)
  command -v nats-server >/dev/null || [ -x /usr/sbin/nats-server ] || missing+=(nats-server)
  command -v kcat >/dev/null || missing+=(kcat)
  command -v go >/dev/null || missing+=(golang-go)
  command -v chromium-headless-shell >/dev/null || missing+=(chromium-headless-shell fonts-dejavu-core)
  command -v zsh >/dev/null || missing+=(zsh)
  command -v fish >/dev/null || missing+=(fish)
  # slirp4netns publishes ports without a firewall; aardvark-dns gives the containers of a network their names.
  command -v podman >/dev/null && [ -x /usr/lib/podman/aardvark-dns ] && command -v runc >/dev/null && command -v slirp4netns >/dev/null ||
    missing+=(podman runc slirp4netns netavark aardvark-dns iptables)
  [ ${#missing[@]} -eq 0 ] && return
  echo "installing: ${missing[*]}"
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

free_port() {
  node -e 'const s = require("node:net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })'
}

# until_listening PORT NAME LOG
until_listening() {
  for _ in $(seq 100); do
    (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null && return
    sleep 0.1
  done
  echo "$2 did not start:"; cat "$3"; exit 1
}

# as USER COMMAND...: servers refuse to run as root.
as() {
  local user=$1; shift
  if [ "$(id -u)" -eq 0 ]; then setpriv --reuid="$user" --regid="$user" --init-groups -- "$@"; else "$@"; fi
}

# exec_as USER COMMAND... &: the same in the background, where $! has to be the server itself, for it to be ended.
exec_as() {
  local user=$1; shift
  if [ "$(id -u)" -eq 0 ]; then exec setpriv --reuid="$user" --regid="$user" --init-groups -- "$@"; else exec "$@"; fi
}

own() { if [ "$(id -u)" -eq 0 ]; then chown "$1" "$2"; fi; }

start_postgres() {
  local bin port; bin=$(dirname "$(ls /usr/lib/postgresql/*/bin/initdb | tail -n 1)"); port=$(free_port)
  mkdir "$work/pg"; own postgres "$work/pg"
  as postgres "$bin/initdb" -D "$work/pg/data" -A trust -U postgres --no-sync >"$work/pg-init.log"
  exec_as postgres "$bin/postgres" -D "$work/pg/data" -p "$port" -c listen_addresses=127.0.0.1 \
    -c unix_socket_directories="$work/pg" -c fsync=off -c jit=off >"$work/pg.log" 2>&1 &
  pids+=($!)
  until_listening "$port" PostgreSQL "$work/pg.log"
  export FW_TEST_POSTGRES="postgres://postgres@127.0.0.1:$port/postgres"
}

start_mariadb() {
  local port; port=$(free_port)
  mkdir "$work/my"; own mysql "$work/my"
  as mysql mariadb-install-db --no-defaults --datadir="$work/my/data" --auth-root-authentication-method=normal \
    --skip-test-db >"$work/my-init.log" 2>&1
  exec_as mysql "$(command -v mariadbd || echo /usr/sbin/mariadbd)" --no-defaults --datadir="$work/my/data" \
    --bind-address=127.0.0.1 --port="$port" --socket="$work/my/sock" --pid-file="$work/my/pid" \
    --innodb-buffer-pool-size=64M --innodb-flush-log-at-trx-commit=0 --skip-log-bin >"$work/my.log" 2>&1 &
  pids+=($!)
  until_listening "$port" MariaDB "$work/my.log"
  export FW_TEST_MYSQL="mysql://root@127.0.0.1:$port/mysql"
}

start_redis() {
  local port; port=$(free_port)
  redis-server --bind 127.0.0.1 --port "$port" --save '' --appendonly no --dir "$work" >"$work/redis.log" 2>&1 &
  pids+=($!)
  until_listening "$port" Redis "$work/redis.log"
  export FW_TEST_REDIS="redis://127.0.0.1:$port"
}

start_nats() {
  local port; port=$(free_port)
  "$(command -v nats-server || echo /usr/sbin/nats-server)" -a 127.0.0.1 -p "$port" -js -sd "$work/nats" >"$work/nats.log" 2>&1 &
  pids+=($!)
  until_listening "$port" NATS "$work/nats.log"
  export FW_TEST_NATS="nats://127.0.0.1:$port"
}

# No Kafka in Debian: librdkafka's own mock broker speaks the real protocol. It lives as long as kcat's input stays open.
start_kafka() {
  local brokers=''
  mkfifo "$work/kafka.in"
  sleep infinity >"$work/kafka.in" &
  pids+=($!)
  kcat -P -t keep -b x -X test.mock.num.brokers=1 -d mock <"$work/kafka.in" >/dev/null 2>"$work/kafka.log" &
  pids+=($!)
  for _ in $(seq 100); do
    brokers=$(grep -oE 'bootstrap.servers=[0-9.:]+' "$work/kafka.log" | head -n 1 | cut -d= -f2) && [ -n "$brokers" ] && break
    sleep 0.1
  done
  [ -n "$brokers" ] || { echo 'the mock Kafka broker did not start:'; cat "$work/kafka.log"; exit 1; }
  export FW_TEST_KAFKA="$brokers"
}

find_go() { FW_TEST_GO=$(command -v go); export FW_TEST_GO; }

# podman with images, networks and settings of its own, so that the tests see nothing of the machine's. What a small or nested
# machine needs (limits that cannot be raised, cgroups v1) stands in its configuration, which is where it belongs.
start_containers() {
  local etc="$work/containers"
  mkdir -p "$etc/networks"
  cat >"$etc/containers.conf" <<EOF
[containers]
default_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]
netns = "slirp4netns"
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
[network]
network_backend = "netavark"
network_config_dir = "$etc/networks"
EOF
  printf '[storage]\ndriver = "overlay"\ngraphroot = "%s/graph"\nrunroot = "%s/run"\n' "$etc" "$etc" >"$etc/storage.conf"
  export CONTAINERS_CONF="$etc/containers.conf" CONTAINERS_STORAGE_CONF="$etc/storage.conf"
  podman info >"$etc/info.log" 2>&1 || { echo 'podman does not work here:'; cat "$etc/info.log"; exit 1; }
  export FW_TEST_CONTAINERS=podman
}

# Containers hold mounts below $work, which is removed afterwards.
stop_containers() {
  [ "${CONTAINERS_STORAGE_CONF:-}" = "$work/containers/storage.conf" ] || return 0
  podman rm --all --force --time 2 >/dev/null 2>&1 || true
  podman rmi --all --force >/dev/null 2>&1 || true
  umount "$work/containers/graph/overlay" 2>/dev/null || true
}

stop_services() {
  stop_containers
  for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
  for pid in "${pids[@]}"; do wait "$pid" 2>/dev/null || true; done
}
