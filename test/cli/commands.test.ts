import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { companyIdOf } from '../../src/domain/company-id.ts'
import { canBeConfirmed, explainCodes, RESTRICTIVE_CODES, refusalMessage } from '../../src/domain/sale/refusal.ts'
import { A_KEY, type AdminStub, refusal, startAdminStub } from '../support/admin-stub.ts'
import { fisk } from '../support/fisk.ts'
import { INVOICE, SALE } from '../support/stub-answers.ts'

const OIB = '02994650199'
const OTHER_OIB = '12345678903'

let stub: AdminStub
beforeEach(async () => {
  stub = await startAdminStub()
})
afterEach(() => stub.close())

const ask = (...argv: string[]) => fisk(argv, { socket: stub.socket })

test('company add sends what the flags say and prints the company', async () => {
  const ran = await ask(
    'company',
    'add',
    '--oib',
    OIB,
    '--name',
    'Žućo d.o.o.',
    '--mode',
    'live',
    '--vat-rate',
    '25.00',
  )

  expect(ran).toMatchObject({ code: 0, stderr: '' })
  expect(stub.seen).toMatchObject([
    {
      method: 'POST',
      path: '/v1/companies',
      contentType: 'application/json',
      body: {
        ...{ oib: OIB, name: 'Žućo d.o.o.', mode: 'live' },
        fiscal_config: { default_vat_rate: '25.00', default_vat_base: 'taxable' },
      },
    },
  ])
  expect(ran.stdout).toContain('Žućo d.o.o.')
  expect(ran.stdout).toContain(companyIdOf(OIB))
})

test('a company outside the VAT system is sent as such, and with the base that counts once it is in it', async () => {
  const ran = await ask('company', 'add', '--oib', OIB, '--name', 'Kava', '--not-vat-registered', '--json')

  expect(stub.seen[0]?.body).toEqual({
    ...{ oib: OIB, name: 'Kava', vat_registered: false },
    fiscal_config: { default_vat_base: 'taxable' },
  })
  expect(JSON.parse(ran.stdout)).toEqual(stub.companies[0])
})

test('a certificate goes up as multipart, with the passphrase from a file without its newline', async () => {
  await ask('company', 'add', '--oib', OIB, '--name', 'Kava')
  const [file, secret] = [join(stub.directory, 'fiskal1.p12'), join(stub.directory, 'secret')]
  const bytes = Buffer.from([0x30, 0x82, 0x00, 0xff, 0x0d, 0x0a])
  await writeFile(file, bytes)
  await writeFile(secret, 'lozinka šđž \n')

  const ran = await ask('cert', 'add', '--company', OIB, '--file', file, '--passphrase-file', secret, '--label', 'novi')

  expect(ran).toMatchObject({ code: 0, stderr: '' })
  expect(stub.seen.at(-1)).toMatchObject({
    method: 'POST',
    path: '/v1/certificates',
    contentType: 'multipart/form-data',
  })
  expect(stub.seen.at(-1)?.body).toEqual({
    company_id: companyIdOf(OIB),
    passphrase: 'lozinka šđž ',
    label: 'novi',
    file: { name: 'fiskal1.p12', bytes },
  })
  expect(Object.keys(stub.seen.at(-1)?.body ?? {}).at(-1)).toBe('file')
  expect(ran.stdout).toContain('valid until  19.11.2028 12:00:00 (729 days)')
})

test('the passphrase comes from standard input too, and never appears in an output', async () => {
  const file = join(stub.directory, 'fiskal1.p12')
  await writeFile(file, 'not a certificate')
  stub.answer(
    'POST /v1/certificates',
    refusal(400, 'invalid_request', 'The passphrase does not open it.', 'passphrase'),
  )
  const argv = ['cert', 'add', '--company', OIB, '--file', file, '--passphrase-stdin']

  const plain = await fisk(argv, { socket: stub.socket, stdin: 'tajna-4711\r\n' })
  const json = await fisk([...argv, '--json'], { socket: stub.socket, stdin: 'tajna-4711\r\n' })

  expect(stub.seen.flatMap(({ body }) => body?.passphrase ?? [])).toEqual(['tajna-4711', 'tajna-4711'])
  expect([plain.code, json.code]).toEqual([1, 1])
  expect(plain.stdout + plain.stderr + json.stdout + json.stderr).not.toContain('tajna')
})

test('a file too large for a certificate is refused before it is sent', async () => {
  const file = join(stub.directory, 'film.p12')
  await writeFile(file, Buffer.alloc(256 * 1024 + 1))
  const ran = await ask('cert', 'add', '--company', OIB, '--file', file, '--passphrase-stdin', '--json')
  expect(ran.code).toBe(1)
  expect(JSON.parse(ran.stdout)).toMatchObject({ error: { code: 'file_too_large', param: 'file' } })
  expect(stub.seen).toEqual([])
})

test('a device is registered for the company that the OIB names', async () => {
  const argv = ['--company', OIB, '--premises', 'POSL1', '--label', 'Lobby 1', '--isu', '12345', '--json']
  const ran = await ask('device', 'add', ...argv)

  expect(stub.seen[0]).toMatchObject({ method: 'POST', path: '/v1/devices' })
  expect(stub.seen[0]?.body).toEqual({
    company_id: companyIdOf(OIB),
    premises_code: 'POSL1',
    label: 'Lobby 1',
    isu_number: '12345',
  })
  expect(JSON.parse(ran.stdout)).toEqual(stub.devices[0])
})

test('a company may be named by its id', async () => {
  await ask('device', 'add', '--company', companyIdOf(OIB), '--premises', 'P1', '--label', 'A')
  expect(stub.seen[0]?.body?.company_id).toBe(companyIdOf(OIB))
})

test('an ISU number is set by label and cleared by id', async () => {
  await ask('device', 'add', '--company', OIB, '--premises', 'P1', '--label', 'Šank & bar')
  const id = String(stub.devices[0]?.id)
  const set = await ask('isu', 'set', 'Šank & bar', '12345', '--json')
  expect(stub.seen).toMatchObject([
    { method: 'POST', path: '/v1/devices' },
    // Whether another machine has its premises, too.
    { method: 'GET', path: '/v1/devices', query: { premises_code: 'P1' } },
    { method: 'GET', path: '/admin/devices', query: { ref: 'Šank & bar' } },
    { method: 'PATCH', path: `/v1/devices/${id}`, body: { isu_number: '12345' } },
    { method: 'GET', path: '/v1/devices' },
  ])
  expect(JSON.parse(set.stdout)).toMatchObject({ id, isu_number: '12345', isu_status: 'assigned' })

  const cleared = await ask('isu', 'clear', id, '--yes')
  expect(stub.seen.at(-1)?.body).toEqual({ isu_number: null })
  expect(cleared.stdout).toContain('not issued yet')
})

test.each([
  ['00123', 'did the portal issue 123?'],
  ['12/3', 'digits only'],
  ['0', 'never 0'],
  ['123456789012345678901', 'at most 20 digits'],
])('the ISU number %s is explained before the daemon is asked', async (number, why) => {
  const ran = await ask('isu', 'set', 'Lobby 1', number)
  expect(ran).toMatchObject({ code: 2, stdout: '' })
  expect(ran.stderr).toContain(why)
  expect(stub.seen).toEqual([])
})

test('a label that two companies use is explained with both ids and companies', async () => {
  await ask('company', 'add', '--oib', OIB, '--name', 'Žućo d.o.o. za trgovinu i usluge')
  await ask('company', 'add', '--oib', OTHER_OIB, '--name', 'Kava')
  await ask('device', 'add', '--company', OIB, '--premises', 'P1', '--label', 'Lobby')
  await ask('device', 'add', '--company', OTHER_OIB, '--premises', 'ABCDEFGHIJ0123456789', '--label', 'Lobby')

  const ran = await ask('isu', 'set', 'Lobby', '7')

  expect(ran).toMatchObject({ code: 1, stdout: '' })
  for (const { id } of stub.devices) expect(ran.stderr).toContain(String(id))
  expect(ran.stderr).toContain('Name the device by its id.')
  expect(ran.stderr).toContain('Žućo d.o.o')
  for (const line of ran.stderr.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  expect(stub.seen.filter(({ method }) => method === 'PATCH')).toEqual([])

  const first = String(stub.devices[0]?.id)
  expect((await ask('isu', 'set', first, '7')).code).toBe(0)
})

test('a device that does not exist is named, with exit code 1', async () => {
  const ran = await ask('isu', 'set', 'Nowhere', '7', '--json')
  expect(ran.code).toBe(1)
  expect(JSON.parse(ran.stdout)).toMatchObject({ error: { type: 'not_found', param: 'device' } })
})

test('key create prints the id, the key, the mode and the scopes, and binds the key to a device', async () => {
  await ask('device', 'add', '--company', OIB, '--premises', 'P1', '--label', 'Lobby 1')
  const argv = ['--mode', 'test', '--scopes', 'fleet:read, fleet:write', '--device', 'Lobby 1', '--name', 'Firmware']
  const json = await ask('key', 'create', ...argv, '--json')

  expect(stub.seen.at(-1)).toMatchObject({ method: 'POST', path: '/admin/keys' })
  expect(stub.seen.at(-1)?.body).toEqual({
    mode: 'test',
    scopes: ['fleet:read', 'fleet:write'],
    device_id: stub.devices[0]?.id,
    name: 'Firmware',
  })
  expect(JSON.parse(json.stdout)).toEqual({
    id: A_KEY.id,
    key: A_KEY.key,
    mode: 'test',
    scopes: ['fleet:read', 'fleet:write'],
  })
})

test('key create without --json shows the key on a line of its own', async () => {
  const ran = await ask('key', 'create', '--mode', 'test')
  expect(stub.seen[0]?.body).toEqual({ mode: 'test' })
  expect(ran.stdout.split('\n')).toContain(`  ${A_KEY.key}`)
})

test('invoice show prints the sale with its moment in Europe/Zagreb', async () => {
  stub.answer('GET /v1/invoices/*', { status: 200, body: { ...INVOICE, occurred_at: '2026-07-21T12:00:00Z' } })
  const ran = await ask('invoice', 'show', 'inv_01')
  expect(ran.code).toBe(0)
  expect(stub.seen[0]).toMatchObject({ method: 'GET', path: '/v1/invoices/inv_01' })
  expect(ran.stdout).toContain('21.07.2026 14:00:00')
  expect(ran.stdout).toContain('upstream_unavailable')
})

const REJECTED = { ...INVOICE, status: 'failed' }
const rejected = (codes: number[]) => ({
  code: 'upstream_rejected',
  message: refusalMessage('s013', 'the receipt has restrictive errors', codes),
  retry_scheduled: false,
})

test.each(RESTRICTIVE_CODES)('invoice show explains the restrictive code %i', async (code) => {
  stub.answer('GET /v1/invoices/*', { status: 200, body: { ...REJECTED, fiscal_error: rejected([code]) } })
  const { stdout } = await ask('invoice', 'show', 'inv_01')
  const [said] = explainCodes([code], 'en')
  expect(stdout.replace(/\s+/g, ' ')).toContain(`${said?.label} ${said?.means} ${said?.fix}`)
  expect(stdout.includes('and then: fisk invoice retry inv_01')).toBe(canBeConfirmed(code))
  for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
})

test('invoice show repeats an unknown restrictive code as it is', async () => {
  stub.answer('GET /v1/invoices/*', { status: 200, body: { ...REJECTED, fiscal_error: rejected([199]) } })
  const { stdout } = await ask('invoice', 'show', 'inv_01')
  expect(stdout.replace(/\s+/g, ' ')).toMatch(/restrictive errors: 199\. next somebody has to act $/)
})

test('invoice retry sends no body, and exits 1 until the sale has its JIR', async () => {
  stub.answer('POST /v1/invoices/*/retry', { status: 200, body: SALE })
  const still = await ask('invoice', 'retry', 'inv_01', '--json')
  expect(still.code).toBe(1)
  expect(JSON.parse(still.stdout)).toEqual(SALE)
  expect(stub.seen[0]?.body).toBeUndefined()

  stub.answer('POST /v1/invoices/*/retry', { status: 200, body: { ...SALE, status: 'confirmed' } })
  expect((await ask('invoice', 'retry', 'inv_01')).code).toBe(0)
})

test('an invoice id cannot lead to another path', async () => {
  await ask('invoice', 'show', '../../admin/status')
  expect(stub.seen[0]?.path).toBe('/v1/invoices/..%2F..%2Fadmin%2Fstatus')
})
