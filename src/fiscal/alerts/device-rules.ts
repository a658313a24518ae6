import type { PrinterCondition } from '../../domain/printer.ts'
import { type PaperRoll, receiptsLeft, wasNearEnd } from '../../domain/printing/paper-roll.ts'
import { subjectOf } from '../../domain/sale/findings.ts'
import type { Device } from '../ports/model.ts'
import type { StoreTransaction } from '../ports/store.ts'
import { activeDevices, OURS, ownMachines } from '../registry/active-devices.ts'
import { type RecentFindings, recentFindings } from '../sales/recent-findings.ts'
import type { Finding, Rule } from './alert-watch.ts'
import { createLastingProblems, type Observation } from './lasting-problem.ts'

/** Devices whose ISU number the tax authority does not know. */
export function isuRule(store: StoreTransaction): Rule {
  return {
    kinds: ['isu_mismatch'],
    async look() {
      const found: Finding[] = []
      const wrong = activeDevices(store, { ...OURS, isuStatus: 'mismatch' })
      for await (const device of wrong) found.push(await mismatchOf(store, device))
      return { found }
    },
  }
}

async function mismatchOf(store: StoreTransaction, device: Device): Promise<Finding> {
  const { id, tenantId, label, companyId, isuNumber } = device
  const company = (await store.companies.get(companyId))?.name ?? companyId
  const detail = { device: label, device_id: id, company, company_id: companyId, isu_number: isuNumber }
  return { tenantId, kind: 'isu_mismatch', subject: id, detail }
}

/** Changing a paper roll takes a few minutes. */
const PRINTER_PATIENCE_MS = 10 * 60_000

/** Printers that cannot print; sales continue without them. */
export function printerRule(
  store: StoreTransaction,
  conditions: () => ReadonlyMap<string, PrinterCondition>,
  elapsed: () => number,
): Rule {
  const patience = createLastingProblems(elapsed, { raiseAfterMs: PRINTER_PATIENCE_MS })
  /** Devices whose printer last reported that it has no paper. */
  const withoutPaper = new Set<string>()

  function isOutOfPaper(deviceId: string, { paper }: PrinterCondition): boolean {
    // A printer with a full buffer stops reporting; the cause is still the paper.
    if (paper === 'out') withoutPaper.add(deviceId)
    else if (paper !== null) withoutPaper.delete(deviceId)
    return withoutPaper.has(deviceId)
  }

  return {
    kinds: ['printer_error', 'printer_out_of_paper'],
    async look() {
      const found: Finding[] = []
      const unclear = new Set<string>()
      const now = conditions()
      for (const [deviceId, condition] of now) {
        const outOfPaper = isOutOfPaper(deviceId, condition)
        const judgement = patience.judge(deviceId, sightOf(condition))
        if (judgement === 'unclear') unclear.add(deviceId)
        if (judgement === 'right') withoutPaper.delete(deviceId)
        const device = judgement === 'wrong' ? await store.devices.get(deviceId) : undefined
        if (!device) continue
        const detail = { device: device.label, device_id: deviceId }
        const kind = outOfPaper ? 'printer_out_of_paper' : 'printer_error'
        found.push({ tenantId: device.tenantId, kind, subject: deviceId, detail })
      }
      patience.keepOnly(new Set(now.keys()))
      return { found, isUnclear: ({ subject }) => unclear.has(subject) }
    },
  }
}

function sightOf({ state, paper }: PrinterCondition): Observation {
  if (state === 'unknown') return null
  return state === 'ready' && paper !== 'out' ? 'right' : 'wrong'
}

/** A sensor near the end of a roll may go back and forth: the alert stays until the roll was changed. */
const LOW_PATIENCE = { raiseAfterMs: 2 * 60_000, clearAfterMs: 2 * 60_000 }

/** Printers whose paper is near its end; about how many receipts are left is said once it was learnt. */
export function paperLowRule(
  store: StoreTransaction,
  conditions: () => ReadonlyMap<string, PrinterCondition>,
  elapsed: () => number,
): Rule {
  const patience = createLastingProblems(elapsed, LOW_PATIENCE)
  return {
    kinds: ['printer_paper_low'],
    async look(_now, open) {
      const found: Finding[] = []
      const unclear = new Set<string>()
      const told = new Set(open.map(({ subject }) => subject))
      const now = conditions()
      for (const [deviceId, { paper }] of now) {
        // Without any paper there is another alert.
        const judgement = patience.judge(deviceId, paper === null ? null : paper === 'near_end' ? 'wrong' : 'right')
        const goesOn =
          judgement === 'right' && paper === 'ok' && told.has(deviceId) && (await isSameRoll(store, deviceId))
        if (judgement === 'unclear' || goesOn) unclear.add(deviceId)
        const device = judgement === 'wrong' ? await store.devices.get(deviceId) : undefined
        if (device) found.push(await lowOf(store, device))
      }
      patience.keepOnly(new Set(now.keys()))
      return { found, isUnclear: ({ subject }) => unclear.has(subject) }
    },
  }
}

async function rollOf(store: StoreTransaction, deviceId: string): Promise<PaperRoll | undefined> {
  const printer = await store.printers.get(deviceId)
  return printer && store.paperRolls.get(printer.line)
}

async function isSameRoll(store: StoreTransaction, deviceId: string): Promise<boolean> {
  const roll = await rollOf(store, deviceId)
  return roll !== undefined && wasNearEnd(roll)
}

async function lowOf(store: StoreTransaction, { id, tenantId, label }: Device): Promise<Finding> {
  const roll = await rollOf(store, id)
  const left = roll ? receiptsLeft(roll) : null
  const detail = { device: label, device_id: id, ...(left !== null && { receipts_left: left }) }
  return { tenantId, kind: 'printer_paper_low', subject: id, detail }
}

/** One sale may be odd; three of the latest ones show what a machine does. */
const TOLD_FROM = 3

/**
 * Machines that make the same mistake again and again: the tax authority will find it in their sales. An alert ends when
 * fewer than three of the latest sales have any one finding in common. Of sales that were delivered late after an outage
 * there are other alerts, and nothing is to be corrected in them.
 */
export function findingsRule(store: StoreTransaction): Rule {
  /** Read again once the machine has got another JIR, or is configured otherwise. */
  let known = new Map<string, RecentFindings>()
  return {
    kinds: ['sale_findings'],
    async look() {
      const found: Finding[] = []
      const read: typeof known = new Map()
      for await (const machine of ownMachines(store)) {
        const { device, company } = machine
        const state = JSON.stringify([device, company])
        const recent = known.get(state) ?? (await recentFindings(store, machine))
        read.set(state, recent)
        const often = [...recent.counts].flatMap(([code, count]) => (count >= TOLD_FROM ? code : []))
        const codes = often.filter((code) => subjectOf(code) !== 'delay').sort()
        if (codes.length === 0) continue
        const taxes_whole_total = recent.overtaxed >= TOLD_FROM
        const whose = { device: device.label, device_id: device.id, company: company.name, company_id: company.id }
        const detail = { ...whose, mode: company.mode, codes, taxes_whole_total }
        found.push({ tenantId: device.tenantId, kind: 'sale_findings', subject: device.id, detail })
      }
      known = read
      return { found }
    },
  }
}
