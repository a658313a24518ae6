import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { run } from '../package/run.ts'

/** The address that QEMU's network gives to the machine, and those of its host and of its way out. */
export const GUEST_ADDRESS = '10.0.2.15'
export const HOST_ADDRESS = '10.0.2.2'

export const FILES = {
  'etc/hostname': 'kiosk\n',
  'etc/hosts': `127.0.0.1 localhost\n127.0.1.1 kiosk\n${HOST_ADDRESS} cis.test\n`,
  'etc/fstab': '/dev/vda / ext4 noatime 0 0\n',
  'etc/systemd/network/10-lan.network': `[Match]\nType=ether\n[Network]\nAddress=${GUEST_ADDRESS}/24\nGateway=${HOST_ADDRESS}\n`,
  // Its session is the trial's: a service of systemd for each command would take seconds.
  'etc/ssh/sshd_config.d/trial.conf': 'PermitRootLogin prohibit-password\nUsePAM no\nMaxSessions 50\n',
  // Until it is made nothing of it has to outlive a power cut.
  'etc/dpkg/dpkg.cfg.d/image': 'force-unsafe-io\n',
} as const

/**
 * Gives an unpacked Debian a name, its address, and an ssh server that lets one key in.
 * @param part a folder for the files `key` and `known_hosts`
 */
export function settle(root: string, part: string): void {
  for (const [path, text] of Object.entries(FILES)) put(join(root, path), text)
  run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'trial', '-f', join(part, 'key')])
  put(join(root, 'root/.ssh/authorized_keys'), readFileSync(join(part, 'key.pub'), 'utf8'), 0o600)
  // An emulated processor takes minutes for one of RSA.
  for (const type of ['rsa', 'ecdsa', 'ed25519']) {
    const file = join(root, `etc/ssh/ssh_host_${type}_key`)
    run('ssh-keygen', ['-q', '-t', type, '-N', '', '-C', 'root@kiosk', '-f', file])
  }
  const [kind, key] = readFileSync(join(root, 'etc/ssh/ssh_host_ed25519_key.pub'), 'utf8').split(' ')
  writeFileSync(join(part, 'known_hosts'), `kiosk ${kind} ${key}\n`)
}

function put(file: string, text: string, mode = 0o644): void {
  mkdirSync(dirname(file), { recursive: true, mode: mode === 0o600 ? 0o700 : 0o755 })
  writeFileSync(file, text, { mode })
}
