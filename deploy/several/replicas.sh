#!/usr/bin/env bash
# Two replicas on one PostgreSQL behind Caddy, as processes: what compose.yaml runs, without containers.
#
#   DATABASE_URL=postgres://… deploy/several/replicas.sh     serves http://127.0.0.1:8000 until it is ended
#   kill -USR1 PID                                   restarts one replica after the other
#
# ZEDCARD is the program, PORT the proxy's port, REPLICA_PORT and READY_PORT those of the replicas, which listen on
# 127.0.0.11 and 127.0.0.12, STATE the folder for their files and logs. Every setting of the site is passed on.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
: "${DATABASE_URL:?a PostgreSQL that both replicas share}"
zedcard=${ZEDCARD:-$here/../../bin/zedcard}
port=${PORT:-8000} app=${REPLICA_PORT:-8080} ready=${READY_PORT:-9090}
state=${STATE:-$(mktemp -d)}
declare -A process

start() {
	LISTEN_ADDR=127.0.0.1$1:$app ADMIN_ADDR=127.0.0.1$1:$ready DATA_DIR=$state/$1 TRUSTED_PROXIES=127.0.0.1/32 \
		"$zedcard" serve >>"$state/$1.log" 2>&1 &
	process[$1]=$!
}

# A replica counts as ready when it can show pages and Caddy has noticed: Caddy checks every two seconds, and forgets a
# refused connection after one.
await() {
	until curl --silent --fail --output /dev/null "http://127.0.0.1$1:$ready/readyz"; do
		kill -0 "${process[$1]}"
		sleep 0.2
	done
	sleep 4
}

end() {
	kill "${process[@]}" 2>/dev/null || true
	wait
}

finish() { wait "$1" || true; }

restart() {
	for replica in 1 2; do
		kill "${process[$replica]}"
		while kill -0 "${process[$replica]}" 2>/dev/null; do finish "${process[$replica]}"; done
		start "$replica"
		await "$replica"
	done
	echo "restarted"
}

trap end EXIT
trap 'exit 0' INT TERM
trap restart USR1 # not HUP, which nohup ignores; set early, or a signal just before wait would be lost
start 1
start 2

# The proxy's rules are those of the Caddyfile, as Debian's Caddy 2.6 has them, too.
sed -e "s|{\$DOMAIN} {|http://127.0.0.1:$port {|" \
	-e "s|zedcard-1:8080 zedcard-2:8080|127.0.0.11:$app 127.0.0.12:$app|" -e "s|health_port 9090|health_port $ready|" \
	-e "s|request_buffers 64KB|buffer_requests|" \
	"$here/Caddyfile" >"$state/Caddyfile"
sed -i '0,/^{$/s//{\n\tadmin off\n\tauto_https off/' "$state/Caddyfile"
XDG_DATA_HOME=$state XDG_CONFIG_HOME=$state caddy run --config "$state/Caddyfile" --adapter caddyfile >>"$state/caddy.log" 2>&1 &
process[caddy]=$!

await 1
await 2
kill -0 "${process[caddy]}" || { tail "$state/caddy.log" >&2; exit 1; }
echo "serving http://127.0.0.1:$port, files and logs in $state"
while kill -0 "${process[caddy]}" 2>/dev/null; do
	wait "${process[caddy]}" || true
done
