import { spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { ArchitectureName } from '../package/architectures.ts'
import { must, type Root, shell } from './root.ts'

const QEMU: Partial<Record<ArchitectureName, string>> = { arm64: 'aarch64', armhf: 'arm' }

/** Runs another architecture's Debian in QEMU's user mode, with a stand-in for systemd. It takes many minutes. */
export async function emulateRoot(dir: string, architecture: ArchitectureName): Promise<Root> {
  const qemu = QEMU[architecture]
  if (!qemu) throw new Error(`this machine cannot run ${architecture}`)
  const enter = ['proot', '-q', `qemu-${qemu}-static`, '-0', '-w', '/', '-r', dir]
  const path = (inside: string) => join(dir, inside)
  const root: Root = {
    path,
    sh: (command) => shell(enter, command),
    async close() {
      if (existsSync(path('run/fiskd.pid')))
        spawnSync('kill', ['-9', readFileSync(path('run/fiskd.pid'), 'utf8').trim()])
      rmSync(dir, { recursive: true, force: true })
    },
  }
  must(await root.sh('DEBOOTSTRAP_DIR=/debootstrap /debootstrap/debootstrap --second-stage'))
  // systemd seems to run here: the scripts of the package do all that they do on a kiosk.
  mkdirSync(path('run/systemd/system'), { recursive: true })
  copyFileSync(join(import.meta.dirname, 'stand-in-systemctl'), path('usr/bin/systemctl'))
  chmodSync(path('usr/bin/systemctl'), 0o755)
  return root
}
