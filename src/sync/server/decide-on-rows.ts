import { isDeepStrictEqual } from 'node:util'
import { premisesBelongTo } from '../../domain/premises/owned-by-gateway.ts'
import { MESSAGE_ARCHIVE } from '../../domain/sale/message-reading-limits.ts'
import { higherReceiptNumber, isWithinReach, sequenceRegister } from '../../domain/sale/receipt-number.ts'
import { type Acceptance, OUT_OF_REACH } from '../../fiscal/ports/enrolment.ts'
import type { GatewayRecord, Premises } from '../../fiscal/ports/gateways.ts'
import { sequenceKey } from '../../fiscal/ports/model.ts'
import type { RecordOf, RowKey, SyncKind, SyncRecord, SyncRows } from '../../fiscal/ports/outbox.ts'
import { SYNC_KINDS } from '../../fiscal/ports/outbox.ts'
import type { KnownRows, ReplicaChanges } from '../../fiscal/ports/replicas.ts'
import type { RefusalCode, WireRefusal } from '../wire/records.ts'

/** The gateway states other facts about a company than the owner of its row. */
export interface CompanyConflict {
  companyId: string
  oib: string
  fields: string[]
}

export interface Verdict {
  changes: ReplicaChanges & { uncounted: Set<string> }
  /** What is stored, by this batch or before it. */
  taken: RowKey[]
  refused: WireRefusal[]
  companies: CompanyConflict[]
  /** Devices that are new, or have another label or ISU number: what may clash with what others say. */
  renamed: RecordOf<'device'>[]
}

type Refused = Pick<WireRefusal, 'code' | 'message'>
type Ruling = 'insert' | 'update' | 'known' | Refused

/**
 * Decides on the records of a gateway one by one, parents before children. It makes no queries: `known` holds the
 * stored rows of the records and of their parents, and each decision is added to it.
 * @param companies the companies that the gateway may sell for; null for all companies of its tenant
 * @param holderOf returns the name of the holder of a premises that the gateway does not hold
 * @param accepted the operator's decisions on invoices whose numbers are out of reach, by invoice id
 */
export function decide(
  gateway: Pick<GatewayRecord, 'id' | 'tenantId'>,
  records: readonly SyncRecord[],
  known: KnownRows,
  companies: ReadonlySet<string> | null,
  holderOf: (companyId: string, premisesCode: string) => string,
  accepted: ReadonlyMap<string, Acceptance> = new Map(),
): Verdict {
  const verdict: Verdict = { changes: noChanges(), taken: [], refused: [], companies: [], renamed: [] }
  const highest = new Map(known.sequences.map((one) => [sequenceKey(one), one.highest]))
  /** Where in its list a row stands that is new. */
  const inserted = new Map<string, number>()
  const judges: { [K in SyncKind]: (record: RecordOf<K>) => Ruling } = {
    company: (record) => judgeCompany(record),
    certificate: (record) => judgeCertificate(record),
    device: (record) => judgeDevice(record),
    invoice: (record) => judgeInvoice(record),
    message: (record) => judgeMessage(record),
    print_job: (record) => judgePrintJob(record),
    request: (record) => judgeRequest(record),
    alert: (record) => judgeByVersion(known.alert.get(record.id), record.version),
  }

  for (const kind of SYNC_KINDS) {
    for (const record of records) if (record.kind === kind) applyRuling(record, judges[kind](record as never))
  }
  return verdict

  function applyRuling(record: SyncRecord, ruling: Ruling): void {
    const { kind, id, version } = record
    if (typeof ruling === 'object') {
      verdict.refused.push({ kind, id, version, ...ruling })
      return
    }
    verdict.taken.push({ kind, id })
    if (ruling === 'known') return
    const { insert, update } = verdict.changes[kind] as { insert: SyncRecord[]; update: SyncRecord[] }
    // A row that comes twice in a batch is written once, as it is at the end.
    if (ruling === 'insert') inserted.set(`${kind} ${id}`, insert.push(record) - 1)
    const index = ruling === 'update' ? inserted.get(`${kind} ${id}`) : undefined
    if (index !== undefined) insert[index] = record
    else if (ruling === 'update') update.push(record)
    learn(record)
  }

  function learn({ kind, id, version, row }: SyncRecord): void {
    const standing = { tenantId: gateway.tenantId, gatewayId: gateway.id, version }
    if (kind === 'message') {
      known.message.set(id, row)
      known.trails.set(row.invoiceId, longerBy(row, known.trails.get(row.invoiceId)))
    } else if (kind === 'invoice') {
      const { companyId, deviceId, status, jir } = row
      known.invoice.set(id, { ...standing, companyId, deviceId, status, jir, issued: row })
    } else (known[kind] as Map<string, object>).set(id, { ...row, ...standing })
  }

  function judgeByVersion(
    before: { tenantId: string; gatewayId: string; version: number } | undefined,
    version: number,
  ): Ruling {
    if (!before) return 'insert'
    if (isForeign(before)) return refuse('owned_by_other', 'another gateway or the server itself decides on this row')
    return version <= before.version ? 'known' : 'update'
  }

  function judgeCompany({ id, version, row }: RecordOf<'company'>): Ruling {
    if (companies?.has(id) === false) return NOT_SET_UP
    const before = known.company.get(id)
    if (before && before.tenantId === gateway.tenantId && before.gatewayId !== gateway.id) {
      const fields = (
        [
          ['name', before.name, row.name],
          ['vat_registered', before.vatRegistered, row.vatRegistered],
          ['mode', before.mode, row.mode],
        ] as const
      ).flatMap(([name, theirs, ours]) => (theirs === ours ? [] : [name]))
      if (fields.length > 0) verdict.companies.push({ companyId: id, oib: row.oib, fields })
      return 'known'
    }
    return judgeByVersion(before, version)
  }

  function judgeCertificate({ id, version, row }: RecordOf<'certificate'>): Ruling {
    const blocker = companyBlocker(row.companyId)
    if (blocker) return blocker
    const before = known.certificate.get(id)
    const ruling = judgeByVersion(before, version)
    if (ruling !== 'update' || !before) return ruling
    if (before.companyId === row.companyId && before.certificate.equals(row.certificate)) return 'update'
    return refuse('already_different', 'this certificate is stored with other contents')
  }

  function judgeDevice(record: RecordOf<'device'>): Ruling {
    const { id, version, row } = record
    const blocker = companyBlocker(row.companyId)
    if (blocker) return blocker
    const before = known.device.get(id)
    const ruling = judgeByVersion(before, version)
    if (typeof ruling === 'object' || ruling === 'known') return ruling
    if (before && (before.companyId !== row.companyId || before.premisesCode !== row.premisesCode)) {
      return refuse('already_different', 'this device is stored at another premises')
    }
    const taken = premisesBlocker(row)
    if (taken) return taken
    if (before?.label !== row.label || before.isuNumber !== row.isuNumber) verdict.renamed.push(record)
    return ruling
  }

  function judgeInvoice({ id, version, row }: RecordOf<'invoice'>): Ruling {
    const before = known.invoice.get(id)
    const ruling = judgeByVersion(before, version)
    if (ruling === 'known' || typeof ruling === 'object') return ruling
    const device = known.device.get(row.deviceId)
    const certificate = known.certificate.get(row.certificateId)
    const blocker =
      companyBlocker(row.companyId) ?? parentBlocker('device', device) ?? parentBlocker('certificate', certificate)
    if (blocker) return blocker
    if (device?.companyId !== row.companyId || certificate?.companyId !== row.companyId) {
      return refuse('invalid_record', 'its device or certificate is of another company')
    }
    if (device.premisesCode !== row.document.premisesCode) {
      return refuse('invalid_record', 'document.premisesCode is not the one of its device')
    }
    // The gateway that numbers receipts there now may have used the same number, or may use a lower one next.
    if (!before) return premisesBlocker(device) ?? reachBlocker(id, row) ?? ruling
    const { issued } = before
    if (issued && !ISSUED.every((name) => isDeepStrictEqual(issued[name], row[name]))) {
      return refuse('already_different', 'it says something else about what was issued than what is stored')
    }
    if (before.status !== 'confirmed' && before.status !== 'expired') return ruling
    if (before.status === row.status && before.jir === row.jir) return 'known'
    return refuse('invoice_is_final', `the invoice is ${before.status} here, and the record says ${row.status}`)
  }

  /** The number of an invoice that is new here: it moves counting, or is put aside. */
  function reachBlocker(id: string, { companyId, mode, year, document }: SyncRows['invoice']): Refused | undefined {
    const { premisesCode, number } = document
    const key = sequenceKey({ companyId, mode, premisesCode, year, register: sequenceRegister(document) })
    const most = highest.get(key)
    const said = isWithinReach(number, most) ? 'counted' : accepted.get(id)
    if (said === undefined) {
      const known = most === undefined ? 'none is known there' : `the highest that is known there is ${most}`
      const message = `number ${number} of premises ${premisesCode} in ${year} is out of reach: ${known}; an operator of the server may accept it`
      return refuse(OUT_OF_REACH, message)
    }
    if (said === 'aside') verdict.changes.uncounted.add(id)
    else highest.set(key, higherReceiptNumber(most, number))
    return undefined
  }

  function judgeMessage({ id, row }: RecordOf<'message'>): Ruling {
    const blocker = parentBlocker('invoice', known.invoice.get(row.invoiceId))
    if (blocker) return blocker
    const before = known.message.get(id)
    if (!before) return trailBlocker(row) ?? 'insert'
    if (before.invoiceId === row.invoiceId) return 'known'
    return refuse('owned_by_other', 'a message of another invoice has this id')
  }

  /** Limits the messages of an invoice, because all messages may be unpacked together later. */
  function trailBlocker(row: SyncRows['message']) {
    const { messages, withXml } = longerBy(row, known.trails.get(row.invoiceId))
    const { messages: most, messagesWithXml: mostWithXml } = MESSAGE_ARCHIVE
    if (messages > most) return refuse('too_many_messages', `its invoice has ${most} messages here already`)
    if (withXml <= mostWithXml) return undefined
    return refuse('too_many_messages', `its invoice has ${mostWithXml} messages with XML here already`)
  }

  function judgePrintJob({ id, version, row }: RecordOf<'print_job'>): Ruling {
    const blocker =
      parentBlocker('invoice', known.invoice.get(row.invoiceId)) ??
      parentBlocker('device', known.device.get(row.deviceId))
    if (blocker) return blocker
    const before = known.print_job.get(id)
    const ruling = judgeByVersion(before, version)
    if (ruling !== 'update' || !before) return ruling
    const isSame = (['deviceId', 'createdAt', 'expiresAt'] as const).every((name) => before[name] === row[name])
    if (!isSame) return refuse('already_different', 'it is stored as another receipt')
    // The gateway has given out over /v1 what was never sent to a printer.
    const isGivenOut = before.status === 'expired' && before.begunAt === null && row.status === 'unconfirmed'
    if (isGivenOut && row.copy === 0 && row.begunAt !== null) return 'update'
    const [from, to] = [progressOf(before), progressOf(row)]
    if (from === ENDED && before.status === row.status) return 'known'
    if (to > from || (to === from && from === 0)) return 'update'
    return refuse('already_different', `the receipt is ${before.status} here, and the record says ${row.status}`)
  }

  function judgeRequest({ id, version, row }: RecordOf<'request'>): Ruling {
    const blocker =
      companyBlocker(row.companyId) ??
      (row.invoiceId === null ? undefined : parentBlocker('invoice', known.invoice.get(row.invoiceId)))
    if (blocker) return blocker
    const before = known.request.get(id)
    const ruling = judgeByVersion(before, version)
    const hasEnded = before?.state === 'done' || before?.state === 'refused'
    return ruling === 'update' && hasEnded ? 'known' : ruling
  }

  function companyBlocker(companyId: string): Refused | undefined {
    if (companies?.has(companyId) === false) return NOT_SET_UP
    const company = known.company.get(companyId)
    if (!company) return refuse('missing_parent', 'its company is not here')
    // Several gateways may sell for one company, whichever gateway sent it first.
    if (company.tenantId === gateway.tenantId) return undefined
    return refuse('owned_by_other', 'its company belongs to somebody else')
  }

  function premisesBlocker({ companyId, premisesCode }: Premises): Refused | undefined {
    const isHeld = known.claims.some(
      (claim) => claim.companyId === companyId && claim.premisesCode === premisesCode && claim.gatewayId === gateway.id,
    )
    if (isHeld) return undefined
    const holder = holderOf(companyId, premisesCode)
    return refuse('premises_owned_by_gateway', premisesBelongTo(premisesCode, holder))
  }

  function parentBlocker(what: string, parent: { tenantId: string; gatewayId: string } | undefined) {
    if (!parent) return refuse('missing_parent', `its ${what} is not here`)
    return isForeign(parent) ? refuse('owned_by_other', `its ${what} belongs to somebody else`) : undefined
  }

  function isForeign({ tenantId, gatewayId }: { tenantId: string; gatewayId: string }): boolean {
    return gatewayId !== gateway.id || tenantId !== gateway.tenantId
  }
}

function longerBy({ requestXml, responseXml }: SyncRows['message'], trail = { messages: 0, withXml: 0 }) {
  const hasXml = requestXml !== null || responseXml !== null
  return { messages: trail.messages + 1, withXml: trail.withXml + (hasXml ? 1 : 0) }
}

const refuse = (code: RefusalCode, message: string) => ({ code, message })

const NOT_SET_UP = refuse('owned_by_other', 'the gateway was not set up to sell for this company: see fisk gateway set')

const ENDED = 2

function progressOf({ status }: Pick<SyncRows['print_job'], 'status'>): number {
  return status === 'queued' ? 0 : status === 'sending' ? 1 : ENDED
}

const ISSUED = [
  ...(['companyId', 'deviceId', 'certificateId', 'mode', 'occurredAtText', 'occurredAt', 'year', 'document'] as const),
  ...(['receipt', 'numberSupplied', 'deadlineAt', 'createdAt', 'journalPosition', 'seal'] as const),
]

export function noChanges(): Verdict['changes'] {
  const none = () => ({ insert: [], update: [] })
  const changes = Object.fromEntries(SYNC_KINDS.map((kind) => [kind, none()]))
  return { ...changes, uncounted: new Set<string>() } as unknown as Verdict['changes']
}
