import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startSimulator } from '../../src/simulator/index.ts'
import { manifestOf } from '../package/modules.ts'
import { run } from '../package/run.ts'
import { requireTools } from '../package/tools.ts'
import { startArchive } from './archive.ts'
import { bootRoot, makeFolder } from './booted-root.ts'
import { createKiosk } from './kiosk.ts'
import { STEPS, type Trial } from './steps.ts'

const USAGE = `npm run trial [-- --short] [--mistakes] [--table FILE] [--suite trixie] [--packages packages] [--from DEB]

Installs the package in a Debian of its own from a signed repository, sets it up, sells, upgrades it by apt and by
unattended-upgrades, downgrades and removes it. Then makes the mistakes of technicians in another one, in a terminal, and
mends them with what the screens say; --mistakes does only that, and --table writes all screens. Takes root, the network,
and of Debian apt-utils, debootstrap, gnupg and iproute2. The package is the one for this machine. --from begins with an
older one.
`

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    mistakes: { type: 'boolean', default: false },
    table: { type: 'string' },
    suite: { type: 'string', default: 'trixie' },
    packages: { type: 'string', default: 'packages' },
    from: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})

async function main(): Promise<number> {
  const { suite, packages, short, from, mistakes, table } = values
  if (values.help) {
    process.stdout.write(USAGE)
    return 0
  }
  requireTools(['debootstrap', 'dpkg-deb', 'apt-ftparchive', 'gpg', 'ip'])
  const arch = run('dpkg', ['--print-architecture']).trim()
  const deb = join(packages, `fiskd_${manifestOf('.').version}_${arch}.deb`)
  const folder = makeFolder(suite)
  const others = mistakes ? folder : `${folder}-mistakes`
  if (!mistakes) {
    run('cp', ['-a', folder, others])
    const code = await trySteps(folder, deb, from ?? deb, short)
    if (code !== 0) {
      rmSync(others, { recursive: true, force: true })
      return code
    }
  }
  return makeMistakes(others, deb, [...(short ? ['--short'] : []), ...(table === undefined ? [] : ['--table', table])])
}

/** In a network of their own, which this process cannot move into. */
function makeMistakes(folder: string, deb: string, more: readonly string[]): number {
  const program = ['--import', 'tsx', 'scripts/trial/mistakes/main.ts', '--root', folder, '--deb', deb, ...more]
  const { status } = spawnSync('unshare', ['--net', process.execPath, ...program], { stdio: 'inherit' })
  return status ?? 1
}

async function trySteps(folder: string, deb: string, oldest: string, short: boolean): Promise<number> {
  const scratch = mkdtempSync(join(tmpdir(), 'fiskd-trial-'))
  const cis = await startSimulator()
  const archive = await startArchive(scratch)
  const root = await bootRoot(folder)
  try {
    const kiosk = await createKiosk(root, cis)
    const trial: Trial = { kiosk, archive, deb, oldest, scratch }
    for (const { title, run: step } of STEPS.filter(({ isShort }) => isShort || !short)) {
      const startedAt = performance.now()
      const said = await step(trial)
      process.stdout.write(`ok  ${title}: ${said} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)\n`)
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
