#!/bin/sh
# The second stage of debootstrap, inside the machine: packages are configured by the processor that they are for.
export PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs dev /dev
mount -t tmpfs tmpfs /tmp
[ -e /dev/fd ] || ln -s /proc/self/fd /dev/fd

finish() {
  systemctl enable systemd-networkd.service
  # The trial says when apt runs, and nobody waits for the network.
  systemctl mask apt-daily.timer apt-daily-upgrade.timer systemd-networkd-wait-online.service
  apt-get clean
  rm -rf /var/lib/apt/lists/* /etc/dpkg/dpkg.cfg.d/image /second-stage.sh
  # The caches of ldconfig and of the journal are made: the first boot need not look.
  touch /etc/.updated /var/.updated
}

if /debootstrap/debootstrap --second-stage && finish; then
  echo 'THE IMAGE IS MADE'
else
  tail -n 40 /debootstrap/debootstrap.log
  echo 'THE IMAGE IS NOT MADE'
fi
# debootstrap has unmounted it. Everything is written out and read-only before the current goes.
mountpoint -q /proc || mount -t proc proc /proc
echo u > /proc/sysrq-trigger
sync
sleep 2
echo o > /proc/sysrq-trigger
sleep 600
