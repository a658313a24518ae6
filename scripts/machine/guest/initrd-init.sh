#!/bin/busybox sh
# shellcheck shell=dash
# The first program of an emulated machine: loads the drivers of the disk, mounts it, and gives way to the system on it.
B=/bin/busybox
$B mount -t proc proc /proc
$B mount -t devtmpfs dev /dev
while read -r module; do $B insmod "/modules/$module"; done < /modules/order
while [ ! -e /dev/vda ]; do $B sleep 0.1; done
init=/sbin/init
for word in $($B cat /proc/cmdline); do
  case $word in init=*) init=${word#init=} ;; esac
done
# What a power cut has left is mended as on a Raspberry Pi: by the journal.
$B mount -t ext4 -o rw,noatime /dev/vda /root
$B umount /proc
exec $B switch_root /root "$init"
