#!/usr/bin/env bash
# Whether somebody else gets the same release of this commit: two clones in folders of different names, each with its own
# packages and scripts, and the sums of both.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for name in one another; do
	git clone -q . "$folder/$name"
	make -C "$folder/$name" release VERSION="$VERSION" SIGN_KEY= >"$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
done
diff "$folder"/{one,another}/bin/release/SHA256SUMS
echo "Two clones of $VERSION gave the same bytes:"
cat "$folder/one/bin/release/SHA256SUMS"
