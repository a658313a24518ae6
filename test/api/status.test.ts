import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { blockWrites, inDatabase } from '../support/database.ts'
import { diagnose } from '../support/diagnosis.ts'
import { fisk } from '../support/fisk.ts'
import { addCompany, type Gateway, startEmptyGateway, startGateway, startSharedGateway } from '../support/gateway.ts'
import { authority, issue } from '../support/issued-certificates.ts'
import { OIBS } from '../support/pki.ts'
import { onPostgres } from '../support/postgres.ts'

const DAY_MS = 86_400_000

interface Status {
  can_sell: boolean
  problems: { subject: string; problem: string; fix: string }[]
  devices: object
  cis: { reachable: boolean; age_s: number } | null
}

const statusOf = async (gateway: Gateway, device?: string): Promise<Status> =>
  (await gateway.admin<never>(`/admin/status${device === undefined ? '' : `?device_id=${device}`}`)).body

/** What stops the sale, by the subject of the problem; the sale itself must agree. */
async function stopped(gateway: Gateway): Promise<string[]> {
  const { can_sell, problems } = await statusOf(gateway)
  const { status } = await gateway.post()
  expect({ can_sell, sold: status === 200 }).toEqual({ can_sell, sold: can_sell })
  return problems.map(({ subject, problem }) => `${subject}: ${problem}`)
}

let shared: Gateway
beforeAll(async () => {
  shared = await startSharedGateway()
})

const change = (path: string, body: object) => shared.admin(path, { method: 'PATCH', body })

test('what a sale stumbles over is what status says, and it is gone when it is mended', async () => {
  const [company, device] = [`/v1/companies/${shared.companyId}`, `/v1/devices/${shared.deviceId}`]
  expect(await stopped(shared)).toEqual([])

  await change(device, { isu_number: null })
  expect(await stopped(shared)).toEqual(['machine: it has no ISU number'])
  await change(device, { device_config: { sale_type: 'attended', register_mark: '1', operator_oib: OIBS[0] } })
  expect(await stopped(shared)).toEqual([])
  await change(device, { device_config: {}, isu_number: '101' })

  await change(device, { status: 'suspended' })
  expect(await stopped(shared)).toEqual(['machine: the device is suspended'])
  await change(device, { status: 'archived' })
  expect(await stopped(shared)).toEqual(['device: there is no active device'])
  await change(device, { status: 'active' })

  await change(company, { status: 'suspended' })
  expect(await stopped(shared)).toEqual(['Samoposluga d.o.o.: the company is suspended'])
  await change(company, { status: 'archived' })
  expect(await stopped(shared)).toEqual(['company: there is no active company'])
  await change(company, { status: 'active' })
  expect(await stopped(shared)).toEqual([])
})

test('a fresh server waits for its first gateway, and neither status nor doctor takes that for a fault', async () => {
  const server = await startEmptyGateway({ FISKD_ROLE: 'server' })
  const { code, stdout } = await fisk(['status'], { socket: server.socketPath })
  expect(code).toBe(0)
  expect(stdout).toMatch(/^This server waits for its first gateway\.\n +Next: sudo fisk gateway add NAME/)
  expect(stdout).not.toMatch(/can ?not sell/i)
  const companies = (await diagnose(server)).find(({ name }) => name === 'companies')
  expect(companies).toMatchObject({ status: 'ok', detail: expect.stringContaining('waits for its first gateway') })
  // Not so a gateway that sells nothing.
  const gateway = await startEmptyGateway({ FISKD_ROLE: 'gateway' })
  expect(await fisk(['status'], { socket: gateway.socketPath })).toMatchObject({ code: 1 })
})

test('a certificate that ran out, and one that was revoked, stop the sale with the reason', async () => {
  const gateway = await startGateway()
  gateway.clock.aheadMs = 4000 * DAY_MS
  expect(await stopped(gateway)).toEqual(['Samoposluga d.o.o.: its certificate has expired'])
  gateway.clock.aheadMs = 0
  const { body } = await gateway.admin<{ data: { id: string }[] }>('/v1/certificates')
  await gateway.admin(`/admin/certificates/${body.data[0]?.id}/revoke`, { method: 'POST' })
  expect(await stopped(gateway)).toEqual(['Samoposluga d.o.o.: its certificate was revoked by its issuer'])
  expect((await statusOf(gateway)).problems[0]?.fix).toBe(`fisk cert add --company ${OIBS[0]} --file FILE.p12`)
})

test('a certificate that the trust bundle does not know gets no JIR, and is told with the reason', async () => {
  const gateway = await startGateway()
  const { der } = issue({ name: 'Another root', extensions: authority() })
  const pem = `-----BEGIN CERTIFICATE-----\n${der.toString('base64')}\n-----END CERTIFICATE-----\n`
  await writeFile(join(gateway.dataDir, 'trust', 'test.pem'), pem)
  await gateway.restart()
  expect(await statusOf(gateway)).toMatchObject({
    can_sell: false,
    problems: [{ subject: 'Samoposluga d.o.o.', problem: expect.stringContaining('not trusted in test mode') }],
  })
  await writeFile(join(gateway.dataDir, 'trust', 'test.pem'), '')
  await gateway.restart()
  expect(await statusOf(gateway)).toMatchObject({ can_sell: false, problems: [{ subject: 'trust test' }] })
})

test('a private key that does not open any more stops the sale, and what helps is said', async () => {
  const gateway = await startGateway()
  await gateway.stop()
  await inDatabase(gateway, 'UPDATE certificates SET sealed_key = certificate')
  await gateway.restart()
  const why = 'the private key of its certificate cannot be opened'
  expect((await statusOf(gateway)).problems).toMatchObject([{ problem: why, fix: expect.stringContaining('cert add') }])
  expect(await stopped(gateway)).toHaveLength(1)
})

test('a database that takes no writes stops every sale', async () => {
  const gateway = await startGateway()
  const mend = await blockWrites(gateway)
  expect((await gateway.post()).status).toBe(500)
  // A server whose PostgreSQL takes no writes counts as one without it, and can read nothing either.
  if (onPostgres) expect((await gateway.admin('/admin/status')).text).toContain('the database takes no writes')
  else expect(await stopped(gateway)).toEqual([expect.stringContaining('database: the database takes no writes')])
  await mend()
  await expect.poll(() => stopped(gateway)).toEqual([])
})

test('one device that can sell is enough, and each is asked about alone', async () => {
  const gateway = await startGateway()
  await addCompany(gateway, OIBS[1], { name: 'Kava' })
  const without = await gateway.addDevice({ label: 'Bar $1' })
  for (let n = 1; n <= 5; n++) await gateway.addDevice({ label: `Hall ${n}`, premises_code: 'HALL' })
  expect(await statusOf(gateway)).toMatchObject({
    can_sell: true,
    problems: [{ subject: 'device', problem: '6 devices have no ISU number', fix: 'fisk isu pending' }],
    devices: { total: 7, without_isu: 6, able_to_sell: 1 },
  })
  expect(await statusOf(gateway, without)).toMatchObject({
    can_sell: false,
    problems: [{ subject: 'Bar $1', fix: `fisk isu set 'Bar $1' NUMBER` }],
    devices: { total: 1, without_isu: 1, able_to_sell: 0 },
    companies: [{ oib: OIBS[0] }],
  })
  expect(await statusOf(gateway, gateway.deviceId)).toMatchObject({ can_sell: true, problems: [] })
  expect((await gateway.admin(`/admin/status?device_id=${OIBS[0]}`)).status).toBe(400)
  expect((await gateway.admin(`/admin/status?device_id=${gateway.companyId}`)).status).toBe(404)
})

test('a gateway without anything says what comes first, and knows its disk, printers and last backup', async () => {
  const gateway = await startEmptyGateway()
  expect(await statusOf(gateway)).toMatchObject({
    can_sell: onPostgres,
    // A server need not sell itself.
    problems: onPostgres ? [] : [{ subject: 'company' }, { subject: 'device' }],
    disk: { free_bytes: expect.any(Number), left_out: [] },
    printers: [],
    sync: null,
    backup: { last_at: null, elsewhere: onPostgres },
  })
  // PostgreSQL's backups are its own.
  if (onPostgres) return
  await gateway.admin('/admin/backup')
  expect(await statusOf(gateway)).toMatchObject({ backup: { last_at: expect.stringMatching(/^\d{4}-/) } })
})

test('a sale that waits shows both clocks: the two working days of the law and the 30 days of CIS', async () => {
  const gateway = await startGateway()
  await gateway.cis.goDown()
  await gateway.sell()
  const { queue } = (await gateway.admin<{ queue: Record<string, string> }>('/admin/status')).body
  const days = (from?: string, to?: string) => (Date.parse(to ?? '') - Date.parse(from ?? '')) / DAY_MS
  expect(days(queue.oldest_at, queue.next_deadline_at)).toBe(30)
  expect(days(queue.oldest_at, queue.legal_deadline_at)).toBeGreaterThan(2)
  expect(days(queue.oldest_at, queue.legal_deadline_at)).toBeLessThan(9)
})

test('an authority that takes the connection and says nothing does not make the status slow', async () => {
  const silent = createServer(() => {})
  onTestFinished(() => void silent.close())
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const { port } = silent.address() as { port: number }
  const gateway = await startGateway({ FISKD_CIS_TEST_URL: `https://127.0.0.1:${port}/` })
  await statusOf(gateway)
  const started = performance.now()
  expect((await statusOf(gateway)).cis).toBeNull()
  // The echo would take four seconds.
  expect(performance.now() - started).toBeLessThan(3900)
})

test('the last answer of the authority is shown with its age while it is asked again', async () => {
  const gateway = await startGateway()
  await expect.poll(async () => (await statusOf(gateway)).cis?.reachable).toBe(true)
  await gateway.cis.goDown()
  expect((await statusOf(gateway)).cis).toMatchObject({ reachable: true })
  gateway.clock.aheadMs = 20_000
  await expect.poll(async () => (await statusOf(gateway)).cis).toMatchObject({ reachable: false, age_s: 0 })
})
