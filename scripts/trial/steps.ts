import assert from 'node:assert/strict'
import { candidate, configure, follow, isConfigured, update, upgrade, upgradeUnattended } from './administrator.ts'
import type { Archive } from './archive.ts'
import type { Sale } from './firmware.ts'
import type { Kiosk } from './kiosk.ts'
import { type ReleaseName, release, version } from './releases.ts'
import { replaceController } from './replacement.ts'
import { isTrue, must } from './root.ts'
import { SHOP_STEPS } from './shop-steps.ts'

export interface Step {
  title: string
  /** Part of the short form. */
  isShort: boolean
  run(trial: Trial): Promise<string>
}

export interface Trial {
  kiosk: Kiosk
  archive: Archive
  /** The package that is tried. */
  deb: string
  /** The one that the machine is given first. */
  oldest: string
  /** Where variants of the package are made. */
  scratch: string
}

/** What apt says, whichever program verifies for it. */
const NOT_BELIEVED = /error occurred during the signature verification/

/** In order: each one begins with the machine as the one before it has left it. */
export const STEPS: Step[] = [
  {
    title: 'from the repository to the first JIR',
    isShort: true,
    async run({ kiosk, archive, oldest }) {
      archive.publish([oldest])
      const startedAt = performance.now()
      await follow(kiosk.root, archive)
      assert.doesNotMatch(must(await update(kiosk.root)).stdout, /^[EW]:/m)
      must(await kiosk.root.sh('apt-get install -y fiskd unattended-upgrades 2>&1'))
      await kiosk.init()
      const { jir, number } = await kiosk.sell()
      assert.equal(number, '1')
      await configure(kiosk.root)
      const node = must(await kiosk.root.sh('/usr/lib/fiskd/bin/node --version')).stdout.trim()
      return `JIR ${jir} ${((performance.now() - startedAt) / 1000).toFixed(1)} s after the first command, on Node ${node}`
    },
  },
  ...SHOP_STEPS,
  {
    title: 'apt upgrade goes on with the next number, asks nothing, leaves a backup, and knows what is new',
    isShort: false,
    async run(trial) {
      trial.archive.publish([release(trial, 'next')])
      must(await upgrade(trial.kiosk.root))
      assert.ok(await isConfigured(trial.kiosk.root))
      const { stdout: backups } = must(await trial.kiosk.root.sh('ls /var/backups/fiskd/before-*.db'))
      assert.equal(backups.trim().split('\n').length, 1)
      assert.match(must(await trial.kiosk.root.sh('apt-get changelog fiskd')).stdout, /^fiskd \(\S+\) stable;/m)
      return sellsAs(trial, version('next'), await trial.kiosk.sell())
    },
  },
  {
    title: 'a version that fails under unattended-upgrades is undone, and the next one repairs it',
    isShort: false,
    async run(trial) {
      const { kiosk, archive } = trial
      archive.publish([release(trial, 'refused')])
      assertRefused((await upgradeUnattended(kiosk.root)).stdout, 'refused')
      await kiosk.sell()
      archive.publish([release(trial, 'repaired')])
      must(await upgradeUnattended(kiosk.root))
      return sellsAs(trial, version('repaired'), await kiosk.sell())
    },
  },
  {
    title: 'what another key has signed, and what was changed, is refused',
    isShort: true,
    async run(trial) {
      const { kiosk, archive } = trial
      const before = await candidate(kiosk.root)
      archive.publish([release(trial, 'current')], 'stranger')
      assert.match((await update(kiosk.root)).stdout, NOT_BELIEVED)
      assert.equal(await candidate(kiosk.root), before)
      archive.publish([])
      archive.change('Label: fiskd', 'Label: other')
      assert.match((await update(kiosk.root)).stdout, NOT_BELIEVED)
      assert.equal(await candidate(kiosk.root), before)
      return `apt stays with ${before}`
    },
  },
  {
    title: 'unattended-upgrades keeps a machine current that sells meanwhile',
    isShort: true,
    async run(trial) {
      const { kiosk, archive } = trial
      archive.publish([release(trial, 'current')])
      const upgraded = upgradeUnattended(kiosk.root)
      const sold = await kiosk.sellDuring(upgraded)
      must(await upgraded)
      assert.ok(await isConfigured(kiosk.root))
      return sellsAs(trial, version('current'), sold)
    },
  },
  {
    title: 'an upgrade whose migration fails is refused while the old program goes on selling',
    isShort: true,
    async run(trial) {
      const { kiosk } = trial
      const before = await pid(trial)
      const { code, stdout } = await kiosk.install(release(trial, 'unmigrated'))
      assert.notEqual(code, 0)
      assertRefused(stdout, 'unmigrated')
      assert.equal(await pid(trial), before, 'the daemon was restarted')
      const sold = await kiosk.sell()
      must(await kiosk.install(release(trial, 'current')))
      return sellsAs(trial, version('current'), sold)
    },
  },
  {
    title: 'an upgrade that migrates and does not start is undone, database and all',
    isShort: true,
    async run(trial) {
      const { kiosk } = trial
      const { code, stdout } = await kiosk.install(release(trial, 'unstarted'))
      assert.notEqual(code, 0)
      assertRefused(stdout, 'unstarted')
      const sold = await kiosk.sell()
      must(await kiosk.install(release(trial, 'current')))
      return sellsAs(trial, version('current'), sold)
    },
  },
  {
    title: 'an upgrade with a migration keeps every sale',
    isShort: true,
    async run(trial) {
      const { kiosk } = trial
      must(await kiosk.install(release(trial, 'migrated')))
      return sellsAs(trial, version('migrated'), await kiosk.sell())
    },
  },
  {
    title: 'an older program is refused on the newer database, and the newer one goes on selling',
    isShort: true,
    async run(trial) {
      const { kiosk } = trial
      const { code, stdout } = await kiosk.install(release(trial, 'current'))
      assert.notEqual(code, 0)
      assert.match(stdout, /newer/)
      const sold = await kiosk.sell()
      must(await kiosk.install(release(trial, 'migrated')))
      return sellsAs(trial, version('migrated'), sold)
    },
  },
  {
    title: 'who removes it and installs it again sells with the next number',
    isShort: false,
    async run(trial) {
      const { kiosk } = trial
      must(await kiosk.root.sh('apt-get remove -y fiskd'))
      assert.notEqual((await kiosk.root.sh('systemctl is-active fiskd')).code, 0)
      must(await kiosk.install(release(trial, 'migrated')))
      return sellsAs(trial, version('migrated'), await kiosk.sell())
    },
  },
  {
    title: 'purging keeps the sales until it is told otherwise',
    isShort: false,
    async run({ kiosk, deb }) {
      const kept = () => isTrue(kiosk.root, 'test -e /var/lib/fiskd/fiskd.db')
      const { stdout } = must(await kiosk.root.sh('apt-get purge -y fiskd 2>&1'))
      assert.match(stdout, /the sales in \/var\/lib\/fiskd .*are kept/)
      assert.ok(await kept())
      assert.ok(!(await isTrue(kiosk.root, 'test -e /etc/fiskd')))
      must(await kiosk.root.sh('FISKD_PURGE_RECORDS=yes dpkg --purge fiskd; mv /var/lib/fiskd /var/lib/kept'))
      must(await kiosk.install(deb))
      must(await kiosk.root.sh('FISKD_PURGE_RECORDS=yes apt-get purge -y fiskd'))
      assert.ok(!(await kept()))
      assert.notEqual((await kiosk.root.sh('getent passwd fiskd')).code, 0)
      return 'kept, then removed'
    },
  },
  {
    title: 'a fresh card takes the place of a controller that died, and goes on with its numbers',
    isShort: true,
    run: replaceController,
  },
]

function assertRefused(said: string, name: ReleaseName): void {
  assert.ok(said.includes(`version ${version(name)} was not put into service`), said.slice(-3000))
}

const pid = async ({ kiosk }: Trial) =>
  must(await kiosk.root.sh('systemctl show --property=MainPID fiskd')).stdout.trim()

/** The version that runs, and what was sold without a gap. */
async function sellsAs({ kiosk }: Trial, running: string, { number }: Sale): Promise<string> {
  const status = JSON.parse(must(await kiosk.root.sh('fisk --json status')).stdout)
  assert.equal(status.version, running)
  const { stdout } = must(await kiosk.root.sh('fisk --json invoice list --all'))
  const numbers = JSON.parse(stdout).data.map((invoice: { number: string }) => Number.parseInt(invoice.number, 10))
  assert.deepEqual(
    [...numbers].sort((a, b) => a - b),
    Array.from({ length: numbers.length }, (_, index) => index + 1),
  )
  assert.equal(Number.parseInt(number, 10), numbers.length)
  return `fiskd ${running}, ${numbers.length} sales without a gap`
}
