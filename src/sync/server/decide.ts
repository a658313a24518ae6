import { isDeepStrictEqual } from 'node:util'
import type {
  GatewayRecord,
  KnownRows,
  Premises,
  ReplicaChanges,
  SyncKind,
  SyncPlace,
  SyncRecord,
  SyncRows,
} from '../../fiscal/sync-port.ts'
import { SYNC_KINDS } from '../../fiscal/sync-port.ts'
import type { RefusalCode, WireRefusal } from '../wire/records.ts'

type RecordOf<K extends SyncKind> = Extract<SyncRecord, { kind: K }>

/** The gateway says something else of a company than whoever owns its row. */
export interface CompanyConflict {
  companyId: string
  oib: string
  fields: string[]
}

/** What becomes of a batch. */
export interface Verdict {
  changes: ReplicaChanges
  /** What is stored, by this batch or before it. */
  taken: SyncPlace[]
  refused: WireRefusal[]
  companies: CompanyConflict[]
  /** Devices that are new, or have another label or ISU number: what may clash with what others say. */
  renamed: RecordOf<'device'>[]
}

type Ruling = 'insert' | 'update' | 'known' | { code: RefusalCode; message: string }

/**
 * Decides on the records of a gateway, each by itself, in the order in which rows rest on each other. Nothing is looked
 * up: `known` holds what is stored of them and of their parents, and learns what is decided.
 * @param holderOf who has a premises that is not this gateway's, for people
 */
export function decide(
  gateway: Pick<GatewayRecord, 'id' | 'tenantId'>,
  records: readonly SyncRecord[],
  known: KnownRows,
  holderOf: (companyId: string, premisesCode: string) => string,
): Verdict {
  const verdict: Verdict = { changes: noChanges(), taken: [], refused: [], companies: [], renamed: [] }
  /** Where in its list a row stands that is new. */
  const inserted = new Map<string, number>()
  const judges: { [K in SyncKind]: (record: RecordOf<K>) => Ruling } = {
    company: (record) => judgeCompany(record),
    certificate: (record) => judgeCertificate(record),
    device: (record) => judgeDevice(record),
    invoice: (record) => judgeInvoice(record),
    message: (record) => judgeMessage(record),
    print_job: (record) => judgePrintJob(record),
    alert: (record) => judgeByVersion(known.alert.get(record.id), record.version),
  }

  for (const kind of SYNC_KINDS) {
    for (const record of records) if (record.kind === kind) settle(record, judges[kind](record as never))
  }
  return verdict

  function settle(record: SyncRecord, ruling: Ruling): void {
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
    const place = ruling === 'update' ? inserted.get(`${kind} ${id}`) : undefined
    if (place !== undefined) insert[place] = record
    else if (ruling === 'update') update.push(record)
    learn(record)
  }

  function learn({ kind, id, version, row }: SyncRecord): void {
    const standing = { tenantId: gateway.tenantId, gatewayId: gateway.id, version }
    if (kind === 'message') known.message.set(id, row)
    else if (kind === 'invoice') {
      const { companyId, deviceId, status, jir } = row
      known.invoice.set(id, { ...standing, companyId, deviceId, status, jir, issued: row })
    } else (known[kind] as Map<string, object>).set(id, { ...row, ...standing })
  }

  function judgeByVersion(
    before: { tenantId: string; gatewayId: string; version: number } | undefined,
    version: number,
  ): 'insert' | 'update' | 'known' | { code: RefusalCode; message: string } {
    if (!before) return 'insert'
    if (isForeign(before)) return refuse('owned_by_other', 'another gateway or the server itself decides on this row')
    return version <= before.version ? 'known' : 'update'
  }

  function judgeCompany({ id, version, row }: RecordOf<'company'>): Ruling {
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
    const obstacle = companyObstacle(row.companyId)
    if (obstacle) return obstacle
    const before = known.certificate.get(id)
    const ruling = judgeByVersion(before, version)
    if (ruling !== 'update' || !before) return ruling
    if (before.companyId === row.companyId && before.certificate.equals(row.certificate)) return 'update'
    return refuse('already_different', 'this certificate is stored with other contents')
  }

  function judgeDevice(record: RecordOf<'device'>): Ruling {
    const { id, version, row } = record
    const obstacle = companyObstacle(row.companyId)
    if (obstacle) return obstacle
    const before = known.device.get(id)
    const ruling = judgeByVersion(before, version)
    if (typeof ruling === 'object' || ruling === 'known') return ruling
    if (before && (before.companyId !== row.companyId || before.premisesCode !== row.premisesCode)) {
      return refuse('already_different', 'this device is stored at another premises')
    }
    const taken = premisesObstacle(row)
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
    const obstacle =
      companyObstacle(row.companyId) ?? parentObstacle('device', device) ?? parentObstacle('certificate', certificate)
    if (obstacle) return obstacle
    if (device?.companyId !== row.companyId || certificate?.companyId !== row.companyId) {
      return refuse('invalid_record', 'its device or certificate is of another company')
    }
    if (device.premisesCode !== row.document.premisesCode) {
      return refuse('invalid_record', 'document.premisesCode is not the one of its device')
    }
    // Whoever numbers receipts there now may have given out the same number, or a lower one next.
    if (!before) return premisesObstacle(device) ?? ruling
    if (before.issued && !isSameIssued(before.issued, row)) {
      return refuse('already_different', 'it says something else about what was issued than what is stored')
    }
    if (before.status !== 'confirmed' && before.status !== 'expired') return ruling
    if (before.status === row.status && before.jir === row.jir) return 'known'
    return refuse('invoice_is_final', `the invoice is ${before.status} here, and the record says ${row.status}`)
  }

  function judgeMessage({ id, row }: RecordOf<'message'>): Ruling {
    const obstacle = parentObstacle('invoice', known.invoice.get(row.invoiceId))
    if (obstacle) return obstacle
    const before = known.message.get(id)
    if (!before) return 'insert'
    if (before.invoiceId === row.invoiceId) return 'known'
    return refuse('owned_by_other', 'a message of another invoice has this id')
  }

  function judgePrintJob({ id, version, row }: RecordOf<'print_job'>): Ruling {
    const obstacle =
      parentObstacle('invoice', known.invoice.get(row.invoiceId)) ??
      parentObstacle('device', known.device.get(row.deviceId))
    if (obstacle) return obstacle
    const before = known.print_job.get(id)
    const ruling = judgeByVersion(before, version)
    if (ruling !== 'update' || !before) return ruling
    const isSame = (['deviceId', 'createdAt', 'expiresAt'] as const).every((name) => before[name] === row[name])
    if (!isSame) return refuse('already_different', 'it is stored as another receipt')
    const [from, to] = [progressOf(before), progressOf(row)]
    if (from === ENDED && before.status === row.status) return 'known'
    if (to > from || (to === from && from === 0)) return 'update'
    return refuse('already_different', `the receipt is ${before.status} here, and the record says ${row.status}`)
  }

  function companyObstacle(companyId: string): { code: RefusalCode; message: string } | undefined {
    const company = known.company.get(companyId)
    if (!company) return refuse('missing_parent', 'its company is not here')
    // Several gateways may sell for one company, whoever told of it first.
    if (company.tenantId === gateway.tenantId) return undefined
    return refuse('owned_by_other', 'its company belongs to somebody else')
  }

  function premisesObstacle({ companyId, premisesCode }: Premises): { code: RefusalCode; message: string } | undefined {
    const isHeld = known.claims.some(
      (claim) => claim.companyId === companyId && claim.premisesCode === premisesCode && claim.gatewayId === gateway.id,
    )
    if (isHeld) return undefined
    const holder = holderOf(companyId, premisesCode)
    return refuse('premises_owned_by_gateway', `premises ${premisesCode} belongs to ${holder}`)
  }

  function parentObstacle(what: string, parent: { tenantId: string; gatewayId: string } | undefined) {
    if (!parent) return refuse('missing_parent', `its ${what} is not here`)
    return isForeign(parent) ? refuse('owned_by_other', `its ${what} belongs to somebody else`) : undefined
  }

  function isForeign({ tenantId, gatewayId }: { tenantId: string; gatewayId: string }): boolean {
    return gatewayId !== gateway.id || tenantId !== gateway.tenantId
  }
}

const refuse = (code: RefusalCode, message: string) => ({ code, message })

const ENDED = 2

function progressOf({ status }: Pick<SyncRows['print_job'], 'status'>): number {
  return status === 'queued' ? 0 : status === 'sending' ? 1 : ENDED
}

const ISSUED = [
  ...(['companyId', 'deviceId', 'certificateId', 'mode', 'occurredAtText', 'occurredAt', 'year', 'document'] as const),
  ...(['receipt', 'numberSupplied', 'deadlineAt', 'createdAt', 'journalPosition', 'seal'] as const),
]

function isSameIssued(one: SyncRows['invoice'], other: SyncRows['invoice']): boolean {
  return ISSUED.every((name) => isDeepStrictEqual(one[name], other[name]))
}

export function noChanges(): ReplicaChanges {
  const none = () => ({ insert: [], update: [] })
  return Object.fromEntries(SYNC_KINDS.map((kind) => [kind, none()])) as unknown as ReplicaChanges
}
