import { readFileSync, statSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openScratch } from '../../../scripts/chaos/scratch.ts'
import { ask, type Node, openCluster } from '../../../scripts/chaos-sync/cluster.ts'
import type { Check } from '../../../src/domain/check.ts'
import { openStore } from '../../../src/store/store.ts'
import { type CutLink, startCutLink } from '../../support/cut-link.ts'
import { dashboardOf, type Visitor } from '../../support/dashboard.ts'
import { diagnose } from '../../support/diagnosis.ts'
import { atTheEndOfFile } from '../../support/file-end.ts'
import { type Gateway, startSharedGateway } from '../../support/gateway.ts'
import { skipWithoutPostgres } from '../../support/postgres.ts'

/** The lists of `/v1` and exports name the table so, and the list of the pages so. */
const SALES = /from "?invoices"? where "?tenant_id/i

describe.skipIf(skipWithoutPostgres)('a server with a replica', () => {
  const scratch = openScratch(false)
  let primary: Node
  let replica: Node
  let link: CutLink
  let server: Gateway
  let visitor: Visitor
  beforeAll(async () => {
    primary = await openCluster({}, scratch)
    replica = await primary.standby()
    // An asynchronous one may be behind.
    await ask(primary.url('postgres'), 'ALTER SYSTEM RESET synchronous_standby_names')
    await ask(primary.url('postgres'), 'SELECT pg_reload_conf()')
    await ask(primary.url('postgres'), 'CREATE DATABASE fiskd')
    await set('log_statement', 'all')
    link = await startCutLink(() => replica.socket, atTheEndOfFile)
    server = await startSharedGateway({
      FISKD_ROLE: 'server',
      FISKD_DATABASE_URL: primary.url('fiskd'),
      FISKD_DATABASE_REPLICA_URL: `postgres://fiskd@127.0.0.1:${link.port}/fiskd`,
    })
    visitor = await dashboardOf(server).as('admin')
  })
  afterAll(() => scratch.close())

  /** A setting of the replica. */
  async function set(name: string, value: string): Promise<void> {
    await ask(replica.url('postgres'), `ALTER SYSTEM SET ${name} = '${value}'`)
    await ask(replica.url('postgres'), 'SELECT pg_reload_conf()')
  }

  /** How often the replica was asked for sales while the work ran. */
  async function readsDuring(work: () => Promise<unknown>): Promise<number> {
    const from = statSync(replica.log).size
    await work()
    return readFileSync(replica.log).subarray(from).toString().split(SALES).length - 1
  }

  const latest = () => server.v1('/invoices?limit=1')
  const exported = async () => {
    const today = new Intl.DateTimeFormat('sv', { timeZone: 'Europe/Zagreb' }).format(new Date())
    const file = await visitor.get(`/dashboard/export/files/invoices.csv?mode=test&from=${today}&to=${today}`)
    expect(file.status).toBe(200)
    return file.text
  }
  const doctor = async (): Promise<Check | undefined> => {
    return (await diagnose(server)).find(({ name }) => name === 'replica')
  }
  const isReadAgain = () => expect.poll(() => readsDuring(latest)).toBeGreaterThan(0)

  /** Sells and lists: the answers, and the longest time of a list in milliseconds. */
  async function sellAndList(times: number): Promise<number> {
    let longest = 0
    for (let i = 0; i < times; i++) {
      const { id } = await server.sell()
      const began = performance.now()
      const answer = await latest()
      longest = Math.max(longest, performance.now() - began)
      expect(answer.status).toBe(200)
      expect(JSON.parse(answer.text).data[0].id).toBe(id)
    }
    return longest
  }

  test('reads lists, pages and exports from it, each with what was just sold', async () => {
    await isReadAgain()
    expect(await readsDuring(() => sellAndList(30))).toBeGreaterThan(20)
    expect(await readsDuring(() => visitor.get('/dashboard/invoices'))).toBeGreaterThan(0)
    const { number } = await server.sell()
    expect(await readsDuring(exported)).toBeGreaterThan(0)
    expect(await exported()).toContain(number)
    expect(await doctor()).toMatchObject({ status: 'ok', detail: expect.stringContaining('which is up to date') })
  })

  test('answers from the primary within a second while the replica replays nothing', async () => {
    await isReadAgain()
    const resume = () => ask(replica.url('postgres'), 'SELECT pg_wal_replay_resume()')
    onTestFinished(async () => void (await resume()))
    await ask(replica.url('postgres'), 'SELECT pg_wal_replay_pause()')
    expect(await sellAndList(10)).toBeLessThan(1000)
    expect(await doctor()).toMatchObject({ status: 'warn', detail: expect.stringMatching(/it is \d+\.\d s behind/) })
    await resume()
    await isReadAgain()
  })

  test('answers from the primary within a second while the replica is five seconds behind', async () => {
    await isReadAgain()
    onTestFinished(() => set('recovery_min_apply_delay', '0'))
    await set('recovery_min_apply_delay', '5s')
    expect(await sellAndList(10)).toBeLessThan(1000)
    await set('recovery_min_apply_delay', '0')
    await isReadAgain()
  })

  test('answers while connections to the replica break in the middle, and while it is silent or stopped', async () => {
    await isReadAgain()
    for (let i = 0; i < 4; i++) {
      link.cutAfter(500 * i + 1, i % 2 ? 'client' : 'server')
      await sellAndList(2)
    }
    await isReadAgain()
    for (let i = 0; i < 60; i++) await server.sell()
    const whole = await exported()
    for (const bytes of [8_000, 40_000]) {
      await isReadAgain()
      // Somewhere in the slices of 50 sales.
      const cuts = link.cuts()
      link.cutAfter(bytes, 'server')
      expect(await exported()).toBe(whole)
      expect(link.cuts()).toBeGreaterThan(cuts)
    }
    await isReadAgain()
    onTestFinished(() => link.comeBack())
    link.fallSilent()
    await sellAndList(5)
    expect(await doctor()).toMatchObject({ status: 'warn', fix: expect.stringContaining('FISKD_DATABASE_REPLICA_URL') })
    link.comeBack()
    await isReadAgain()

    const lists = Array.from({ length: 200 }, async (_, i) => {
      if (i === 50) await replica.crash()
      return (await latest()).status
    })
    expect(new Set(await Promise.all(lists))).toEqual(new Set([200]))
    expect(await sellAndList(5)).toBeLessThan(1000)
    expect((await visitor.get('/dashboard')).status).toBe(200)
  })

  test('starts while the replica is away, and reads from it when it is there', async () => {
    await replica.crash().catch(() => {})
    await server.restart()
    await sellAndList(1)
    expect(await doctor()).toMatchObject({ status: 'warn' })
    await replica.follow()
    await isReadAgain()
  })

  test('does not read from a replica that was promoted', async () => {
    await isReadAgain()
    await replica.promote()
    expect(await readsDuring(() => sellAndList(3))).toBe(0)
    expect(await doctor()).toMatchObject({ status: 'warn', detail: expect.stringContaining('it is no standby') })
  })

  test('can go on on the promoted one, which is no restored dump', async () => {
    const store = await openStore(replica.url('fiskd'), Date.now())
    expect(await store.numbering.sequences()).not.toEqual([])
    await store.close()
  })
})
