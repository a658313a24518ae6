import { setImmediate } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { FiskError, invalidRequest } from '../../domain/errors.ts'
import { premisesHeld } from '../../domain/premises/owned-by-gateway.ts'
import { type SharedPremises, sharedPremises } from '../../domain/premises/shared-premises.ts'
import { tidyName } from '../../domain/texts/name.ts'
import { audit } from '../access/audit-log.ts'
import { type Principal, requireScope } from '../access/principal.ts'
import { inSlices } from '../in-slices.ts'
import type { Company, Device, JsonObject } from '../ports/model.ts'
import type { StoreTransaction } from '../ports/store.ts'
import { type Keep, keeping } from '../sales/idempotency.ts'
import { activeDevices } from './active-devices.ts'
import { findCompany } from './companies.ts'
import { requireSmall, requireValidSettings } from './config-limits.ts'
import type { PlacingContext } from './context.ts'
import { isuNumberTaken, isuStatusOf, type NewDevice, newDevice } from './devices.ts'
import { batchesOf, unitsOf } from './import-order.ts'
import { auditedClaim, claimNewPremises } from './new-premises.ts'
import { heldPremises, requireOurs } from './owned-by-gateway.ts'

/** One row of the file. Null fields were left blank and change nothing. */
export interface ImportRow extends Pick<Device, 'label' | 'premisesCode' | 'isuNumber'> {
  /** The first line of the row in the file; the header is line 1. */
  line: number
  deviceConfig: JsonObject | null
  /** Whose machine it is: the sheet of `fisk isu pending` has those of all companies. */
  companyOib: string | null
}

/** A row with a fault that was found without the database. */
export interface WrongRow {
  line: number
  label: string
  refusal: FiskError
}

export interface DeviceTable {
  rows: (ImportRow | WrongRow)[]
  /** The columns that nothing was read from. */
  ignored: string[]
}

export type RowError = Pick<FiskError, 'code' | 'message' | 'param' | 'reason' | 'about'> & {
  row: number
  label: string
}

/** The result of a valid row. Both `changed` and `unchanged` count as updated. */
export interface RowOutcome extends Pick<Device, 'label' | 'premisesCode' | 'isuNumber'> {
  row: number
  outcome: 'created' | 'changed' | 'unchanged'
  /** The old and new values of a changed device. */
  changes: { isuNumber?: { from: string | null; to: string }; deviceConfig?: { from: JsonObject; to: JsonObject } }
}

/** The result of a file (docs/spec/interface.md, POST /v1/devices/import). */
export interface ImportReport {
  dryRun: boolean
  processed: number
  created: number
  updated: number
  failed: number
  errors: RowError[]
  rows: RowOutcome[]
  /** Machines at premises of the file that share their premises code afterwards. */
  shared: SharedPremises[]
  ignored: string[]
}

/**
 * Registers and updates the devices of a file, matched by label within the company. Each row succeeds or fails alone, but
 * for rows that exchange their ISU numbers: whether a number is free is judged by what the whole file leaves. Importing a file again changes nothing. A blank ISU number never removes one, because that machine could no
 * longer sell. The audit log gets one entry at the end. After a crash the caller has no answer and imports the file
 * again; the entry is then written by that import.
 * @throws FiskError 404 for an unknown company, `mode_mismatch`, `insufficient_scope`; nothing is written then
 */
export async function importDevices(
  { store, clock, newUuid, premises: authority }: PlacingContext,
  principal: Principal,
  {
    companyId: named,
    rows,
    ignored = [],
    dryRun,
  }: Pick<DeviceTable, 'rows'> & Partial<DeviceTable> & { companyId: string; dryRun: boolean },
  keep?: Keep<ImportReport>,
): Promise<ImportReport> {
  requireScope(principal, 'fleet:write')
  const company = await findCompany(store, principal, named)
  const companyId = company.id
  requireOurs('company', company, 'company_id')
  const report: ImportReport = {
    dryRun,
    processed: 0,
    created: 0,
    updated: 0,
    failed: 0,
    errors: [],
    rows: [],
    shared: [],
    ignored,
  }
  const make = (device: NewDevice) => newDevice(device, { id: newUuid(), tenantId: company.tenantId, now: clock.now() })
  const rehearsal = rehearse(store)
  const at = (premisesCode: string) => ({ companyId, premisesCode })
  // A dry run does not ask the authority, because asking claims the premises.
  const claimed = await claimNewPremises(
    { store, premises: dryRun ? undefined : authority },
    company.tenantId,
    codesOf(rows).map(at),
  )
  const ofCompany = { tenantId: company.tenantId, mode: null, companyIds: null, companyId }
  const labels = new Map<string, string>()
  for await (const { label, isuNumber } of inSlices((slice) => store.devices.list({ ...ofCompany, ours: true }, slice)))
    if (isuNumber !== null) labels.set(isuNumber, tidyName(label))
  for (const batch of batchesOf(unitsOf(rows, labels))) {
    const premises = codesOf(batch.flat()).map(at)
    const apply = async (tx: StoreTransaction, devices: Register) => {
      const held = [...(await heldPremises(tx, company.tenantId, premises))].map(
        ([code, by]) => [code, premisesHeld(code, by)] as const,
      )
      await applyRows(
        devices,
        { company, principal, refused: new Map([...claimed.refused, ...held]) },
        batch,
        make,
        report,
      )
    }
    if (dryRun) await apply(store, rehearsal)
    else {
      const before = structuredClone(report)
      await store.transaction(async (tx) => {
        await tx.subjects.hold('premises')
        // The transaction may run again, so count from the saved state.
        Object.assign(report, structuredClone(before))
        return apply(tx, tx.devices)
      })
    }
    // The database calls never release the event loop: let waiting sales run first.
    await setImmediate()
  }
  const byLine = (one: { row: number }, other: { row: number }) => one.row - other.row
  report.rows.sort(byLine)
  report.errors.sort(byLine)
  const devices = new Map<string, Device>()
  for await (const device of activeDevices(store, ofCompany)) devices.set(device.id, device)
  for (const device of rehearsal.written.values()) devices.set(device.id, device)
  const codes = new Set(report.rows.map(({ premisesCode }) => premisesCode))
  const beside = [...devices.values()].filter(
    ({ premisesCode, status }) => status === 'active' && codes.has(premisesCode),
  )
  report.shared = sharedPremises(beside, company.fiscalConfig)
  return keeping(store, keep, async (tx) => {
    const { created, updated, failed } = report
    const changed = report.rows.filter(({ outcome }) => outcome === 'changed').length
    const detail = { company_id: company.id, created, changed, failed, ...auditedClaim(claimed) }
    if (!dryRun && created + updated > 0) await audit(tx, principal, clock.now(), 'devices.imported', detail)
    return report
  })
}

/** The company of the devices, and where they may not be. */
interface ImportTarget {
  company: Company
  principal: Principal
  /** Premises of other sellers, by their codes. */
  refused: ReadonlyMap<string, FiskError>
}

const codesOf = (rows: readonly (ImportRow | WrongRow)[]) => [
  ...new Set(rows.flatMap((row) => ('premisesCode' in row ? row.premisesCode : []))),
]

/** The device operations of an import: on the real devices, or on those of a dry run. */
type Register = Pick<StoreTransaction['devices'], 'labelled' | 'withIsuNumber' | 'insert' | 'update'>

async function applyRows(
  devices: Register,
  target: ImportTarget,
  units: readonly (readonly (ImportRow | WrongRow)[])[],
  make: (device: NewDevice) => Device,
  report: ImportReport,
): Promise<void> {
  const freed = new Map<ImportRow | WrongRow, string | null>()
  for (const unit of units) if (unit.length > 1) await freeNumber(devices, target, unit, freed)
  for (const row of units.flatMap((unit) => unit.toReversed())) {
    report.processed++
    try {
      if ('refusal' in row) throw row.refusal
      const applied = await applyRow(devices, target, row, make)
      const from = freed.get(row)
      if (applied.changes.isuNumber && from) applied.changes.isuNumber.from = from
      report[applied.outcome === 'created' ? 'created' : 'updated']++
      report.rows.push({ row: row.line, label: row.label, premisesCode: row.premisesCode, ...applied })
    } catch (error) {
      if (!(error instanceof FiskError)) throw error
      const { code, message, param, reason, about } = error
      report.failed++
      report.errors.push({ row: row.line, label: row.label, code, message, param, reason, about })
    }
  }
}

/**
 * Takes the number from the first of the devices that hand their numbers round, if all their rows are right: only then
 * each gets its new one, in the same transaction.
 */
async function freeNumber(
  devices: Register,
  target: ImportTarget,
  circle: readonly (ImportRow | WrongRow)[],
  freed: Map<ImportRow | WrongRow, string | null>,
): Promise<void> {
  const found: Device[] = []
  for (const row of circle) {
    const known = 'refusal' in row ? undefined : await checkRow(devices, target, row).catch(refusalsOnly)
    if (!known?.existing) return
    found.push(known.existing)
  }
  const [row] = circle
  const [first] = found
  // Another import may have changed them since.
  const isRound = circle.every(
    (one, at) => 'isuNumber' in one && one.isuNumber === found[(at + 1) % found.length]?.isuNumber,
  )
  if (!row || !first || !isRound) return
  freed.set(row, first.isuNumber)
  await devices.update(first.id, { isuNumber: null, isuStatus: isuStatusOf(null) })
}

function refusalsOnly(error: unknown): undefined {
  if (!(error instanceof FiskError)) throw error
}

/** What a row is about. @throws FiskError for what is wrong with it, its ISU number aside */
async function checkRow(
  devices: Register,
  { company }: ImportTarget,
  { label, premisesCode, deviceConfig, companyOib }: ImportRow,
) {
  const foreign = `the row is of company ${companyOib}, not of ${company.oib}: remove it, or import it there`
  if (companyOib !== null && companyOib !== company.oib)
    throw invalidRequest('company_oib', foreign, 'row_of_other_company')
  const existing = await devices.labelled(company.id, label)
  const merged = deviceConfig ? { ...existing?.deviceConfig, ...deviceConfig } : undefined
  requireSmall({ device_config: merged })
  requireValidSettings('device_config', merged, existing?.deviceConfig)
  if (existing && existing.premisesCode !== premisesCode) {
    const { premisesCode: about } = existing
    const message = `${label} stands at premises ${about}, which cannot be changed: archive it and register a new one under another label`
    throw new FiskError('invalid_request', message, {
      param: 'premises_code',
      reason: 'premises_of_device_fixed',
      about,
    })
  }
  return { existing, merged }
}

async function applyRow(
  devices: Register,
  target: ImportTarget,
  row: ImportRow,
  make: (device: NewDevice) => Device,
): Promise<Pick<RowOutcome, 'isuNumber' | 'outcome' | 'changes'>> {
  const { company, refused, principal } = target
  const { label, premisesCode, isuNumber } = row
  const { existing, merged } = await checkRow(devices, target, row)
  const holder = isuNumber === null ? undefined : await devices.withIsuNumber(isuNumber)
  if (holder && holder.id !== existing?.id) throw isuNumberTaken(principal, isuNumber, holder)
  const refusal = existing ? undefined : refused.get(premisesCode)
  if (refusal) throw refusal
  if (!existing) {
    const device = { companyId: company.id, premisesCode, premisesAddress: null, label, isuNumber }
    await devices.insert(make({ ...device, deviceConfig: merged ?? {} }))
    return { isuNumber, outcome: 'created', changes: {} }
  }
  const { isuNumber: number, deviceConfig: config } = existing
  const changes: RowOutcome['changes'] = {
    ...(isuNumber !== null && isuNumber !== number && { isuNumber: { from: number, to: isuNumber } }),
    ...(merged && !isDeepStrictEqual(merged, config) && { deviceConfig: { from: config, to: merged } }),
  }
  await devices.update(existing.id, {
    ...(changes.isuNumber && { isuNumber, isuStatus: isuStatusOf(isuNumber) }),
    ...(changes.deviceConfig && { deviceConfig: changes.deviceConfig.to }),
  })
  const outcome = Object.keys(changes).length === 0 ? 'unchanged' : 'changed'
  return { isuNumber: isuNumber ?? number, outcome, changes }
}

/** Simulates an import: reads the real devices, and keeps writes in memory. */
function rehearse({ devices }: StoreTransaction): Register & { written: ReadonlyMap<string, Device> } {
  const written = new Map<string, Device>()
  const labels = new Map<string, string>()
  const isuNumbers = new Map<string, string>()
  const write = (device: Device) => {
    written.set(device.id, device)
    labels.set(device.label, device.id)
    if (device.isuNumber !== null) isuNumbers.set(device.isuNumber, device.id)
  }
  const current = (device: Device | undefined) => device && (written.get(device.id) ?? device)
  return {
    written,
    async labelled(companyId, label) {
      return written.get(labels.get(label) ?? '') ?? devices.labelled(companyId, label)
    },
    async withIsuNumber(isuNumber) {
      const holder = written.get(isuNumbers.get(isuNumber) ?? '') ?? current(await devices.withIsuNumber(isuNumber))
      return holder?.isuNumber === isuNumber ? holder : undefined
    },
    async insert(device) {
      write(device)
    },
    async update(id, changes) {
      const device = written.get(id) ?? (await devices.get(id))
      if (device) write({ ...device, ...changes })
    },
  }
}
