import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startSimulator } from '../../src/simulator/index.ts'
import { manifestOf } from '../package/modules.ts'
import { run } from '../package/run.ts'
import { requireTools } from '../package/tools.ts'
import { startArchive } from './archive.ts'
import { makeRoot } from './booted-root.ts'
import { createKiosk } from './kiosk.ts'
import { STEPS, type Trial } from './steps.ts'

const USAGE = `npm run trial [-- --short] [--suite trixie] [--packages packages] [--from DEB]

Installs the package in a Debian of its own from a signed repository, sets it up, sells, upgrades it by apt and by
unattended-upgrades, downgrades and removes it. Takes root, the network, and of Debian apt-utils, debootstrap and gnupg. The
package is the one for this machine. --from begins with an older one.
`

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    suite: { type: 'string', default: 'trixie' },
    packages: { type: 'string', default: 'packages' },
    from: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})

async function main(): Promise<number> {
  const { suite, packages, short, from } = values
  if (values.help) {
    process.stdout.write(USAGE)
    return 0
  }
  requireTools(['debootstrap', 'dpkg-deb', 'apt-ftparchive', 'gpg'])
  const arch = run('dpkg', ['--print-architecture']).trim()
  const deb = join(packages, `fiskd_${manifestOf('.').version}_${arch}.deb`)
  const scratch = mkdtempSync(join(tmpdir(), 'fiskd-trial-'))
  const cis = await startSimulator()
  const archive = await startArchive(scratch)
  const root = await makeRoot(suite)
  try {
    const kiosk = await createKiosk(root, cis)
    const trial: Trial = { kiosk, archive, deb, oldest: from ?? deb, scratch }
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
