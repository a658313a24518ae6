#!/bin/busybox sh
# The first program of a small emulated machine: loads the drivers, mounts the disk of programs and lets that go on.
B=/bin/busybox
R=/root
$B mount -t proc proc /proc
$B mount -t devtmpfs dev /dev
while read -r module; do $B insmod "/modules/$module"; done < /modules/order
# User-mode Linux has other names for its disks.
for letter in a c; do [ ! -e "/dev/ubd$letter" ] || $B ln -s "ubd$letter" "/dev/vd$letter"; done
while [ ! -e /dev/vda ]; do $B sleep 0.1; done
$B mount -t ext4 -o ro,noatime /dev/vda $R
. $R/kiosk.sh
