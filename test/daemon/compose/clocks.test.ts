import { join } from 'node:path'
import Database from 'better-sqlite3'
import pino from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { type RunningClock, startClock } from '../../../src/daemon/compose/clocks.ts'
import { openStore } from '../../../src/store/store.ts'
import { startGateway } from '../../support/gateway.ts'
import { tempDir } from '../../support/temp-dir.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** A clock that is watched, what it shows, and what is logged about it. */
async function watched() {
  const lines: { level: number; status?: string; msg: string }[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const store = await openStore(join(await tempDir(), 'fiskd.db'), Date.now())
  onTestFinished(() => store.close())
  const machine = { setMs: 0, synchronised: null as boolean | null }
  const system = {
    now: () => Date.now() + machine.setMs,
    elapsed: () => performance.now(),
    synchronised: async () => machine.synchronised,
  }
  const started: RunningClock[] = []
  onTestFinished(async () => {
    for (const clock of started) await clock.close()
  })
  const start = async () => {
    const clock = await startClock(system, store, log, 'live')
    started.push(clock)
    return clock
  }
  return { lines, store, machine, start }
}

test('a change of the clock is logged once, and that it is right again too', async () => {
  const { lines, machine, start } = await watched()
  machine.synchronised = true
  const clock = await start()
  expect(lines).toEqual([])
  machine.synchronised = null
  machine.setMs = -3 * DAY_MS
  for (let i = 0; i < 5; i++) {
    clock.now()
    await clock.check()
  }
  expect(lines.map(({ level, status }) => [level, status])).toEqual([[40, 'off']])
  expect(lines[0]?.msg).toMatch(/^the clock is 3 days behind: sales go on, and none is refused because of it$/)
  machine.setMs = 0
  for (let i = 0; i < 5; i++) await clock.check()
  expect(lines.map(({ level, msg }) => [level, msg]).slice(1)).toEqual([[30, 'the clock is right again']])
})

test('a disk that takes no writes stops neither the start nor the watch', async () => {
  const { lines, store, machine, start } = await watched()
  machine.synchronised = true
  store.moments.save = async () => {
    throw new Error('SQLITE_FULL')
  }
  const clock = await start()
  expect(lines.map(({ level, msg }) => [level, msg])).toEqual([[50, 'how late it is could not be stored']])
  expect(clock.state()).toMatchObject({ status: 'ok' })
  await expect(clock.beat()).rejects.toThrow('SQLITE_FULL')
})

test('an orderly stop stores how late it is', async () => {
  const { store, machine, start } = await watched()
  const clock = await start()
  machine.setMs = 30 * 60_000
  await clock.close()
  const { newestAt } = await store.moments.load('test')
  expect(newestAt).toBeGreaterThan(Date.now() + 29 * 60_000)
})

test('a database from before fiskd watched the clock knows when its devices were last seen', async () => {
  const gateway = await startGateway()
  await gateway.sell()
  await gateway.stop()
  const database = new Database(join(gateway.dataDir, 'fiskd.db'))
  database.exec("DELETE FROM meta WHERE key LIKE '%_moment'")
  database.close()
  Object.assign(gateway.clock, { setMs: -DAY_MS, synchronised: null })
  await gateway.cis.goDown()
  await gateway.restart()
  const { body } = await gateway.admin<{ clock: object }>('/admin/status')
  expect(body.clock).toMatchObject({ status: 'behind' })
})

test('clients with a right clock go on trusting a gateway whose clock is ahead by years when it starts', async () => {
  const gateway = await startGateway()
  for (const years of [2, 20]) {
    Object.assign(gateway.clock, { setMs: years * 365 * DAY_MS, synchronised: null })
    await gateway.restart()
    const sold = await gateway.sell({ occurred_at: new Date().toISOString() })
    expect(sold.status).toBe('confirmed')
  }
})

test('how long it has been running does not depend on the clock', async () => {
  const gateway = await startGateway()
  gateway.clock.setMs = -3 * DAY_MS
  gateway.clock.aheadMs = HOUR_MS
  const { body } = await gateway.admin<{ uptime_s: number }>('/admin/status')
  expect(body.uptime_s).toBeGreaterThanOrEqual(3600)
  expect(body.uptime_s).toBeLessThan(3700)
})

test('what one service says moves nothing that the other mode goes by, after a restart either', async () => {
  const { machine, start } = await watched()
  machine.synchronised = false
  const clock = await start()
  const truth = Date.now()
  machine.setMs = -3 * DAY_MS
  const word = { at: truth, isSigned: true }
  await clock.of('live').heard(word)
  await clock.of('live').heard(word)
  expect(Math.abs(clock.of('live').now() - truth)).toBeLessThan(HOUR_MS)
  expect(clock.of('live').proven()).toBeGreaterThan(0)
  expect(clock.of('test').isWitnessed()).toBe(false)
  expect(clock.of('test').proven()).toBeLessThan(HOUR_MS * 24 * 365)
  // What belongs to no mode goes by the one that has been told.
  expect(Math.abs(clock.now() - truth)).toBeLessThan(HOUR_MS)
  await clock.close()
  const next = await start()
  expect(next.of('live').proven()).toBeGreaterThan(next.of('test').proven())
})
