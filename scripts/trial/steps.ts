import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import type { Kiosk, Sale } from './kiosk.ts'
import { must } from './root.ts'
import { type Patch, variantOf } from './variants.ts'

export interface Step {
  title: string
  /** Part of the short form. */
  isShort: boolean
  run(trial: Trial): Promise<string>
}

export interface Trial {
  kiosk: Kiosk
  /** The package that is tried. */
  deb: string
  /** Where variants of it are made. */
  scratch: string
}

const MIGRATION = migration('await db.schema.createTable("trial").addColumn("id", "integer").execute()')
const BROKEN_MIGRATION = migration('throw new Error("this migration fails")')
const NO_START: Patch = {
  old: /const\s+daemon\s*=\s*await\s+startDaemon\(\s*config\s*,\s*log\s*\)\s*;/,
  new: '$& process.exit(3);',
}

/** One more, behind all others. */
function migration(up: string): Patch {
  return {
    old: /var\s+migrations\s*=\s*\{\s*"001-initial"[^}]*?(?=\s*\})/,
    new: `$&, "999-trial": { async up(db) { ${up}; } }`,
  }
}

/** In order: each one begins with the machine as the one before it has left it. */
export const STEPS: Step[] = [
  {
    title: 'from the package to the first JIR',
    isShort: true,
    async run({ kiosk, deb }) {
      const startedAt = performance.now()
      must(await kiosk.install(deb))
      await kiosk.init()
      const { jir, number } = await kiosk.sell()
      assert.equal(number, '1')
      return `JIR ${jir} ${((performance.now() - startedAt) / 1000).toFixed(1)} s after the first of 3 commands`
    },
  },
  {
    title: 'an upgrade goes on with the next number, and leaves a backup',
    isShort: false,
    async run(trial) {
      must(await trial.kiosk.install(variantOf(trial.deb, '1.0.1', [], trial.scratch)))
      return sellsAs(trial, '1.0.1', await trial.kiosk.sell())
    },
  },
  {
    title: 'an upgrade whose migration fails is refused while the old program goes on selling',
    isShort: true,
    async run(trial) {
      const { kiosk, deb, scratch } = trial
      const before = await pid(trial)
      const { code, stdout } = await kiosk.install(variantOf(deb, '1.1.0', [BROKEN_MIGRATION], scratch))
      assert.notEqual(code, 0)
      assert.match(stdout, /version 1\.1\.0 was not put into service/)
      assert.equal(await pid(trial), before, 'the daemon was restarted')
      const sold = await kiosk.sell()
      must(await kiosk.install(variantOf(deb, '1.0.1', [], scratch)))
      return sellsAs(trial, '1.0.1', sold)
    },
  },
  {
    title: 'an upgrade that migrates and does not start is undone, database and all',
    isShort: true,
    async run(trial) {
      const { kiosk, deb, scratch } = trial
      const { code, stdout } = await kiosk.install(variantOf(deb, '1.2.0', [MIGRATION, NO_START], scratch))
      assert.notEqual(code, 0)
      assert.match(stdout, /version 1\.2\.0 was not put into service/)
      const sold = await kiosk.sell()
      must(await kiosk.install(variantOf(deb, '1.0.1', [], scratch)))
      return sellsAs(trial, '1.0.1', sold)
    },
  },
  {
    title: 'an upgrade with a migration keeps every sale',
    isShort: true,
    async run(trial) {
      const { kiosk, deb, scratch } = trial
      must(await kiosk.install(variantOf(deb, '1.3.0', [MIGRATION], scratch)))
      return sellsAs(trial, '1.3.0', await kiosk.sell())
    },
  },
  {
    title: 'an older program is refused on the newer database, and the newer one goes on selling',
    isShort: true,
    async run(trial) {
      const { kiosk, deb, scratch } = trial
      const { code, stdout } = await kiosk.install(variantOf(deb, '1.0.1', [], scratch))
      assert.notEqual(code, 0)
      assert.match(stdout, /newer/)
      const sold = await kiosk.sell()
      must(await kiosk.install(variantOf(deb, '1.3.0', [MIGRATION], scratch)))
      return sellsAs(trial, '1.3.0', sold)
    },
  },
  {
    title: 'who removes it and installs it again sells with the next number',
    isShort: false,
    async run(trial) {
      const { kiosk, deb, scratch } = trial
      must(await kiosk.root.sh('apt-get remove -y fiskd'))
      assert.notEqual((await kiosk.root.sh('systemctl is-active fiskd')).code, 0)
      must(await kiosk.install(variantOf(deb, '1.3.0', [MIGRATION], scratch)))
      return sellsAs(trial, '1.3.0', await kiosk.sell())
    },
  },
  {
    title: 'purging keeps the sales until it is told otherwise',
    isShort: false,
    async run({ kiosk, deb }) {
      const database = kiosk.root.path('var/lib/fiskd/fiskd.db')
      const { stdout } = must(await kiosk.root.sh('apt-get purge -y fiskd 2>&1'))
      assert.match(stdout, /the sales in \/var\/lib\/fiskd .*are kept/)
      assert.ok(existsSync(database))
      assert.ok(!existsSync(kiosk.root.path('etc/fiskd')))
      must(await kiosk.root.sh('FISKD_PURGE_RECORDS=yes dpkg --purge fiskd; mv /var/lib/fiskd /var/lib/kept'))
      must(await kiosk.install(deb))
      must(await kiosk.root.sh('FISKD_PURGE_RECORDS=yes apt-get purge -y fiskd'))
      assert.ok(!existsSync(database))
      assert.notEqual((await kiosk.root.sh('getent passwd fiskd')).code, 0)
      return 'kept, then removed'
    },
  },
]

const pid = async ({ kiosk }: Trial) =>
  must(await kiosk.root.sh('systemctl show --property=MainPID fiskd')).stdout.trim()

/** The version that runs, and what was sold without a gap. */
async function sellsAs({ kiosk }: Trial, version: string, { number }: Sale): Promise<string> {
  const status = JSON.parse(must(await kiosk.root.sh('fisk --json status')).stdout)
  assert.equal(status.version, version)
  const { stdout } = must(await kiosk.root.sh('fisk --json invoice list'))
  const numbers = JSON.parse(stdout).data.map((invoice: { number: string }) => Number.parseInt(invoice.number, 10))
  assert.deepEqual(
    [...numbers].sort((a, b) => a - b),
    Array.from({ length: numbers.length }, (_, index) => index + 1),
  )
  assert.equal(Number.parseInt(number, 10), numbers.length)
  return `fiskd ${version}, ${numbers.length} sales without a gap`
}
