import { expect, onTestFinished, test } from 'vitest'
import { startCentral, told } from '../support/central-server.ts'
import { startCutLink } from '../support/cut-link.ts'
import { dashboardOf } from '../support/dashboard.ts'
import { inDatabase } from '../support/database.ts'
import { addCompany, type Gateway, startEmptyGateway } from '../support/gateway.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { OIBS, pki } from '../support/pki.ts'

const [OIB] = OIBS
const PATIENCE = { timeout: PATIENCE_MS }

/** A gateway with a device of the company at a premises of its own. */
async function startSeller(premises_code: string): Promise<Gateway> {
  const gateway = await startEmptyGateway()
  gateway.companyId = await addCompany(gateway, OIB)
  gateway.deviceId = await gateway.addDevice({ premises_code, label: premises_code, isu_number: '101' })
  gateway.key = await gateway.createKey()
  return gateway
}

/** A company of a server, for which two gateways sell: one near, and one whose line can be cut. */
async function startFleet() {
  const { server, token } = await startCentral()
  const line = await startCutLink(() => server.url, onTestFinished)
  const [near, far] = [await startSeller('BLIZU'), await startSeller('DALEKO')]
  for (const [name, gateway, url] of [
    ['near', near, server.url],
    ['far', far, line.url],
  ] as const) {
    const enrolled = await gateway.admin('/admin/sync/enroll', { body: { url, token: await token(name) } })
    if (enrolled.status !== 200) throw new Error(enrolled.text)
    await told(gateway)
  }
  const page = `/dashboard/companies/${await addCompany(server, OIB)}`
  const admin = await dashboardOf(server).as('admin')
  return { server, near, far, line, page, admin, words: async () => (await admin.get(page)).words }
}

const sells = async (gateway: Gateway) => (await gateway.post()).status === 200

test('a suspended company stops where its gateway has obeyed, and the page says who has not', async () => {
  const { near, far, line, page, admin, words } = await startFleet()
  expect((await admin.get(page)).text).toContain('Naredba odlazi na 2 pristupnika')
  line.goDown()
  expect((await admin.submit(page, { status: 'suspended' }, `${page}/status`)).status).toBe(303)
  await expect.poll(() => sells(near), PATIENCE).toBe(false)
  expect(await sells(far)).toBe(true)
  await expect.poll(words, PATIENCE).toContain('Tvrtka obustavljena Na 1 od 2 pristupnika.')
  expect(await words()).toMatch(/Obustava tvrtke: naredba od .+ čeka da je preuzme pristupnik far\./)
  const machines = async () => (await admin.get('/dashboard/devices')).words
  await expect.poll(machines, PATIENCE).toMatch(/BLIZU na pristupniku prodaja nije moguća.*DALEKO Samoposluga/)

  line.comeBack()
  await expect.poll(words, PATIENCE).toContain('Tvrtka obustavljena Na 2 od 2 pristupnika.')
  expect(await sells(far)).toBe(false)
  await admin.submit(page, { status: 'active' }, `${page}/status`)
  await expect.poll(() => sells(far), PATIENCE).toBe(true)
})

test('a suspension that a gateway has not fetched in time can be sent again', async () => {
  const { server, far, line, page, admin, words } = await startFleet()
  line.goDown()
  await admin.submit(page, { status: 'suspended' }, `${page}/status`)
  await inDatabase(server, "UPDATE gateway_commands SET expires_at = 1 WHERE status = 'waiting' AND sent_at IS NULL")
  await expect.poll(words, PATIENCE).toMatch(/Obustava tvrtke, pristupnik far: isteklo\./)
  expect(await words()).toContain('Ponovno pošalji pristupnicima')
  line.comeBack()
  await admin.submit(page, { status: 'suspended' }, `${page}/status`)
  await expect.poll(() => sells(far), PATIENCE).toBe(false)
})

test('a company signs with what its slowest gateway signs with, until all have the new certificate', async () => {
  const { line, page, admin, words } = await startFleet()
  const badge = async () => (await admin.get('/dashboard/companies')).words
  const before = await badge()
  line.goDown()
  const { p12, passphrase } = await pki.issueCompany({ oib: OIB, notAfter: new Date(Date.now() + 900 * 86_400_000) })
  const upload = { file: new Blob([new Uint8Array(p12)]), passphrase, target: 'here,near,far' }
  expect((await admin.submit(page, upload, `${page}/certificate`)).status).toBe(303)
  await expect.poll(words, PATIENCE).toContain('Na 1 od 2 pristupnika.')
  expect(await words()).toMatch(/Novi certifikat: naredba od .+ čeka da je preuzme pristupnik far\./)
  expect(await badge()).toBe(before)
  line.comeBack()
  await expect.poll(words, PATIENCE).toContain('Na 2 od 2 pristupnika.')
  await expect.poll(badge, PATIENCE).not.toBe(before)
})
