#!/usr/bin/env bash
# debian.sh COMMAND PACKAGES WHO: installs Debian's packages with apt-get where the command is missing and we are root;
# fails where it may not.
set -euo pipefail
if command -v "$1" >/dev/null || ls /usr/lib/postgresql/*/bin/"$1" >/dev/null 2>&1; then exit; fi
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
	echo "$3 need $2, and only root may install it: sudo apt-get install $2"
	exit 1
fi
echo "$3 need $2: installing Debian's package with apt-get"
exec 9>"${TMPDIR:-/tmp}/zedcard-apt.lock"
flock 9 # apt-get is not run twice at once
apt-get update -q
DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends $2
