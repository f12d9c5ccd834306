#!/usr/bin/env bash
# What a release gives out, into OUT (bin/release): for each architecture a .deb and an archive with the same files, the
# program's parts (SBOM), and SHA256SUMS. The same commit gives the same bytes. VERSION is the tag's name; SIGN_KEY is the
# file of an SSH key that signs the sums: OpenSSH is wherever somebody verifies them.
set -euo pipefail
SIGN_KEY=${SIGN_KEY:+$(realpath "$SIGN_KEY")}
cd "$(dirname "$0")/.."
nfpm=github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.45.2
OUT=${OUT:-bin/release}
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
# A Debian version begins with a digit: a commit without a tag comes before every release.
case $VERSION in v[0-9]*) package=${VERSION#v} ;; *) package=0~$VERSION ;; esac
PACKAGE_VERSION=${package//-/+}
export OUT SOURCE_DATE_EPOCH PACKAGE_VERSION
umask 022
rm -rf "$OUT"
mkdir -p "$OUT"

for ARCH in ${ARCHS:-amd64 arm64}; do
	export ARCH
	GOOS=linux GOARCH=$ARCH go build -ldflags "-s -w -X main.version=$VERSION" -o "$OUT/zedcard" .
	[ -e "$OUT/sbom.cdx.json" ] || node scripts/sbom.mjs "$OUT/zedcard" "$VERSION" >"$OUT/sbom.cdx.json"
	go run $nfpm package --config deploy/one/nfpm.yaml --packager deb \
		--target "$OUT/zedcard_${PACKAGE_VERSION}_$ARCH.deb" >/dev/null
	# The archive is for other systems than Debian: docs/operations.md says where its files go.
	root=zedcard_${PACKAGE_VERSION}_linux_$ARCH
	mkdir "$OUT/$root"
	cp -rL deploy/one deploy/alerts.yaml deploy/dashboard.json LICENSE CHANGELOG.md \
		docs/operations.md docs/old-site.md docs/content.md docs/settings.md "$OUT/sbom.cdx.json" "$OUT/$root"
	mv "$OUT/zedcard" "$OUT/$root"
	tar -C "$OUT" --sort=name --mtime=@"$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --format=ustar \
		-c "$root" | gzip -9n >"$OUT/$root.tar.gz"
	rm -r "${OUT:?}/$root"
done
mv "$OUT/sbom.cdx.json" "$OUT/zedcard_${PACKAGE_VERSION}_sbom.cdx.json"
cd "$OUT"
sha256sum -- *.deb *.tar.gz *.json >SHA256SUMS
if [ -n "$SIGN_KEY" ]; then
	ssh-keygen -q -Y sign -n zedcard -f "$SIGN_KEY" SHA256SUMS >&2
else
	echo "SIGN_KEY names no key, so nothing was signed" >&2
fi
cat SHA256SUMS
