import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import type { Check } from '../../src/domain/check.ts'
import { run } from '../package/run.ts'
import type { EmulatedRoot } from './emulated-root.ts'
import { isTrue, must, type Root } from './root.ts'
import type { Step } from './steps.ts'

const DEVICE = '"Lobby 1"'
/** The receipt of a sale comes out within, on a computer. */
const PAPER_S = 10

/** What a technician looks at after the first sale, before the machine is left alone. */
export const SHOP_STEPS: Step[] = [
  {
    title: 'the receipt of a sale comes out of the printer, once, with its JIR and QR code',
    isShort: false,
    async run({ kiosk }) {
      const { root } = kiosk
      const settings = `--line ${root.printer.line} --profile epson-tm-t20`
      must(await root.sh(`fisk printer set ${DEVICE} ${settings}`))
      must(await root.sh(`fisk printer test ${DEVICE}`))
      const { jir, qr } = await kiosk.sell()
      const from = performance.now()
      const receipts = () => root.printer.papers.filter(({ text }) => text.replace(/\s/g, '').includes(jir))
      while (receipts().length === 0) {
        assert.ok(performance.now() - from < PAPER_S * 1000 * root.patience, `no receipt with JIR ${jir}`)
        await pause(200)
      }
      const seconds = (performance.now() - from) / 1000
      await pause(1000)
      assert.equal(receipts().length, 1)
      const [receipt] = receipts()
      assert.ok(receipt?.cut)
      // As a customer's phone sees it.
      assert.equal(run('zbarimg', ['--raw', '-q', '-'], { input: receipt.png() }).trim(), qr)
      return `on ${root.printer.line} ${seconds.toFixed(1)} s after the answer`
    },
  },
  {
    title: 'the doctor finds nothing broken, and a backup has every sale',
    isShort: false,
    async run({ kiosk }) {
      const { root } = kiosk
      const { stdout } = await root.sh('fisk --json doctor')
      const checks: Check[] = JSON.parse(stdout).checks
      assert.ok(checks.length > 20, stdout)
      assert.deepEqual(
        checks.filter(({ status }) => status === 'fail'),
        [],
      )
      must(await root.sh('fisk backup /root/backup.db && fisk backup - > /root/second.db'))
      // The nightly copy, as the timer makes it.
      must(await root.sh('systemctl start fiskd-backup.service && ls /var/backups/fiskd/*.db'))
      const count = `const { DatabaseSync } = require('node:sqlite'); const db = new DatabaseSync('/root/backup.db', { readOnly: true });
        console.log(db.prepare('select count(*) as sales from invoices').get().sales)`
      const { stdout: sales } = must(await root.sh(`/usr/lib/fiskd/bin/node -e "${count}"`))
      assert.equal(Number(sales), await salesOf(root))
      const well = checks.filter(({ status }) => status === 'ok').length
      return `${well} of ${checks.length} checks are ok, ${sales.trim()} sales in the backup`
    },
  },
  {
    title: 'what resides is little',
    isShort: false,
    async run({ kiosk }) {
      const { root } = kiosk
      for (let sale = 0; sale < 20; sale += 1) await kiosk.sell()
      const pid = must(await root.sh('systemctl show --value --property=MainPID fiskd')).stdout.trim()
      const { stdout } = must(
        await root.sh(`cat /proc/${pid}/smaps_rollup; grep -E '^(MemTotal|MemAvailable|SwapTotal):' /proc/meminfo`),
      )
      const megabytes = (name: string) => Number(new RegExp(`^${name}: +(\\d+) kB$`, 'm').exec(stdout)?.[1]) / 1024
      const told = ['Rss', 'Pss', 'MemTotal', 'MemAvailable', 'SwapTotal'].map(
        (name) => `${name} ${megabytes(name).toFixed(0)} MB`,
      )
      assert.ok(megabytes('Pss') < MOST_PSS_MB, told.join(', '))
      assert.ok(!(await isTrue(root, 'journalctl -k --no-pager | grep -q "Out of memory"')))
      return `after 20 more sales: ${told.join(', ')}`
    },
  },
]

/** What fiskd may take of the 512 MB of the smallest board. */
const MOST_PSS_MB = 200

/** What takes a power switch. */
export const powerSteps = (machine: EmulatedRoot): Step[] => [
  {
    title: 'the current goes away while it sells, and comes back: it sells with the next number',
    isShort: false,
    async run({ kiosk }) {
      const before = await kiosk.sell()
      const startedAt = performance.now()
      await machine.cutPower()
      const up = performance.now()
      const after = await kiosk.sellAgain()
      assert.equal(Number(after.number), Number(before.number) + 1)
      const seconds = (until: number) => ((until - startedAt) / 1000).toFixed(1)
      return `up after ${seconds(up)} s, JIR ${after.jir} after ${seconds(performance.now())} s`
    },
  },
]

async function salesOf(root: Root): Promise<number> {
  return JSON.parse(must(await root.sh('fisk --json invoice list --all')).stdout).data.length
}
