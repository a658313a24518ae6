import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { dashboardOf, type Office, type Visitor } from '../support/dashboard.ts'
import { everyRow, inDatabase } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { startSharedGateway } from '../support/gateway.ts'
import { listenToRoutes, nameOf, type Route, type Routes } from '../support/routes.ts'
import { enrolGateway } from '../support/sync-gateway.ts'
import { fleet, record } from '../support/sync-rows.ts'

const TENANT = 'drugi'
const inTenant = { 'x-tenant': TENANT }

/** What an address can name, by the word that stands before it there. */
type Things = Record<string, string>

let office: Office
let routes: Routes
let theirs: Things
let nothing: Things
/** A gateway is named by its name or by its id. */
let gatewayId: string
/** An administrator of the other tenant. */
let stranger: Visitor
let token: string

beforeAll(async () => {
  routes = listenToRoutes()
  office = dashboardOf(await startSharedGateway({ FISKD_ROLE: 'server', RATE_LIMIT_AUTH_PER_15MIN: '1000' }))
  const { id: invoices } = await office.sell()
  const kiosk = await enrolGateway(office)
  gatewayId = kiosk.id
  const { parents, invoice, alert } = fleet({ oib: '98765432106' })
  await kiosk.push([...parents(), record('invoice', invoice(1)), record('alert', alert())])
  await workAtTheOffice()
  const user = { name: 'owner@example.hr', password: 'a long test password' }
  const users = await office.admin('/admin/users', { body: user })
  const command = { body: { type: 'doctor' } }
  const commands = await office.admin(`/admin/gateways/${kiosk.id}/commands`, command)
  await inDatabase(
    office,
    `INSERT INTO closing_schedules (id, tenant_id, unit, mode, recipient, language, saved_by, saved_at, next_starts)
      VALUES ('${randomUUID()}', 'default', 'day', 'test', 'knjige@example.hr', 'hr', 'ana', 1, '2026-05-04')`,
  )
  const idIn = async (table: string) => String((await inDatabase(office, `SELECT id FROM ${table}`))[0]?.id)
  const [messages, alerts, keys, certificates, schedules, closings, jobs] = await Promise.all(
    ['messages', 'alerts', 'api_keys', 'certificates', 'closing_schedules', 'closings', 'jobs'].map(idIn),
  )
  theirs = {
    ...{ invoices, messages, alerts, keys, certificates, schedules, commands: commands.body.id, users: users.body.id },
    ...{ closings, jobs },
    ...{ devices: office.deviceId, printers: office.deviceId, companies: office.companyId, gateways: kiosk.name },
  } as Things
  expect(Object.entries(theirs).filter(([, id]) => id === undefined || id === 'undefined')).toEqual([])
  const none = Object.keys(theirs).map((kind) => [kind, randomUUID()])
  nothing = { ...Object.fromEntries(none), invoices: `inv_${'0'.repeat(32)}`, gateways: 'nothing-1' }

  await office.admin('/admin/tenants', { body: { name: TENANT } })
  const body = { ...user, name: 'stranger@example.hr', role: 'admin' }
  await office.admin('/admin/users', { body, headers: inTenant })
  stranger = office.browser()
  await stranger.post('/dashboard/sign-in', { name: body.name, password: body.password })
  token = (await stranger.get('/dashboard/account')).hidden('/dashboard/account')._csrf ?? ''
})

/** Closes the day before, on which the gateway has sold, and does work on many rows. */
async function workAtTheOffice() {
  const owner = await office.as('admin')
  const [closings, jobs] = ['/dashboard/closings', '/dashboard/jobs']
  expect((await owner.submit(`${closings}?unit=day`, {}, closings)).status).toBe(303)
  const form = (await owner.get('/dashboard/account')).hidden()
  const { to } = await owner.post(jobs, { ...form, work: 'active', ids: office.deviceId })
  await eventually(async () => expect((await owner.get(String(to))).words).toContain('završeno'))
}

/** What is of use to a form, whichever it is. */
const FORM = {
  ...{ isu_number: '5', status: 'suspended', label: 'stolen', name: 'stolen', password: 'a stolen password' },
  ...{ mode: 'live', role: 'viewer', language: 'hr', email: '' },
}
/** A key that was made is shown once, and says the same of every other one. */
const ALIKE_FOR_ALL: Record<string, number> = { 'GET /dashboard/keys/:id/made': 200 }
/** A copy that was printed, what a gateway has sent along with its answer. */
const NOT_MADE_HERE = [
  'GET /dashboard/companies/:id/logo.png',
  'GET /dashboard/gateways/:name/commands/:id/file',
  'GET /admin/invoices/:id/copies/:copy',
  'HEAD /admin/invoices/:id/copies/:copy',
  'GET /admin/gateways/:id/commands/:command/attachment',
  'HEAD /admin/gateways/:id/commands/:command/attachment',
]

const isRead = ({ method }: Route) => method === 'GET' || method === 'HEAD'
/** A logo, which the sign-in shows, too, and a link, which is its own proof. */
const FOR_ALL = ['/logo/:hash', '/password/:token']
function named(all: Route[], prefix: string): Route[] {
  const isForAll = (url: string) => FOR_ALL.some((end) => url.endsWith(end))
  return all.filter(({ url }) => url.startsWith(prefix) && url.includes('/:') && !isForAll(url))
}

function addressOf({ url }: Route, things: Things): string {
  return url
    .replace('messages/:message/:file', `messages/:message/request.xml`)
    .replace('copies/:copy', 'copies/0')
    .replace(/(\w+)\/:\w+/g, (_all, kind: string) => `${kind}/${things[kind] ?? 'x'}`)
}

interface Said {
  status: number
  text: string
}

/** What an answer says, but for what was asked for. */
function said(status: number, text: string, things: Things): Said {
  return { status, text: Object.values(things).reduce((short, id) => short.replaceAll(id, '#'), text) }
}

type Ask = (route: Route, things: Things) => Promise<Said>

const asking: [string, () => Route[], Ask][] = [
  [
    'a page of the dashboard',
    () => named(routes.outside(), '/dashboard/'),
    async (route, things) => {
      const path = addressOf(route, things)
      const ids = { invoice_id: things.invoices ?? '', company_id: things.companies ?? '', id: things.keys ?? '' }
      const file = { ...(path.endsWith('/certificate') && { file: new Blob(['x']) }) }
      const form = { ...FORM, ...ids, ...file, _csrf: token, _form: randomUUID() }
      const { status, words } = isRead(route) ? await stranger.get(path) : await stranger.post(path, form)
      return said(status, words, things)
    },
  ],
  [
    'a route of the admin socket',
    () => named(routes.admin(), '/admin/'),
    async (route, things) => {
      const path = addressOf(route, things)
      const body = BODIES[nameOf(route)]?.(things) ?? {}
      const sent = { method: route.method, headers: inTenant, ...(!isRead(route) && { body }) }
      const { status, text } = await office.admin(path, sent)
      return said(status, text, things)
    },
  ],
]

/** Of the routes that want something. */
const BODIES: Record<string, (things: Things) => object> = {
  'PATCH /admin/gateways/:id': () => ({ companies: null }),
  'POST /admin/gateways/:id/accept': ({ invoices }) => ({ invoice_id: invoices }),
  'POST /admin/gateways/:id/certificates': certificateFor,
  'POST /admin/gateways/:id/commands': () => ({ type: 'doctor' }),
  'POST /admin/users/:id/companies': () => ({ companies: null }),
}

function certificateFor(things: Things): FormData {
  const form = new FormData()
  form.set('company_id', things.companies ?? '')
  form.set('passphrase', 'x')
  form.set('file', new Blob(['x']), 'a.p12')
  return form
}

test.each(asking)(
  '%s that names a thing of another tenant answers as if it were not there',
  async (_what, list, ask) => {
    const before = await everyRow(office)
    const asked = list()
    expect(asked.length).toBeGreaterThan(25)
    for (const route of asked) {
      const name = nameOf(route)
      const told = await ask(route, theirs)
      expect([name, told]).toEqual([name, await ask(route, nothing)])
      expect([name, told.status]).toEqual([name, ALIKE_FOR_ALL[name] ?? 404])
      if (!route.url.includes('/gateways/')) continue
      expect([name, await ask(route, { ...theirs, gateways: gatewayId })]).toEqual([name, told])
    }
    expect(await everyRow(office)).toEqual(before)
  },
)

test('to its own tenant all of them are there', async () => {
  const owner = await office.as('admin')
  const missing: string[] = []
  for (const route of named(routes.outside(), '/dashboard/').filter(isRead)) {
    if ((await owner.get(addressOf(route, theirs))).status === 404) missing.push(nameOf(route))
  }
  for (const route of named(routes.admin(), '/admin/').filter(isRead)) {
    const { status } = await office.admin(addressOf(route, theirs), { method: route.method })
    if (status === 404) missing.push(nameOf(route))
  }
  expect(missing.sort()).toEqual(NOT_MADE_HERE.toSorted())
})
