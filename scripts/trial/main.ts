import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startSimulator } from '../../src/simulator/index.ts'
import { isArchitecture } from '../package/architectures.ts'
import { manifestOf } from '../package/modules.ts'
import { createKiosk } from './kiosk.ts'
import { makeRoot } from './root.ts'
import { STEPS } from './steps.ts'

const USAGE = `npm run trial [-- --short] [--arch amd64] [--suite trixie] [--packages packages]

Installs the package in a Debian of its own, sets it up, sells, upgrades, downgrades and removes it. Takes root, debootstrap
and the network; for another architecture than this machine's qemu-user-static and proot as well.
`

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    arch: { type: 'string', default: 'amd64' },
    suite: { type: 'string', default: 'trixie' },
    packages: { type: 'string', default: 'packages' },
    help: { type: 'boolean', default: false },
  },
})

async function main(): Promise<number> {
  const { arch, suite, packages, short } = values
  if (values.help || !isArchitecture(arch)) {
    process.stderr.write(USAGE)
    return values.help ? 0 : 2
  }
  const deb = join(packages, `fiskd_${manifestOf('.').version}_${arch}.deb`)
  const scratch = mkdtempSync(join(tmpdir(), 'fiskd-trial-'))
  const cis = await startSimulator()
  const root = await makeRoot(arch, suite)
  try {
    const kiosk = await createKiosk(root, cis)
    for (const { title, run } of STEPS.filter(({ isShort }) => isShort || !short)) {
      const startedAt = performance.now()
      const said = await run({ kiosk, deb, scratch })
      process.stdout.write(`ok  ${title}: ${said} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)\n`)
    }
    return 0
  } catch (error) {
    process.stderr.write(
      `FAILED ${(error as Error).stack}\n${(await root.sh('journalctl -u fiskd -o cat -n 40 || cat /var/log/fiskd.log')).stdout.slice(-3000)}\n`,
    )
    return 1
  } finally {
    await root.close()
    await cis.close()
    rmSync(scratch, { recursive: true, force: true })
  }
}

process.exitCode = await main()
