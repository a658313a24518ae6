import { type Check, failure, fine, warning } from '../../domain/check.ts'
import { DAY_MS } from '../../domain/instant.ts'
import type { PrinterCondition } from '../../domain/printer.ts'
import { alike, type Both } from '../../domain/texts/both.ts'
import { PRINTER_WORDS } from '../../domain/texts/printer-texts.ts'
import type { Context } from '../context.ts'
import type { DevicePrinter, PrintJob } from '../ports/model.ts'
import type { Spool } from '../ports/printing.ts'
import { withDevice } from '../printing/printers.ts'
import { few, type HealthCheck } from './doctor.ts'

/** How many of the latest receipts are checked. */
const RECEIPTS = 50

/** Whether the configured printers print receipts; requests the state of each printer. */
export function printerChecks({ store, spool, clock }: Context & { spool: Spool }): HealthCheck[] {
  return [{ name: { en: 'printers', hr: 'pisači' }, run: examine }]

  async function examine(): Promise<Check[]> {
    const printers = await store.printers.all()
    const checks: Check[] = []
    // All in parallel: a lost printer takes seconds.
    await Promise.all(printers.map(({ deviceId }) => spool.look(deviceId)))
    for (const printer of printers) {
      const { deviceId, line } = printer
      const device = await store.devices.get(deviceId)
      const name = { en: `printer ${device?.label ?? deviceId}`, hr: `pisač ${device?.label ?? deviceId}` }
      const condition = spool.condition(deviceId)
      const named = condition && withDevice(condition, device?.label ?? deviceId)
      checks.push(conditionCheck(name, named), await receiptsCheck(name, deviceId))
      const rivals = printers.filter((other) => other.line === line && settingsOf(other) !== settingsOf(printer))
      if (rivals.length > 0) checks.push(await rivalsCheck(name, line, rivals))
    }
    return checks
  }

  async function rivalsCheck(name: Both, line: string, rivals: DevicePrinter[]): Promise<Check> {
    const labels: string[] = []
    for (const { deviceId } of rivals) labels.push((await store.devices.get(deviceId))?.label ?? deviceId)
    const detail = {
      en: `${line} is set differently for ${labels.join(', ')}: only one of them can have it`,
      hr: `priključak ${line} drukčije je postavljen za ${labels.join(', ')}: može ga imati samo jedan`,
    }
    return failure(name, detail, {
      en: 'give both the same profile and settings, or one another line: fisk printer set DEVICE --line LINE',
      hr:
        'postavite obama isti profil i postavke ili jednomu drugi priključak: fisk printer set DEVICE ' + '--line LINE',
    })
  }

  function conditionCheck(name: Both, condition: PrinterCondition | undefined): Check {
    const { state = 'unknown', detail = null, fix = null } = condition ?? {}
    const todo = fix ?? {
      en: 'look at the printer, then: fisk printer test DEVICE',
      hr: 'pogledajte pisač, a zatim: fisk printer test DEVICE',
    }
    if (state === 'ready')
      return detail === null ? fine(name, { en: 'it is ready', hr: 'spreman je' }) : warning(name, detail, todo)
    if (state !== 'unknown') return failure(name, detail ?? alike(state), todo)
    return detail === null
      ? fine(name, { en: 'it cannot be asked', hr: 'ne može se provjeriti' })
      : warning(name, detail, todo)
  }

  async function receiptsCheck(name: Both, deviceId: string): Promise<Check> {
    const receipts = { en: `${name.en}, receipts`, hr: `${name.hr}, ispisani računi` }
    const since = clock.now() - DAY_MS
    const jobs = (await store.printJobs.ofDevice(deviceId, RECEIPTS)).filter(({ createdAt }) => createdAt >= since)
    const lost = jobs.filter(({ status }) => status === 'failed' || status === 'expired')
    if (lost.length === 0)
      return fine(receipts, {
        en: `none was lost of the last ${jobs.length} in 24 hours`,
        hr: `u posljednja 24 sata ispisani su svi, ukupno: ${jobs.length}`,
      })
    const why = few([...new Map(lost.map((job) => [job.detail, whyLost(job)])).values()])
    const fix = {
      en: 'mend the printer; a customer who asks gets a copy: fisk receipt print ID',
      hr: 'popravite pisač; kupcu koji zatraži ispišite kopiju: fisk receipt print ID',
    }
    const detail = {
      en: `${lost.length} of the last ${jobs.length} did not come out: ${why.en}`,
      hr: `nije ispisano ${lost.length} od posljednjih ${jobs.length}: ${why.hr}`,
    }
    return warning(receipts, detail, fix)
  }
}

/** A job keeps what was wrong in English, and its reason. */
function whyLost({ detail, reason }: Pick<PrintJob, 'detail' | 'reason'>): Both {
  if (reason !== null) return { en: detail ?? PRINTER_WORDS[reason].en, hr: PRINTER_WORDS[reason].hr }
  return detail === null ? { en: 'for no reason that is known', hr: 'uzrok nije poznat' } : alike(detail)
}

/** The settings that must be equal for two devices to share a printer. */
function settingsOf({ profile, overrides }: DevicePrinter): string {
  return JSON.stringify([profile, Object.entries(overrides).sort()])
}
