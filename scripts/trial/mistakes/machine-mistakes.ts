import { appendFileSync, copyFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { release, version } from '../releases.ts'
import { CIS_ADDRESS, type Field, ip } from './field.ts'
import type { Mistake, Typed } from './mistake.ts'

const STATUS: Typed = { command: 'fisk status || true' }
const DOCTOR: Typed = { command: 'sudo fisk doctor || true' }
const DATA = '/var/lib/fiskd'
const HOSTS = 'etc/hosts'
const DROP_IN = 'etc/systemd/system/fiskd.service.d/clock.conf'

/** Puts the data onto a disk of its own, which the trial can fill, lock and pull. */
async function ownDisk({ sh }: Field): Promise<void> {
  await sh(
    `systemctl stop fiskd; truncate -s 400M /root/disk.img; mkfs.ext4 -q -F /root/disk.img; mkdir -p /mnt/disk; ` +
      `mount -o loop /root/disk.img /mnt/disk && cp -a ${DATA}/. /mnt/disk/ && umount /mnt/disk && ` +
      `echo "/root/disk.img ${DATA} ext4 loop 0 0" >> /etc/fstab && mount ${DATA} && chown fiskd:fiskd ${DATA} && ` +
      `chmod 750 ${DATA} && systemctl start fiskd`,
  )
}

/** What happens to the machine and around it. */
export const MACHINE_MISTAKES: Mistake[] = [
  {
    title: 'no network',
    async make({ sh }) {
      ip('address', 'del', `${CIS_ADDRESS}/32`, 'dev', 'lo')
      await sh('systemctl restart fiskd')
    },
    typed: [STATUS, DOCTOR],
    cause: /port \d+ of cis\.test cannot be reached: E(NET|HOST)UNREACH/,
    mending: [
      {
        command: /stands for its way out: (ip route)/,
        hands: {
          what: 'the cable is plugged in',
          act: async () => void ip('address', 'add', `${CIS_ADDRESS}/32`, 'dev', 'lo'),
        },
      },
    ],
  },
  {
    title: 'the name of the authority does not resolve',
    async make({ edit, sh }) {
      edit(HOSTS, (text) => text.replace(`${CIS_ADDRESS} cis.test`, '#cis'))
      await sh('systemctl restart fiskd')
    },
    typed: [STATUS, DOCTOR],
    cause: /cis\.test could not be looked up: E/,
    mending: [
      {
        command: /getent hosts cis\.test/,
        hands: {
          what: 'the name server is mended',
          act: async ({ edit }) => edit(HOSTS, (text) => text.replace('#cis', `${CIS_ADDRESS} cis.test`)),
        },
      },
    ],
  },
  {
    title: 'CIS blocked by a firewall',
    async make({ sh }) {
      ip('address', 'del', `${CIS_ADDRESS}/32`, 'dev', 'lo')
      ip('route', 'add', `${CIS_ADDRESS}/32`, 'dev', 'lan')
      ip('neighbour', 'replace', CIS_ADDRESS, 'lladdr', '02:00:00:00:00:77', 'dev', 'lan')
      await sh('systemctl restart fiskd')
    },
    typed: [STATUS, DOCTOR],
    cause: /port \d+ of cis\.test cannot be reached: no answer within \d+ seconds/,
    mending: [
      {
        command: /try it: (timeout 5 bash -c '[^']*' && echo open)/,
        hands: {
          what: 'the firewall is opened',
          async act() {
            ip('route', 'del', `${CIS_ADDRESS}/32`, 'dev', 'lan')
            ip('address', 'add', `${CIS_ADDRESS}/32`, 'dev', 'lo')
          },
        },
      },
    ],
  },
  {
    title: 'clock wrong by two days',
    async make({ root, sh }) {
      const library = (await sh('ls /usr/lib/*/faketime/libfaketime.so.1')).trim()
      await sh('mkdir -p /etc/systemd/system/fiskd.service.d')
      appendFileSync(
        root.path(DROP_IN),
        `[Service]\nEnvironment=LD_PRELOAD=${library} FAKETIME=+2d FAKETIME_DONT_FAKE_MONOTONIC=1\n`,
      )
      // In place of one that may set the clock, which no container may.
      await sh(
        `printf '#!/bin/sh\\nrm -f /${DROP_IN}; systemctl daemon-reload; systemctl restart fiskd\\n' > /usr/local/sbin/timedatectl; ` +
          'chmod +x /usr/local/sbin/timedatectl; systemctl daemon-reload; systemctl restart fiskd',
      )
    },
    typed: [DOCTOR],
    cause: /the clock of this machine is 1728\d\d s ahead of that of CIS/,
    mending: [{ command: /(?:sudo )?timedatectl set-ntp true/ }],
  },
  {
    title: 'disk full',
    isShort: true,
    async make(field) {
      await ownDisk(field)
      await field.sh(`dd if=/dev/zero of=${DATA}/old-video.mp4 bs=1M status=none || true`)
      await pause(3000)
    },
    typed: [STATUS],
    cause: /the disk is full: no sale can be stored/,
    mending: [
      {
        command: /sudo du -xah [^|]*\| sort -h \| tail -20/,
        hands: { what: 'what it shows is removed', act: async ({ sh }) => void (await sh(`rm ${DATA}/old-video.mp4`)) },
      },
    ],
  },
  {
    title: 'card turned read-only',
    async make({ sh, try: attempt }) {
      await sh('systemctl stop fiskd')
      await sh(`mount -o remount,ro ${DATA}`)
      await attempt('systemctl start fiskd')
    },
    typed: [STATUS, DOCTOR],
    cause: /the disk of \/var\/lib\/fiskd is read-only/,
    mending: [
      { command: /sudo mount -o remount,rw "\$\(findmnt[^"]*\)"/ },
      { command: /sudo systemctl restart fiskd/ },
    ],
  },
  {
    title: 'card pulled',
    async make({ sh, try: attempt }) {
      await sh(`systemctl stop fiskd; umount ${DATA}; mv /root/disk.img /root/pulled.img; systemctl daemon-reload`)
      await attempt('systemctl start fiskd')
    },
    typed: [STATUS, DOCTOR],
    cause: /the disk of \/var\/lib\/fiskd is not mounted/,
    mending: [
      {
        command: /sudo mount \/var\/lib\/fiskd/,
        hands: {
          what: 'it is put in again',
          act: async ({ sh }) => void (await sh('mv /root/pulled.img /root/disk.img')),
        },
      },
      { command: /sudo systemctl restart fiskd/ },
    ],
  },
  {
    title: 'older version over a newer database',
    async make({ root, releases, sh }) {
      const install = (deb: string) => sh(`apt-get install -y --allow-downgrades ${deb} 2>&1`)
      copyFileSync(release(releases, 'migrated'), root.path(`root/fiskd_${version('migrated')}_amd64.deb`))
      copyFileSync(releases.deb, root.path('root/older.deb'))
      await install(`/root/fiskd_${version('migrated')}_amd64.deb`)
      // As somebody forces it who does not read: the program of the older version over the newer one.
      await sh(
        'systemctl stop fiskd; cd /root && rm -rf older && dpkg-deb -x older.deb older && rm -rf /usr/lib/fiskd && ' +
          'cp -a older/usr/lib/fiskd /usr/lib/fiskd && systemctl start fiskd',
      )
    },
    typed: [STATUS],
    cause: /the database belongs to fiskd \S+ \(schema .*\), and this is the older fiskd/,
    mending: [
      {
        command: /sudo apt install \.\/fiskd_[\d.]+_ARCH\.deb/,
        instead: { './fiskd_': '--reinstall -y /root/fiskd_', ARCH: 'amd64' },
      },
    ],
  },
]
