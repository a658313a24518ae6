import { readFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { dashboardOf } from '../../support/dashboard.ts'
import { type Gateway, startEmptyGateway } from '../../support/gateway.ts'

const ANA = { name: 'ana@example.hr', password: 'dovoljno duga lozinka' }

async function startWithAna(env: Record<string, string> = {}): Promise<Gateway> {
  const gateway = await startEmptyGateway({ RATE_LIMIT_AUTH_PER_15MIN: '1000', ...env })
  expect((await gateway.admin('/admin/users', { body: { ...ANA, role: 'admin' } })).status).toBe(201)
  return gateway
}

interface Knock {
  /** Resolves as soon as the request is on its way. */
  sent: Promise<void>
  /** Undefined when the caller has left before. */
  answer: Promise<{ status: number | undefined; retryAfter: string | undefined; at: number } | undefined>
  leave(): void
}

/** One sign-in from an address of its own. */
function knock(gateway: Gateway, localAddress: string, user = { name: 'nobody', password: 'x' }): Knock {
  const ca = readFileSync(join(gateway.dataDir, 'tls', 'ca.pem'), 'utf8')
  const headers = { 'content-type': 'application/json' }
  const options = { method: 'POST', ca, headers, localAddress, agent: false as const }
  const asked = request(`${gateway.url}/dashboard/session`, options)
  const answer = new Promise<Awaited<Knock['answer']>>((resolve) => {
    asked.on('error', () => resolve(undefined))
    asked.on('response', (incoming) => {
      const retryAfter = incoming.headers['retry-after']
      resolve({ status: incoming.statusCode, retryAfter, at: performance.now() })
      incoming.resume()
    })
  })
  const sent = new Promise<void>((resolve) => asked.on('finish', () => resolve()))
  asked.end(JSON.stringify(user))
  return { sent, answer, leave: () => void asked.destroy() }
}

test('290 abandoned sign-ins from ten addresses keep nobody from signing in', async () => {
  const gateway = await startWithAna()
  const knocks = Array.from({ length: 290 }, (_, i) => knock(gateway, `127.0.0.${10 + (i % 10)}`))
  await Promise.all(knocks.map(({ sent }) => sent))
  await sleep(500)
  for (const { leave } of knocks) leave()
  await sleep(200)
  const start = performance.now()
  expect(await knock(gateway, '127.0.0.1', ANA).answer).toMatchObject({ status: 201 })
  expect(performance.now() - start).toBeLessThan(5000)
})

test('sign-ins of one address that wait to the end delay others by one of them, and nine of them at most wait', async () => {
  const gateway = await startWithAna()
  const knocks = Array.from({ length: 20 }, () => knock(gateway, '127.0.0.9'))
  await Promise.all(knocks.map(({ sent }) => sent))
  await sleep(200)
  const ana = await knock(gateway, '127.0.0.1', ANA).answer
  expect(ana?.status).toBe(201)
  const answers = await Promise.all(knocks.map(({ answer }) => answer))
  const refused = answers.filter((answer) => answer?.status === 429)
  expect(refused.length).toBeGreaterThanOrEqual(8)
  for (const answer of refused) expect(answer?.retryAfter).toBe('10')
  const checked = answers.filter((answer) => answer?.status === 401)
  expect(checked.length).toBe(20 - refused.length)
  expect(checked.filter((answer) => (answer?.at ?? 0) > (ana?.at ?? 0)).length).toBeGreaterThanOrEqual(4)
})

test('the page says in both languages that too many sign in at a time, and keeps the name', async () => {
  const gateway = await startWithAna()
  const office = dashboardOf(gateway)
  // The pages are loaded with the first one.
  await office.browser().get('/dashboard/sign-in')
  const knocks = Array.from({ length: 20 }, () => knock(gateway, '127.0.0.1'))
  await Promise.all(knocks.map(({ sent }) => sent))
  const post = (language: string) => office.browser().post('/dashboard/sign-in', ANA, { 'accept-language': language })
  const [hr, en] = await Promise.all([post('hr'), post('en')])
  expect([hr.status, en.status]).toEqual([429, 429])
  expect(hr.words).toContain('Pričekajte nekoliko sekundi i pokušajte ponovno')
  expect(en.words).toContain('Wait a few seconds and try again')
  expect(en.text).toContain(`value="${ANA.name}"`)
  expect(en.headers['retry-after']).toBe('10')
  for (const { leave } of knocks) leave()
})

interface Entry {
  action: string
  actor: string
  detail: Record<string, unknown>
}

test('failed sign-ins are written down without what was typed as a name, and 20 of them are an alert', async () => {
  const gateway = await startWithAna()
  const refusals = async () =>
    (await gateway.admin<{ data: Entry[] }>('/admin/audit?limit=200')).body.data.filter(
      ({ action }) => action === 'session.refused',
    )
  const alerts = async () =>
    (await gateway.admin<{ data: { kind: string }[] }>('/admin/alerts?state=open')).body.data.map(({ kind }) => kind)
  const fail = (name: string) => knock(gateway, '127.0.0.7', { name, password: 'pogrešna lozinka' }).answer
  for (let i = 0; i < 18; i++) expect(await fail(ANA.name)).toMatchObject({ status: 401 })
  await fail('moja tajna lozinka')
  await gateway.watch()
  expect(await alerts()).not.toContain('sign_ins_failed')
  await fail(ANA.name)
  await gateway.watch()
  expect(await alerts()).toContain('sign_ins_failed')
  const written = await refusals()
  expect(written).toHaveLength(20)
  expect(written[0]).toMatchObject({
    ...{ actor: 'nobody', detail: { name: ANA.name, address: '127.0.0.7', step: 'password' } },
  })
  expect(written[1]?.detail.name).toBeNull()
  expect(JSON.stringify(written)).not.toContain('tajna')
  gateway.clock.aheadMs = 16 * 60_000
  await gateway.watch()
  expect(await alerts()).toContain('sign_ins_failed')
  gateway.clock.aheadMs = 80 * 60_000
  await gateway.watch()
  expect(await alerts()).not.toContain('sign_ins_failed')
})
