import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { type Client, createClient } from '../../src/cli/client.ts'
import { readConfig } from '../../src/daemon/config.ts'
import { startDaemon } from '../../src/daemon/daemon.ts'
import { prepare } from '../../src/daemon/prepare.ts'
import { companyIdOf } from '../../src/domain/company-id.ts'
import type { Invoice } from '../../src/fiscal/model.ts'
import { DEFAULT_TENANT, openStore } from '../../src/store/store.ts'

/**
 * Whether a late page of a long list costs more than the first one: 100,000 invoices, pages of 50, over the admin socket
 * of a real daemon. Each round reads the pages of all lists in turn, so that a noisy machine is noisy to all of them.
 */
const INVOICES = 100_000
const LIMIT = 50
const PAGE = 100
const ROUNDS = 40
const OIB = '02994650199'
const MINUTE_MS = 60_000

interface List {
  data: { id: string }[]
  next_cursor: string | null
}

const now = Date.now()
const devices = Array.from({ length: 10 }, () => randomUUID())
const dir = await mkdtemp(join(tmpdir(), 'fiskd-bench-'))
try {
  const config = readConfig({ FISKD_DATA_DIR: dir, FISKD_LISTEN: '127.0.0.1:0', FISKD_LOG_LEVEL: 'silent' })
  await prepare(config, now)
  process.stderr.write(`storing ${INVOICES} invoices ...\n`)
  await fill(join(dir, 'fiskd.db'))
  const daemon = await startDaemon(config, pino({ level: 'silent' }))
  try {
    await measure(config.socketPath)
  } finally {
    await daemon.close()
  }
} finally {
  await rm(dir, { recursive: true })
}

async function measure(socketPath: string): Promise<void> {
  const client = createClient(socketPath)
  const filters = {
    none: '',
    company_id: `&company_id=${companyIdOf(OIB)}`,
    device_id: `&device_id=${devices[3]}`,
    premises_code: '&premises_code=POSL3',
    'status=confirmed': '&status=confirmed',
    'status=retrying': '&status=retrying',
    from: `&from=${new Date(now - 60_000 * MINUTE_MS).toISOString()}`,
  }
  const lists = await Promise.all(
    Object.entries(filters).map(async ([name, filter]) => {
      const first = `/v1/invoices?limit=${LIMIT}${filter}`
      let next = first
      for (let page = 1; page < PAGE; page++) {
        const { next_cursor } = await client.get<List>(next)
        if (next_cursor === null) throw new Error(`${name} has only ${page} pages`)
        next = `${first}&cursor=${encodeURIComponent(next_cursor)}`
      }
      return { name, pages: [first, next], times: [[], []] as [number[], number[]] }
    }),
  )
  for (let round = 0; round < ROUNDS; round++) {
    for (const { pages, times } of lists) {
      for (const [i, page] of pages.entries()) {
        const start = performance.now()
        const { data } = await client.get<List>(page)
        times[i]?.push(performance.now() - start)
        if (data.length !== LIMIT) throw new Error(`${page} has ${data.length} rows`)
      }
    }
  }
  const sparse = await measureSparse(client, median(lists[0]?.times[0] ?? []))
  const results = lists.map(({ name, times }) => {
    const [first, late] = times.map(median) as [number, number]
    return { filter: name, 'page 1 (ms)': round(first), [`page ${PAGE} (ms)`]: round(late), ratio: round(late / first) }
  })
  console.table(results)
  console.table(sparse)
  process.stdout.write(`${JSON.stringify({ invoices: INVOICES, limit: LIMIT, rounds: ROUNDS, results, sparse })}\n`)
  if ([...results, ...sparse].some(({ ratio }) => ratio > 2)) process.exitCode = 1
}

/** Lists in which little or nothing is found must not cost more than a full page: nothing is searched row by row. */
async function measureSparse(client: Client, fullPageMs: number) {
  const filters = {
    'a company nobody has': `company_id=${randomUUID()}`,
    'a device at another premises': `device_id=${devices[3]}&premises_code=POSL4`,
    'a premises nobody has': 'premises_code=NOWHERE',
    'failed, of a company': `status=failed&company_id=${companyIdOf(OIB)}`,
    'before the first sale': `to=${new Date(now - 2 * INVOICES * MINUTE_MS).toISOString()}`,
  }
  const rows = []
  for (const [filter, query] of Object.entries(filters)) {
    const times: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const start = performance.now()
      const { data } = await client.get<List>(`/v1/invoices?limit=${LIMIT}&${query}`)
      times.push(performance.now() - start)
      if (data.length > 0) throw new Error(`${filter} finds something`)
    }
    rows.push({ filter, 'page (ms)': round(median(times)), ratio: round(median(times) / fullPageMs) })
  }
  return rows
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}

/** A sale a minute, from ten machines at ten premises; every eighth still waits for its JIR. */
async function fill(path: string): Promise<void> {
  const store = await openStore(path, now)
  const companyId = companyIdOf(OIB)
  const certificateId = randomUUID()
  await store.companies.insert({
    id: companyId,
    tenantId: DEFAULT_TENANT,
    name: 'Samoposluga d.o.o.',
    oib: OIB,
    vatRegistered: true,
    address: {},
    fiscalConfig: {},
    mode: 'test',
    status: 'active',
    createdAt: now,
  })
  await store.certificates.insert({
    id: certificateId,
    companyId,
    label: null,
    subjectOib: OIB,
    subjectCn: 'bench',
    issuer: 'CN=bench',
    serial: '01',
    notBefore: now,
    notAfter: now,
    certificate: Buffer.alloc(0),
    intermediates: [],
    sealedKey: Buffer.alloc(0),
    uploadedAt: now,
    supersededAt: null,
    revokedAt: null,
  })
  for (const [i, id] of devices.entries()) {
    await store.devices.insert({
      id,
      tenantId: DEFAULT_TENANT,
      companyId,
      premisesCode: `POSL${i}`,
      premisesAddress: null,
      label: `machine ${i}`,
      isuNumber: String(i + 1),
      isuStatus: 'assigned',
      deviceConfig: {},
      status: 'active',
      installedAt: now,
      lastSeenAt: null,
      lastSuccessAt: null,
      createdAt: now,
    })
  }
  for (let start = 0; start < INVOICES; start += 1000) {
    await store.transaction(async (tx) => {
      for (let i = start; i < start + 1000; i++) await tx.invoices.insert(invoice(i, companyId, certificateId))
    })
  }
  await store.close()
}

function invoice(i: number, companyId: string, certificateId: string): Invoice {
  const machine = i % devices.length
  const occurredAt = now - i * MINUTE_MS
  const waits = i % 8 === 0
  return {
    id: `inv_${String(i).padStart(8, '0')}`,
    tenantId: DEFAULT_TENANT,
    companyId,
    deviceId: devices[machine] as string,
    certificateId,
    mode: 'test',
    status: waits ? 'retrying' : 'confirmed',
    jir: waits ? null : randomUUID(),
    occurredAtText: new Date(occurredAt).toISOString(),
    occurredAt,
    year: new Date(occurredAt).getUTCFullYear(),
    document: {
      companyOib: OIB,
      vatRegistered: true,
      occurredAt,
      sequenceMark: 'P',
      number: String(i + 1),
      premisesCode: `POSL${machine}`,
      registerMark: String(machine + 1),
      vat: [{ rate: '25.00', base: '2.00', amount: '0.50' }],
      consumptionTax: [],
      otherTaxes: [],
      vatExemptAmount: null,
      marginAmount: null,
      nonTaxableAmount: null,
      fees: [],
      total: '2.50',
      paymentMethod: 'G',
      operatorOib: OIB,
      zki: i.toString(16).padStart(32, '0'),
      paragonNumber: null,
      specialPurpose: null,
      recipientOib: null,
    },
    lateDelivery: false,
    attempts: 1,
    // None of them runs out of time during the measurement.
    deadlineAt: now + 30 * 86_400_000,
    confirmedAt: waits ? null : occurredAt,
    createdAt: occurredAt,
    lastErrorClass: waits ? 'transient' : null,
    errorCode: waits ? 'upstream_unavailable' : null,
    errorMessage: null,
  }
}
