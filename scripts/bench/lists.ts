import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { type Client, createClient } from '../../src/cli/daemon/client.ts'
import { InvoiceList } from '../../src/contract/v1/invoice.ts'
import { readConfig } from '../../src/daemon/config.ts'
import { startDaemon } from '../../src/daemon/lifecycle/daemon.ts'
import { prepare } from '../../src/daemon/lifecycle/prepare.ts'
import { openStore } from '../../src/store/store.ts'
import { median, round } from './statistics.ts'
import { type Fleet, storeFleet, storeSales } from './stored-sales.ts'

/**
 * Whether a late page of a long list costs more than the first one: 100,000 invoices, pages of 50, over the admin socket
 * of a real daemon. Each round reads the pages of all lists in turn, so that a noisy machine is noisy to all of them.
 */
const INVOICES = 100_000
const LIMIT = 50
const PAGE = 100
const ROUNDS = 40
const MINUTE_MS = 60_000

const now = Date.now()
const dir = await mkdtemp(join(tmpdir(), 'fiskd-bench-'))
try {
  const config = readConfig({ FISKD_DATA_DIR: dir, FISKD_LISTEN: '127.0.0.1:0', FISKD_LOG_LEVEL: 'silent' })
  await prepare(config, now)
  process.stderr.write(`storing ${INVOICES} invoices ...\n`)
  const fleet = await fill(join(dir, 'fiskd.db'))
  const daemon = await startDaemon(config, pino({ level: 'silent' }))
  try {
    await measure(config.socketPath, fleet)
  } finally {
    await daemon.close()
  }
} finally {
  await rm(dir, { recursive: true })
}

async function measure(socketPath: string, fleet: Fleet): Promise<void> {
  const client = createClient(socketPath)
  const filters = {
    none: '',
    company_id: `&company_id=${fleet.companyId}`,
    device_id: `&device_id=${fleet.deviceIds[3]}`,
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
        const { next_cursor } = await client.get(next, InvoiceList)
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
        const { data } = await client.get(page, InvoiceList)
        times[i]?.push(performance.now() - start)
        if (data.length !== LIMIT) throw new Error(`${page} has ${data.length} rows`)
      }
    }
  }
  const sparse = await measureSparse(client, fleet, median(lists[0]?.times[0] ?? []))
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
async function measureSparse(client: Client, fleet: Fleet, fullPageMs: number) {
  const filters = {
    'a company nobody has': `company_id=${randomUUID()}`,
    'a device at another premises': `device_id=${fleet.deviceIds[3]}&premises_code=POSL4`,
    'a premises nobody has': 'premises_code=NOWHERE',
    'failed, of a company': `status=failed&company_id=${fleet.companyId}`,
    'before the first sale': `to=${new Date(now - 2 * INVOICES * MINUTE_MS).toISOString()}`,
  }
  const rows = []
  for (const [filter, query] of Object.entries(filters)) {
    const times: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const start = performance.now()
      const { data } = await client.get(`/v1/invoices?limit=${LIMIT}&${query}`, InvoiceList)
      times.push(performance.now() - start)
      if (data.length > 0) throw new Error(`${filter} finds something`)
    }
    rows.push({ filter, 'page (ms)': round(median(times)), ratio: round(median(times) / fullPageMs) })
  }
  return rows
}

/** A sale a minute, from ten machines at ten premises; every eighth still waits for its JIR. */
async function fill(path: string): Promise<Fleet> {
  const store = await openStore(path, now)
  const fleet = await storeFleet(store, now)
  await storeSales(store, fleet, INVOICES, (i) => ({
    occurredAt: now - i * MINUTE_MS,
    status: i % 8 === 0 ? 'retrying' : 'confirmed',
    // None of them runs out of time during the measurement.
    deadlineAt: now + 30 * 86_400_000,
  }))
  await store.close()
  return fleet
}
