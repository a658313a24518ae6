import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { dashboardOf, type Office, type PageAnswer, type Visitor } from '../support/dashboard.ts'
import { everyRow } from '../support/database.ts'
import { startSharedGateway } from '../support/gateway.ts'
import { fill, listenToRoutes, nameOf, type Route } from '../support/routes.ts'

/** Forms of somebody who is not signed in yet, or that concern a browser alone. */
const OPEN = [
  ...['/sign-in', '/sign-in/code', '/sign-out', '/session', '/look', '/csp-report'],
  ...['/forgotten', '/password/:token'],
]
/** What everybody may change of themselves. */
const OWN = [
  '/account',
  '/account/password',
  '/account/sign-out-elsewhere',
  '/account/second-factor',
  '/account/second-factor/remove',
  '/views',
  '/views/:id/remove',
  '/account/recovery-codes',
]

let office: Office
let forms: Route[]
let changes: Route[]
let admin: Visitor
let viewer: Visitor
let token: string
let viewersToken: string
let key: string

beforeAll(async () => {
  const routes = listenToRoutes()
  office = dashboardOf(await startSharedGateway({ FISKD_ROLE: 'server', RATE_LIMIT_AUTH_PER_15MIN: '10000' }))
  ;[admin, viewer] = [await office.as('admin'), await office.as('viewer')]
  ;[token, viewersToken] = [await tokenOf(admin), await tokenOf(viewer)]
  key = await office.createKey({ scopes: ['invoices:write', 'fleet:write', 'certificates:write'] })
  const changing = routes.outside().filter(({ method }) => method !== 'GET' && method !== 'HEAD')
  forms = changing.filter((route) => /^\/dashboard\/[a-z]/.test(route.url) && !OPEN.includes(below(route)))
  changes = changing.filter(({ url }) => url.startsWith('/v1/'))
})

const below = ({ url }: Route) => url.replace('/dashboard', '')

async function tokenOf(visitor: Visitor): Promise<string> {
  return (await visitor.get('/dashboard/account')).hidden('/dashboard/account')._csrf ?? ''
}

type Send = (path: string, fields: Record<string, string>) => Promise<PageAnswer>

const callers: [string, Send][] = [
  ['nobody', (path, fields) => office.browser().post(path, { ...fields, _csrf: token })],
  ['an administrator without the token of the session', (path, fields) => admin.post(path, fields)],
  [
    'an administrator with the token of another session',
    (path, fields) => admin.post(path, { ...fields, _csrf: viewersToken }),
  ],
  [
    'a page of another site',
    (path, fields) => admin.post(path, { ...fields, _csrf: token }, { 'sec-fetch-site': 'cross-site' }),
  ],
  [
    'a page of another site in an older browser',
    (path, fields) =>
      admin.post(path, { ...fields, _csrf: token }, { 'sec-fetch-site': undefined, origin: 'https://evil.example' }),
  ],
  [
    'an API key',
    (path, fields) => office.browser().post(path, { ...fields, _csrf: token }, { authorization: `Bearer ${key}` }),
  ],
  ['a viewer', (path, fields) => viewer.post(path, { ...fields, _csrf: viewersToken })],
]

test.each(callers)('%s changes nothing by any form', async (who, send) => {
  const refusing = forms.filter((route) => who !== 'a viewer' || !OWN.includes(below(route)))
  expect(refusing.length).toBeGreaterThan(30)
  const before = await everyRow(office)
  const wentThrough: string[] = []
  for (const route of refusing) {
    const fields = { _form: randomUUID(), name: 'forged', password: 'a forged password', language: 'en', email: '' }
    const { status } = await send(fill(route, { id: office.deviceId }), fields)
    if (status !== 401 && status !== 403) wentThrough.push(`${nameOf(route)}: ${status}`)
  }
  expect(wentThrough).toEqual([])
  expect(await everyRow(office)).toEqual(before)
})

test('a session changes nothing by any route of the API without its token', async () => {
  expect(changes.length).toBeGreaterThan(7)
  const before = await everyRow(office)
  const cookie = [...admin.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  for (const route of changes) {
    const headers = { cookie, authorization: undefined, 'idempotency-key': randomUUID() }
    const path = fill(route, { id: office.deviceId }).replace('/v1', '')
    const answer = await office.v1(path, { method: route.method, body: {}, headers })
    expect(answer, nameOf(route)).toMatchObject({ status: 403, body: { error: { code: 'csrf_token_invalid' } } })
  }
  expect(await everyRow(office)).toEqual(before)
})
