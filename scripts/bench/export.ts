import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setImmediate } from 'node:timers/promises'
import { operatorOf } from '../../src/daemon/http/authenticate.ts'
import { readChoice } from '../../src/dashboard/export/choice.ts'
import { FILES, fileOf } from '../../src/dashboard/export/files.ts'
import { texts } from '../../src/dashboard/export/texts.ts'
import { createExports } from '../../src/fiscal/office/export.ts'
import { DEFAULT_TENANT, openStore } from '../../src/store/store.ts'
import { round } from './statistics.ts'
import { storeFleet, storeSales } from './stored-sales.ts'

/**
 * What it costs to give away many invoices as files: how long others have to wait in between at most, and how much memory
 * it takes. Each file is read as quickly as it is made.
 */
const INVOICES = Number(process.argv[2] ?? 100_000)
const MINUTE_MS = 60_000
const MEGABYTE = 1024 * 1024

const now = Date.now()
const dir = await mkdtemp(join(tmpdir(), 'fiskd-bench-'))
try {
  process.stderr.write(`storing ${INVOICES} invoices ...\n`)
  const store = await openStore(join(dir, 'fiskd.db'), now)
  const fleet = await storeFleet(store, now)
  await storeSales(store, fleet, INVOICES, (i) => ({
    occurredAt: now - (INVOICES - i) * MINUTE_MS,
    status: i % 100 === 0 ? 'retrying' : 'confirmed',
  }))
  const exports = createExports({ store })
  const from = new Date(now - (INVOICES + 1440) * MINUTE_MS).toISOString().slice(0, 10)
  const choice = readChoice({ from, mode: 'test' }, texts.hr, now, 'test')
  const results = []
  for (const file of FILES) {
    const { content } = await fileOf(file, {
      exports,
      choice,
      t: texts.hr,
      grouping: { period: 'day', per: 'premises' },
      written: () => {},
      principal: operatorOf(DEFAULT_TENANT),
    })
    let bytes = 0
    const sink = new Writable({
      objectMode: true,
      write(chunk: string | Uint8Array, _encoding, done) {
        bytes += typeof chunk === 'string' ? Buffer.byteLength(chunk) : chunk.length
        done()
      },
    })
    results.push({ file, ...(await watched(() => pipeline(content, sink))), 'size (MB)': round(bytes / MEGABYTE) })
  }
  console.table(results)
  process.stdout.write(`${JSON.stringify({ invoices: INVOICES, results })}\n`)
  await store.close()
  if (results.some((result) => result['of it working (ms)'] > 50)) process.exitCode = 1
} finally {
  await rm(dir, { recursive: true })
}

/** For how long this thread has worked: on a machine that others use, too, the time that passes says little. */
function ownCpuMs(): number {
  return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6
}

/** Does the work beside somebody who wants a turn as often as possible. */
async function watched(work: () => Promise<void>) {
  let isOver = false
  let [longestMs, longestCpuMs] = [0, 0]
  let rss = process.memoryUsage.rss()
  const before = rss
  const turns = (async () => {
    for (let last = { ms: performance.now(), cpuMs: ownCpuMs() }; !isOver; ) {
      await setImmediate()
      longestMs = Math.max(longestMs, performance.now() - last.ms)
      longestCpuMs = Math.max(longestCpuMs, ownCpuMs() - last.cpuMs)
      last = { ms: performance.now(), cpuMs: ownCpuMs() }
      rss = Math.max(rss, process.memoryUsage.rss())
    }
  })()
  const start = performance.now()
  await work()
  const seconds = (performance.now() - start) / 1000
  isOver = true
  await turns
  return {
    seconds: round(seconds),
    'longest wait (ms)': round(longestMs),
    'of it working (ms)': round(longestCpuMs),
    'RSS before (MB)': round(before / MEGABYTE),
    'RSS at most (MB)': round(rss / MEGABYTE),
  }
}
