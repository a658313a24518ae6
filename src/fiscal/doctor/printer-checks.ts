import { type Check, failure, fine, warning } from '../../domain/check.ts'
import type { PrinterCondition } from '../../domain/printer.ts'
import type { Clock } from '../ports/clock.ts'
import type { DevicePrinter, PrintJob } from '../ports/model.ts'
import type { Spool } from '../ports/printing.ts'
import type { StoreTransaction } from '../ports/store.ts'
import { withDevice } from '../printing/named-fix.ts'
import type { HealthCheck } from './doctor.ts'

interface Deps {
  store: Pick<StoreTransaction, 'devices' | 'printJobs' | 'printers'>
  spool: Spool
  clock: Clock
}

const DAY_MS = 24 * 3_600_000
/** How many of the latest receipts are checked. */
const RECEIPTS = 50

/** Whether the configured printers print receipts; requests the state of each printer. */
export function printerChecks({ store, spool, clock }: Deps): HealthCheck[] {
  return [{ name: 'printers', run: examine }]

  async function examine(): Promise<Check[]> {
    const printers = await store.printers.all()
    const checks: Check[] = []
    // All in parallel: a lost printer takes seconds.
    await Promise.all(printers.map(({ deviceId }) => spool.look(deviceId)))
    for (const printer of printers) {
      const { deviceId, line } = printer
      const device = await store.devices.get(deviceId)
      const name = `printer ${device?.label ?? deviceId}`
      const condition = spool.condition(deviceId)
      const named = condition && withDevice(condition, device?.label ?? deviceId)
      checks.push(conditionCheck(name, named), await receiptsCheck(name, deviceId))
      const rivals = printers.filter((other) => other.line === line && settingsOf(other) !== settingsOf(printer))
      if (rivals.length > 0) checks.push(await rivalsCheck(name, line, rivals))
    }
    return checks
  }

  async function rivalsCheck(name: string, line: string, rivals: DevicePrinter[]): Promise<Check> {
    const labels: string[] = []
    for (const { deviceId } of rivals) labels.push((await store.devices.get(deviceId))?.label ?? deviceId)
    return failure(
      name,
      `${line} is set differently for ${labels.join(', ')}: only one of them can have it`,
      'give both the same profile and settings, or one another line: fisk printer set DEVICE --line LINE',
    )
  }

  function conditionCheck(name: string, condition: PrinterCondition | undefined): Check {
    const { state = 'unknown', detail = null, fix = null } = condition ?? {}
    const todo = fix ?? 'look at the printer, then: fisk printer test DEVICE'
    if (state === 'ready') return detail === null ? fine(name, 'it is ready') : warning(name, detail, todo)
    if (state !== 'unknown') return failure(name, detail ?? state, todo)
    return detail === null ? fine(name, 'it cannot be asked') : warning(name, detail, todo)
  }

  async function receiptsCheck(name: string, deviceId: string): Promise<Check> {
    const since = clock.now() - DAY_MS
    const jobs = (await store.printJobs.ofDevice(deviceId, RECEIPTS)).filter(({ createdAt }) => createdAt >= since)
    const lost = jobs.filter(({ status }) => status === 'failed' || status === 'expired')
    if (lost.length === 0) return fine(`${name}, receipts`, `none was lost of the last ${jobs.length} in 24 hours`)
    const why = [...new Set(lost.map(({ detail }: PrintJob) => detail ?? 'for no reason that is known'))].slice(0, 3)
    const fix = 'mend the printer; a customer who asks gets a copy: fisk receipt print ID'
    return warning(
      `${name}, receipts`,
      `${lost.length} of the last ${jobs.length} did not come out: ${why.join('; ')}`,
      fix,
    )
  }
}

/** The settings that must be equal for two devices to share a printer. */
function settingsOf({ profile, overrides }: DevicePrinter): string {
  return JSON.stringify([profile, Object.entries(overrides).sort()])
}
