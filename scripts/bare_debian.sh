# Sourced after prepare.sh: unpacks a bare Debian 12 into the new folder $debian, which is removed at the
# end. `inside COMMAND...` runs there. It is kept as build/bookworm.tar.gz for the next time. Needs root
# and a Debian mirror.

need_packages debootstrap
[ "$(id -u)" -eq 0 ] || {
  echo "Making a bare Debian needs root" >&2
  exit 1
}

debian=$(mktemp -d)
trap 'rm -rf --one-file-system "$debian"' EXIT
bare=$root/build/bookworm.tar.gz
if [ -f "$bare" ]; then
  tar -C "$debian" -xzf "$bare"
else
  echo "Making a bare Debian 12: some minutes" >&2
  mkdir -p "$root/build"
  debootstrap --variant=minbase bookworm "$debian" >"$root/build/debootstrap.log" 2>&1 || {
    cat "$root/build/debootstrap.log" >&2
    exit 1
  }
  tar -C "$debian" -czf "$bare" .
fi
chmod 755 "$debian" # apt and man have users of their own

inside() {
  env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 HOME=/root DEBIAN_FRONTEND=noninteractive \
    chroot "$debian" "$@"
}
