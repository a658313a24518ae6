import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { csrfTokenOf } from '../../../src/fiscal/access/sessions.ts'
import { setUpSecondFactor } from '../../support/authenticator.ts'
import { type Answer, call } from '../../support/call.ts'
import { dashboardOf, type Office } from '../../support/dashboard.ts'
import { startSharedGateway } from '../../support/gateway.ts'
import { fill, listenToRoutes, nameOf, type Route, type Routes } from '../../support/routes.ts'

/** Everything that answers somebody who has shown nothing. A server has all the routes of a gateway and more. */
const OPEN = [
  'GET /docs',
  // With all that is below.
  'GET /docs/*',
  'GET /v1/countries/:code/schemas',
  'GET /v1/health',
  'GET /v1/health/fiscal',
  // From this very machine alone.
  'GET /metrics',
  // The certificate of the CA that everybody has to trust; never its key.
  'GET /ca.pem',
  'GET /dashboard/assets/*',
  'GET /dashboard/sign-in',
  'POST /dashboard/sign-in',
  'POST /dashboard/sign-in/code',
  'GET /dashboard/forgotten',
  'POST /dashboard/forgotten',
  'POST /dashboard/sign-out',
  'POST /dashboard/session',
  'DELETE /dashboard/session',
  'POST /dashboard/look',
  'POST /dashboard/csp-report',
  // They ask for the token that an administrator has made.
  'GET /sync/v1/ca',
  'POST /sync/v1/enroll',
]

const NO_KEY = `Bearer fisk_test_${'A'.repeat(43)}`

let office: Office
let routes: Routes
let halfway: string

beforeAll(async () => {
  routes = listenToRoutes()
  office = dashboardOf(await startSharedGateway({ FISKD_ROLE: 'server', RATE_LIMIT_AUTH_PER_15MIN: '10000' }))
  const admin = await office.as('admin')
  await setUpSecondFactor(admin)
  const browser = office.browser()
  await browser.post('/dashboard/sign-in', { name: admin.name, password: admin.password })
  halfway = browser.cookies.get('__Host-fiskd_session') ?? ''
  expect(halfway).toMatch(/^[\w-]{43}$/)
})

type Headers = Record<string, string>

const callers: [string, () => Headers][] = [
  ['nobody', () => ({})],
  ['a key that does not exist', () => ({ authorization: NO_KEY })],
  ['a session whose second factor was not shown', () => sessionOf(halfway)],
]

function sessionOf(token: string): Headers {
  return { cookie: `__Host-fiskd_session=${token}`, 'x-csrf-token': csrfTokenOf(token) }
}

/** As a caller who means well: of the own origin, with a body where one belongs. */
function ask(route: Route, headers: Headers): Promise<Answer> {
  const ca = readFileSync(join(office.dataDir, 'tls', 'ca.pem'), 'utf8')
  const values = { code: 'HR', ...(route.url.includes('/assets/') && { '*': 'page.js' }) }
  const hasBody = ['POST', 'PUT', 'PATCH'].includes(route.method)
  const type = route.url.startsWith('/dashboard') ? 'application/x-www-form-urlencoded' : 'application/json'
  return call(
    { base: office.url, ca },
    {
      ...{ method: route.method, path: fill(route, values) },
      headers: { 'sec-fetch-site': 'same-origin', ...(hasBody && { 'content-type': type }), ...headers },
      ...(hasBody && { body: type.includes('json') ? '{}' : 'x=y' }),
    },
  )
}

function isRefused({ status, headers }: Answer): boolean {
  if ([401, 403, 404].includes(status)) return true
  return status === 303 && String(headers.location).startsWith('/dashboard/sign-in')
}

/** A request for the head is open where one for the whole is. */
function isOpen(route: Route): boolean {
  const name = nameOf(route).replace('HEAD', 'GET')
  return OPEN.includes(name) || name.startsWith('GET /docs/')
}

test.each(callers)('%s is let in nowhere but where everybody is', async (_who, headers) => {
  const asked = [...routes.outside(), ...routes.admin().filter(({ url }) => url.startsWith('/admin/'))]
  expect(asked.length).toBeGreaterThan(150)
  const answers = await Promise.all(asked.map(async (route) => ({ route, answer: await ask(route, headers()) })))
  const letIn = answers
    .filter(({ route, answer }) => !isOpen(route) && !isRefused(answer))
    .map(({ route, answer }) => `${nameOf(route)}: ${answer.status}`)
  expect(letIn).toEqual([])
  expect(answers.filter(({ answer }) => answer.status >= 500)).toEqual([])
})

test('the list of what is open names nothing else', () => {
  const known = routes.outside().map(nameOf)
  expect(OPEN.filter((name) => !known.includes(name))).toEqual([])
})
