# What a small emulated machine does beside fiskd: no systemd, so that it is up in seconds. Goes on from kiosk-boot.sh.
# /dev/vda has the programs and is never written, /dev/vdb is the card, /dev/vdc is for what is read at the end.
for folder in tmp run; do $B mount -t tmpfs tmpfs "$R/$folder"; done
$B mount -t proc proc "$R/proc"
$B mount -t sysfs sysfs "$R/sys"
$B mount -t devtmpfs dev "$R/dev"
$B hostname kiosk
$B ifconfig lo up
$B ifconfig eth0 10.0.2.15 netmask 255.255.255.0 up
$B route add default gw 10.0.2.2

# Reads its code, and waits for its environment before it touches anything else.
$B mkfifo "$R/run/environment"
daemon() {
  HOME=/tmp $B chroot "$R" /fiskd/bin/node --import /fiskd/hold.mjs /fiskd/dist/daemon/main.js
  echo "DAEMON ENDED $?" | $B tee "$R/run/ended"
}
daemon &
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
  echo "THE CARD IS MOUNTED $($B cat /proc/sys/kernel/random/uuid)"
else
  echo 'THE CARD IS NOT MOUNTED'
fi
echo "$environment" > "$R/run/environment"

# What the machine is told afterwards.
deliver() {
  $B kill "$($B cat "$R/data/fiskd/fiskd.pid")"
  while [ ! -e "$R/run/ended" ]; do $B sleep 0.2; done
  $B tar -c -f /dev/vdc -C "$R/data" .
  $B umount "$R/data" && $B sync && echo 'THE CARD IS DELIVERED'
}
while read -r line; do eval "$line"; done
