import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createPki, startSimulator } from '../../../src/simulator/index.ts'
import { bootRoot } from '../booted-root.ts'
import { createFirmware } from '../firmware.ts'
import { CIS_ADDRESS, createField, ip, LAN_ADDRESS, OIB, putCertificate } from './field.ts'
import { sellFirst } from './first-sale.ts'
import { MACHINE_MISTAKES } from './machine-mistakes.ts'
import type { Mistake } from './mistake.ts'
import { type Played, play, tableOf } from './play.ts'
import { PRINTER_MISTAKES } from './printer-mistakes.ts'
import { SERVICE_MISTAKES } from './service-mistakes.ts'
import { SET_UP_MISTAKES } from './set-up-mistakes.ts'

const MISTAKES: Mistake[] = [...SET_UP_MISTAKES, ...PRINTER_MISTAKES, ...SERVICE_MISTAKES, ...MACHINE_MISTAKES]

const { values } = parseArgs({
  options: {
    root: { type: 'string', default: '' },
    deb: { type: 'string', default: '' },
    short: { type: 'boolean', default: false },
    only: { type: 'string' },
    table: { type: 'string' },
  },
})

/** This process is alone in a network of its own, which its machine and its authority share. */
async function main(): Promise<number> {
  ip('link', 'set', 'lo', 'up')
  ip('link', 'add', 'lan', 'type', 'veth', 'peer', 'name', 'switch')
  for (const one of ['lan', 'switch']) ip('link', 'set', one, 'up')
  ip('address', 'add', `${LAN_ADDRESS}/24`, 'dev', 'lan')
  ip('address', 'add', `${CIS_ADDRESS}/32`, 'dev', 'lo')
  const scratch = mkdtempSync(join(tmpdir(), 'fiskd-mistakes-'))
  const cis = await startSimulator({ host: CIS_ADDRESS })
  const root = await bootRoot(values.root)
  const rows: Played[] = []
  let failed = 0
  try {
    const firmware = createFirmware(root, { port: 8443, name: '127.0.0.1' })
    const releases = { deb: values.deb, scratch }
    const field = createField({ root, cis, stranger: await createPki(), firmware, releases })
    writeFileSync(root.path('etc/hosts'), `127.0.0.1 localhost ${hostname()}\n${CIS_ADDRESS} cis.test\n`)
    writeFileSync(root.path('root/ca.pem'), cis.pki.bundlePem)
    putCertificate(field, 'fiskal1', await cis.pki.issueCompany({ oib: OIB }))
    copyFileSync(values.deb, root.path('root/fiskd.deb'))
    // The authority of this trial in the place of the real one.
    mkdirSync(root.path('etc/systemd/system/fiskd.service.d'), { recursive: true })
    const url = `https://cis.test:${new URL(cis.url).port}${new URL(cis.url).pathname}`
    writeFileSync(
      root.path('etc/systemd/system/fiskd.service.d/trial.conf'),
      `[Service]\nEnvironment=FISKD_CIS_TEST_URL=${url}\n`,
    )
    process.stdout.write(`ok  from the package to the first sale: ${await sellFirst(field)}\n`)
    for (const mistake of MISTAKES.filter(isWanted)) {
      // One that stays unmended may break those behind it: all are told.
      try {
        const row = await play(mistake, field)
        rows.push(row)
        process.stdout.write(`ok  ${row.title}: ${row.commands.join('; ')} (${row.seconds.toFixed(1)} s)\n`)
      } catch (error) {
        failed += 1
        const log = await root.sh('journalctl -u fiskd -o cat -n 12')
        process.stderr.write(`FAILED ${mistake.title}: ${(error as Error).message}\n${log.stdout.slice(-1500)}\n`)
      }
    }
    await field.printer?.close()
    return failed === 0 ? 0 : 1
  } catch (error) {
    const log = await root.sh('journalctl -u fiskd -o cat -n 30')
    process.stderr.write(`FAILED ${(error as Error).stack}\n${log.stdout.slice(-3000)}\n`)
    return 1
  } finally {
    if (values.table) writeFileSync(values.table, `${tableOf(rows)}\n`)
    else process.stdout.write(`\n${tableOf(rows)}\n`)
    await root.close()
    await cis.close()
    rmSync(scratch, { recursive: true, force: true })
  }
}

function isWanted({ title, isShort }: Mistake): boolean {
  if (values.only !== undefined) return title.includes(values.only)
  return isShort === true || !values.short
}

process.exitCode = await main()
process.exit()
