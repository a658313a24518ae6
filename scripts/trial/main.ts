import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startSimulator } from '../../src/simulator/index.ts'
import { manifestOf } from '../package/modules.ts'
import { run } from '../package/run.ts'
import { createKiosk } from './kiosk.ts'
import { makeRoot } from './root.ts'
import { STEPS } from './steps.ts'

const USAGE = `npm run trial [-- --short] [--suite trixie] [--packages packages]

Installs the package in a Debian of its own, sets it up, sells, upgrades, downgrades and removes it. Takes root, debootstrap
and the network. The package is the one for this machine.
`

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    suite: { type: 'string', default: 'trixie' },
    packages: { type: 'string', default: 'packages' },
    help: { type: 'boolean', default: false },
  },
})

async function main(): Promise<number> {
  const { suite, packages, short } = values
  if (values.help) {
    process.stdout.write(USAGE)
    return 0
  }
  const arch = run('dpkg', ['--print-architecture']).trim()
  const deb = join(packages, `fiskd_${manifestOf('.').version}_${arch}.deb`)
  const scratch = mkdtempSync(join(tmpdir(), 'fiskd-trial-'))
  const cis = await startSimulator()
  const root = await makeRoot(suite)
  try {
    const kiosk = await createKiosk(root, cis)
    for (const { title, run: step } of STEPS.filter(({ isShort }) => isShort || !short)) {
      const startedAt = performance.now()
      const said = await step({ kiosk, deb, scratch })
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
    await cis.close()
    rmSync(scratch, { recursive: true, force: true })
  }
}

process.exitCode = await main()
