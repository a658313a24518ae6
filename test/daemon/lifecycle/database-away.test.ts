import { describe, expect, test } from 'vitest'
import { HEARTBEAT } from '../../support/commands.ts'
import { dashboardOf } from '../../support/dashboard.ts'
import { diagnose } from '../../support/diagnosis.ts'
import { startGateway } from '../../support/gateway.ts'
import { overLink, postgresDatabase, query, skipWithoutPostgres } from '../../support/postgres.ts'
import { enrolGateway } from '../../support/sync-gateway.ts'

/** How long a caller waits for an answer at most, in milliseconds. */
const IN_TIME_MS = 5000

async function startOverLink() {
  const database = await postgresDatabase()
  const { url, link } = await overLink(database)
  const server = await startGateway({ FISKD_ROLE: 'server', FISKD_DATABASE_URL: url })
  return { link, server, database }
}

/** Where in a sale's talk with PostgreSQL a connection is cut, as a share of its bytes. */
const CUTS = [0.01, 0.15, 0.3, 0.45, 0.6, 0.7, 0.8, 0.9]

/** What everybody asks for is answered in time. */
async function inTime<T>(work: Promise<T>): Promise<T> {
  const asked = performance.now()
  const answer = await work
  expect(performance.now() - asked).toBeLessThan(IN_TIME_MS)
  return answer
}

const AWAY = { code: 'internal_error', type: 'api_error', message: expect.stringContaining('cannot be reached') }

describe.skipIf(skipWithoutPostgres)('while the database of a server is away', () => {
  test('each caller gets an answer within five seconds that says when to come back, and sells again after it', async () => {
    const { link, server } = await startOverLink()
    const speaker = await enrolGateway(server)
    const poll = () => speaker.ask('/poll', { wait_s: 0, heartbeat: HEARTBEAT, last_command: 0 })
    const sale = server.sale()
    await server.sell()

    link.goDown()
    // The first ones notice the loss themselves, the later ones find it noticed.
    for (const _time of ['first', 'later']) {
      const [sold, read, health, polled, pushed, listed] = await Promise.all([
        inTime(server.post(sale, 'away')),
        inTime(server.v1('/invoices')),
        inTime(server.v1('/health')),
        inTime(poll()),
        inTime(speaker.push([])),
        inTime(server.admin('/admin/keys')),
      ])
      for (const answer of [sold, read])
        expect(answer).toMatchObject({ status: 500, headers: { 'retry-after': '2' }, body: { error: AWAY } })
      for (const answer of [polled, pushed, listed])
        expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': '2' }, body: { error: AWAY } })
      expect(health).toMatchObject({
        status: 503,
        body: { status: 'down', checks: { database: { status: 'down', detail: 'it cannot be reached' } } },
      })
    }

    link.comeBack()
    await expect.poll(async () => (await server.v1('/health')).status).toBe(200)
    expect(await server.post(sale, 'away')).toMatchObject({ status: 200, body: { status: 'confirmed', number: '2' } })
    expect((await poll()).status).toBe(200)
  })

  test('a sale whose connections are cut in the middle, wherever that is, becomes one sale when it is repeated', async () => {
    const { link, server, database } = await startOverLink()
    await server.sell()
    const before = link.sent()
    await server.sell()
    const bytes = link.sent() - before
    const posts = CUTS.flatMap((share) => [
      { from: 'client' as const, share },
      { from: 'server' as const, share },
    ])
    for (const { from, share } of posts) {
      link.cutAfter(Math.ceil(share * bytes), from)
      const sale = server.sale()
      await expect.poll(async () => (await inTime(server.post(sale, `${from} ${share}`))).status).toBe(200)
    }
    expect(link.cuts()).toBeGreaterThan(0)
    const numbers = await query<{ number: string }>(database, 'SELECT number FROM invoices ORDER BY number::int')
    expect(numbers.map(({ number }) => Number(number))).toEqual(
      Array.from({ length: 2 + posts.length }, (_, i) => i + 1),
    )
    const journal = (await diagnose(server)).filter(({ name }) => name === 'journal' || name === 'numbers')
    expect(journal.map(({ status }) => status)).toEqual(['ok', 'ok'])
  })

  test('each caller gets an answer within five seconds also when nothing comes from PostgreSQL any more', async () => {
    const { link, server } = await startOverLink()
    const speaker = await enrolGateway(server)
    link.fallSilent()
    const answers = await Promise.all([
      inTime(server.post()),
      inTime(server.v1('/invoices')),
      inTime(server.v1('/health')),
      inTime(speaker.ask('/poll', { wait_s: 0, heartbeat: HEARTBEAT, last_command: 0 })),
      inTime(speaker.push([])),
      inTime(server.admin('/admin/keys')),
    ])
    expect(answers.map(({ status }) => status)).toEqual([500, 500, 503, 503, 503, 503])
    link.comeBack()
    await expect.poll(async () => (await server.v1('/health')).status).toBe(200)
    await server.sell()
  })

  test('a page says so in the language of its reader and tries again by itself, and a form is not sent again', async () => {
    const { link, server } = await startOverLink()
    const office = dashboardOf(server)
    const [croat, other] = [await office.as('admin', { language: 'hr' }), await office.as('admin', { language: 'en' })]
    link.goDown()

    const page = await inTime(other.get('/dashboard', { 'accept-language': 'en' }))
    expect(page).toMatchObject({ status: 503, headers: { 'retry-after': '2', refresh: '2' } })
    expect(page.words).toContain('The database is not available at the moment. fiskd tries again automatically')
    expect(page.words).toContain('This page reloads automatically.')
    expect((await croat.get('/dashboard', { 'accept-language': 'hr' })).words).toContain('Baza podataka nije dostupna')

    const form = await inTime(other.post('/dashboard/devices/new', {}, { 'accept-language': 'en' }))
    expect(form).toMatchObject({ status: 503, headers: { 'retry-after': '2' } })
    expect(form.headers).not.toHaveProperty('refresh')
    expect(form.words).toContain('Check whether the change was stored')

    link.comeBack()
    await expect.poll(async () => (await other.get('/dashboard')).status).toBe(200)
  })
})
