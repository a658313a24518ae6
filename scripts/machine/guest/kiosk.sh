# What a small emulated machine does beside fiskd: no systemd, so that it is up in seconds. Goes on from kiosk-boot.sh.
# /dev/vda has the programs and is never written, /dev/vdb is the card, /dev/vdc is for what is read at the end.
for folder in tmp run; do $B mount -t tmpfs tmpfs "$R/$folder"; done
$B mount -t proc proc "$R/proc"
$B mount -t sysfs sysfs "$R/sys"
$B mount -t devtmpfs dev "$R/dev"
# User-mode Linux breaks where a program maps io_uring.
echo 2 > /proc/sys/kernel/io_uring_disabled
$B hostname kiosk
$B ifconfig lo up
$B ifconfig vec0 10.0.2.15 netmask 255.255.255.0 up
$B route add default gw 10.0.2.2
$B nbd-client 10.0.2.2 10809 /dev/nbd0
$B ln -s nbd0 /dev/vdb

# Reads its code, and waits for its environment before it touches anything else.
$B mkfifo "$R/run/environment"
daemon() {
  HOME=/tmp $B chroot "$R" /fiskd/bin/node --import /fiskd/hold.mjs /fiskd/dist/daemon/main.js
  echo "DAEMON ENDED $?" | $B tee "$R/run/ended"
}
# Its log on the console, and on the card once that is there.
logged() { while read -r line; do echo "$line"; [ ! -d "$R/data/log" ] || echo "$line" >> "$R/data/log/kiosk.log"; done; }
daemon | logged &
# fisk, with the admin socket of the daemon
fisk() { FISKD_DATA_DIR=/data/fiskd HOME=/tmp $B chroot "$R" /fiskd/bin/node /fiskd/dist/cli/main.js "$@"; }

# One line on the console says: now, entropy, fs, options, environment.
echo 'THE KIOSK WAITS'
now=
while [ -z "$now" ]; do
  read -r order
  eval "$order"
done
$B date -s "@$now" > /dev/null
echo "$entropy" > /dev/urandom
if $B mount -t "$fs" -o "$options" /dev/vdb "$R/data"; then
  $B mkdir -p "$R/data/log"
  echo "THE CARD IS MOUNTED $($B cat /proc/sys/kernel/random/uuid)"
else
  echo 'THE CARD IS NOT MOUNTED'
fi
echo "$environment" > "$R/run/environment"

# What the machine is told afterwards.
stop() {
  $B kill "$($B cat "$R/data/fiskd/fiskd.pid")"
  while [ ! -e "$R/run/ended" ]; do $B sleep 0.2; done
  $B rm "$R/run/ended"
}
# The release that an environment makes of fiskd
upgrade() {
  stop
  daemon | logged &
  echo "$1" > "$R/run/environment"
}
rotate() {
  cd "$R/data/log" || return
  [ ! -e kiosk.log.1 ] || { $B gzip -f kiosk.log.1 && $B mv kiosk.log.1.gz kiosk.log.2.gz; }
  $B mv kiosk.log kiosk.log.1
  $B sync
  cd /
}
deliver() {
  stop
  $B tar -c -f /dev/vdc -C "$R/data" .
  $B umount "$R/data" && $B sync && echo 'THE CARD IS DELIVERED'
}
while read -r line; do eval "$line"; done
