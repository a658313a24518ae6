import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startSimulator } from '../../src/simulator/index.ts'
import { emulatorOf } from '../machine/qemu.ts'
import { ARCHITECTURES } from '../package/architectures.ts'
import { manifestOf } from '../package/modules.ts'
import { run } from '../package/run.ts'
import { requireTools } from '../package/tools.ts'
import { startArchive } from './archive.ts'
import { bootRoot, makeFolder } from './booted-root.ts'
import { bootMachine } from './emulated-root.ts'
import { createKiosk } from './kiosk.ts'
import type { Root } from './root.ts'
import { powerSteps, SHOP_STEPS } from './shop-steps.ts'
import { STEPS, type Step, type Trial } from './steps.ts'

const USAGE = `npm run trial [-- --short] [--suite trixie] [--packages packages] [--from DEB]
npm run trial -- --arch ${Object.keys(ARCHITECTURES).join('|')} [--memory 1024] [--short] [--suite trixie] [--packages packages] [--from DEB]

Installs the package in a Debian of its own from a signed repository, sets it up, sells, prints, upgrades it by apt and by
unattended-upgrades, downgrades and removes it. Takes root, the network, and of Debian apt-utils, debootstrap, gnupg and
zbar-tools. The package is the one for this machine. --from begins with an older one.

--arch does the same in an emulated machine of that architecture: Debian's own kernel, a disk, a
power switch, a printer at a serial port, as much memory as --memory says in MB, no swap. It takes an hour; with --short,
which ends before the upgrades, ten minutes. It takes of Debian also qemu-system-arm or qemu-system-x86, openssh-client,
e2fsprogs, kmod, xz-utils and cpio. The first run makes an image of the machine (half an hour more), which is kept in
~/.cache/fiskd-machines or in the folder that FISKD_MACHINES names.
`

const { values } = parseArgs({
  options: {
    arch: { type: 'string' },
    memory: { type: 'string', default: '1024' },
    short: { type: 'boolean', default: false },
    suite: { type: 'string', default: 'trixie' },
    packages: { type: 'string', default: 'packages' },
    from: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})

const debOf = (arch: string) => join(values.packages, `fiskd_${manifestOf('.').version}_${arch}.deb`)
const say = (text: string) => void process.stdout.write(`${text}\n`)

async function main(): Promise<number> {
  if (values.help) {
    process.stdout.write(USAGE)
    return 0
  }
  return values.arch === undefined ? inFolder() : inMachine(values.arch)
}

async function inFolder(): Promise<number> {
  const { suite, short } = values
  requireTools(['debootstrap', 'dpkg-deb', 'apt-ftparchive', 'gpg', 'zbarimg'])
  const root = await bootRoot(makeFolder(suite))
  const deb = debOf(run('dpkg', ['--print-architecture']).trim())
  return trySteps(root, deb, short ? STEPS.filter(({ isShort }) => isShort) : STEPS)
}

async function inMachine(arch: string): Promise<number> {
  if (!isArchitecture(arch)) throw new Error(`--arch ${arch}: there are ${Object.keys(ARCHITECTURES).join(', ')}`)
  const memoryMb = Number(values.memory)
  if (!Number.isInteger(memoryMb) || memoryMb < 256)
    throw new Error(`--memory ${values.memory}: use megabytes, at least 256`)
  requireTools(['dpkg-deb', 'apt-ftparchive', 'gpg', 'ssh', 'zbarimg', emulatorOf(arch)])
  const machine = await bootMachine({ arch, suite: values.suite, memoryMb, say })
  const [first, ...others] = STEPS
  const rest = values.short ? SHOP_STEPS : others
  return trySteps(machine, debOf(arch), [...(first ? [first] : []), ...powerSteps(machine), ...rest])
}

const isArchitecture = (arch: string): arch is keyof typeof ARCHITECTURES => arch in ARCHITECTURES

async function trySteps(root: Root, deb: string, steps: readonly Step[]): Promise<number> {
  const scratch = mkdtempSync(join(tmpdir(), 'fiskd-trial-'))
  const cis = await startSimulator()
  const archive = await startArchive(scratch, root.host)
  try {
    const kiosk = await createKiosk(root, cis)
    const trial: Trial = { kiosk, archive, deb, oldest: values.from ?? deb, scratch }
    for (const { title, run: step } of steps) {
      const startedAt = performance.now()
      const said = await step(trial)
      say(`ok  ${title}: ${said} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`)
    }
    return 0
  } catch (error) {
    process.stderr.write(
      `FAILED ${(error as Error).stack}\n${(await root.sh('journalctl -u fiskd -o cat -n 40')).stdout.slice(-3000)}\n`,
    )
    return 1
  } finally {
    await root.close()
    await archive.close()
    await cis.close()
    rmSync(scratch, { recursive: true, force: true })
  }
}

process.exitCode = await main()
