import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../package/run.ts'
import type { MachineOrder } from './qemu.ts'

export const MIRROR = 'http://deb.debian.org/debian'

/** What a machine that the trial is made on has of Debian, in a folder and in an emulator. */
export const PACKAGES = [
  ...['systemd', 'systemd-sysv', 'dbus', 'udev', 'libstdc++6', 'ca-certificates'],
  // needrestart asks which services to restart after an upgrade, where somebody is there to answer.
  ...['unattended-upgrades', 'needrestart'],
  ...['sudo', 'iproute2', 'e2fsprogs'],
]

/** What a Debian is made of. */
export interface DebianOrder {
  arch: MachineOrder['arch']
  suite: string
  packages: readonly string[]
}

/** Unpacks a Debian of any architecture, as root. Its own processor completes it: `/debootstrap/debootstrap --second-stage`. */
export function unpackDebian({ arch, suite, packages }: DebianOrder, dir: string): void {
  run('debootstrap', [
    ...['--foreign', `--arch=${arch}`, '--variant=minbase', `--include=${packages.join()}`],
    ...[suite, dir, MIRROR],
  ])
  // In a container debootstrap makes a link of it.
  rmSync(join(dir, 'proc'), { recursive: true, force: true })
  mkdirSync(join(dir, 'proc'))
}

/** Completes a Debian of this machine's architecture. */
export function makeDebian(suite: string, packages: readonly string[], dir: string): void {
  run('debootstrap', ['--variant=minbase', `--include=${packages.join()}`, suite, dir, MIRROR])
}

/** Unpacks packages that the unpacked Debian does not get as such. */
export const unpackPackages = (debian: string, names: readonly string[], scratch: string, to: string) =>
  unpackListed(listOf(debian), names, scratch, to)

/** @param list of packages, whose signature was checked: it has their checksums */
export async function unpackListed(list: string, names: readonly string[], scratch: string, to: string): Promise<void> {
  for (const name of names) {
    const { path, sha256 } = find(list, name)
    const bytes = await fetchBytes(path)
    if (createHash('sha256').update(bytes).digest('hex') !== sha256)
      throw new Error(`${name} is not what Debian has signed`)
    const file = join(scratch, `${name}.deb`)
    writeFileSync(file, bytes)
    run('dpkg-deb', ['-x', file, to])
  }
}

/** @throws Error when Debian's mirror does not have it */
export async function fetchBytes(path: string): Promise<Buffer> {
  const answer = await fetch(`${MIRROR}/${path}`)
  if (!answer.ok) throw new Error(`${MIRROR}/${path} answers ${answer.status}`)
  return Buffer.from(await answer.arrayBuffer())
}

/** The package with the kernel that Debian installs now; older ones may be there as well. */
export const kernelOf = (debian: string, arch: DebianOrder['arch']): string =>
  find(listOf(debian), `linux-image-${arch}`).needs.split(' ')[0] ?? ''

function find(list: string, name: string): { path: string; sha256: string; needs: string } {
  const found = paragraphsOf(list).find((paragraph) => field(paragraph, 'Package') === name)
  if (found === undefined) throw new Error(`Debian has no package ${name}`)
  return { path: field(found, 'Filename'), sha256: field(found, 'SHA256'), needs: field(found, 'Depends') }
}

/**
 * Leaves only what is unpacked in the list of packages. debootstrap's second stage reads all of it several times for
 * each package that another one needs first: 60 MB, which takes an emulated processor minutes.
 */
export function shortenList(debian: string): void {
  const list = listOf(debian)
  const archives = readdirSync(join(debian, 'var/cache/apt/archives'))
  const unpacked = new Set(archives.filter((name) => name.endsWith('.deb')).map((name) => name.split('_')[0]))
  const kept = paragraphsOf(list).filter((paragraph) => unpacked.has(field(paragraph, 'Package')))
  writeFileSync(list, `${kept.join('\n\n')}\n\n`)
}

function listOf(debian: string): string {
  const lists = join(debian, 'var/lib/apt/lists')
  const list = readdirSync(lists).find((name) => name.endsWith('_Packages'))
  if (list === undefined) throw new Error(`${lists} has no list of packages`)
  return join(lists, list)
}

const paragraphsOf = (list: string) => readFileSync(list, 'utf8').split('\n\n')
const field = (paragraph: string, name: string) => new RegExp(`^${name}: (.+)$`, 'm').exec(paragraph)?.[1] ?? ''
