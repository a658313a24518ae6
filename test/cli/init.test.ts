import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { companyIdOf } from '../../src/domain/company-id.ts'
import { A_KEY, type AdminStub, refusal, startAdminStub } from '../support/admin-stub.ts'
import { fisk } from '../support/fisk.ts'
import { CERTIFICATE, COMPANY } from '../support/stub-answers.ts'

const OIB = '02994650199'

let stub: AdminStub
let certificate: string
let passphrase: string
beforeEach(async () => {
  stub = await startAdminStub()
  certificate = join(stub.directory, 'fiskal1.p12')
  passphrase = join(stub.directory, 'secret')
  await writeFile(certificate, 'p12')
  await writeFile(passphrase, 'tajna-4711\n')
})
afterEach(() => stub.close())

const seat = ['--street', 'Ilica 1', '--postal-code', '10000', '--city', 'Zagreb']
const company = [
  ...['--oib', OIB, '--name', 'Žućo d.o.o.', '--mode', 'test', '--vat-rate', '25.00', '--trust-fetch'],
  ...seat,
]
const machine = ['--premises', 'POSL1', '--label', 'Lobby 1']
const allFlags = () => [
  ...company,
  ...['--cert-file', certificate, '--passphrase-file', passphrase],
  ...machine,
  ...['--isu', '12345'],
]
const init = (...argv: string[]) => fisk(['init', ...argv], { socket: stub.socket })
const changes = () =>
  stub.seen
    .filter(({ method, path }) => method !== 'GET' && !path.endsWith('/check'))
    .map(({ method, path }) => `${method} ${path}`)

test('a company of another tenant is not the one that is set up', async () => {
  await fisk(['company', 'add', '--oib', OIB, '--name', 'Naša'], { socket: stub.socket })
  const foreign = { ...stub.companies[0], oib: '18683136487', name: 'Tuđa' }
  stub.status = { companies: [foreign, ...stub.companies] }
  const ran = await init('--trust-fetch')
  expect(ran.stdout).toContain(`Naša, OIB ${OIB}`)
  expect(ran.stdout).not.toContain('Tuđa')
})

test('a company that another tenant has is refused, not taken for ours', async () => {
  stub.answer('POST /v1/companies', refusal(409, 'invalid_request', 'A company with this OIB exists already.', 'oib'))
  const ran = await init(...company)
  expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('exists already') })
  expect(changes()).toEqual(['POST /v1/companies'])
})

test('the commands that are left to do can be pasted, whatever the machine is called', async () => {
  const { stdout } = await init(
    ...company,
    '--premises',
    'P1',
    '--label',
    'a$(reboot)\u001b[2J"b',
    '--no-isu',
    '--no-key',
  )
  const said = stdout.replace(/\s+/g, ' ')
  const word = `$'a$(reboot)\\x1b[2J"b'`
  expect(said).toContain(`to do: fisk isu set ${word} NUMBER`)
  expect(said).toContain('for the ISU number: fisk isu pending')
  expect(said).toContain(`fisk printer set ${word} --line`)
  expect(said).toContain(`fisk key create --mode test --device ${word}`)
  expect(stdout).not.toContain('\u001b')
})

test('flags alone set up a company, its trust and certificate, a machine with its number, and a key', async () => {
  const ran = await init(...allFlags())

  expect(ran).toMatchObject({ code: 0, stderr: '' })
  expect(changes()).toEqual([
    'POST /v1/companies',
    'POST /admin/trust/fetch',
    'POST /v1/certificates',
    'POST /v1/devices',
    'POST /admin/keys',
  ])
  expect(stub.companies[0]).toMatchObject({
    ...{ mode: 'test', fiscal_config: { default_vat_rate: '25.00' } },
    address: { street: 'Ilica 1', postal_code: '10000', city: 'Zagreb' },
  })
  expect(stub.devices[0]).toMatchObject({ premises_code: 'POSL1', label: 'Lobby 1', isu_number: '12345' })
  expect(stub.seen.findLast(({ path }) => path === '/admin/keys')?.body).toMatchObject({
    mode: 'test',
    device_id: stub.devices[0]?.id,
  })
  for (const said of [
    A_KEY.key,
    String(stub.devices[0]?.id),
    '/var/lib/fiskd-ca/ca.pem',
    `CA SHA-256  ${Array(16).fill('AB').join(':')}:\n`,
    'https://localhost:8443/v1',
    'It can sell now.',
  ]) {
    expect(ran.stdout).toContain(said)
  }
  expect(ran.stdout).not.toContain('tajna')
  for (const line of ran.stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
})

test('the same command again changes nothing and makes no second key', async () => {
  await init(...allFlags())
  const before = changes().length
  const again = await init(...allFlags(), '--no-printer', '--json')

  expect(again.code).toBe(0)
  expect(changes()).toHaveLength(before)
  const result = JSON.parse(again.stdout)
  expect(result).toMatchObject({ device_id: stub.devices[0]?.id, key: null })
  expect(result.steps.map(({ step, state }: { step: string; state: string }) => `${step} ${state}`)).toEqual([
    'role already',
    'listen already',
    'company already',
    'address already',
    'trust already',
    'certificate already',
    'device already',
    'isu_number already',
    'printer already',
    'key already',
  ])
})

test('a later run adds what was missing: the ISU number and the certificate', async () => {
  const first = await init(...company, ...machine)
  expect(first.stdout).toMatch(/ISU number\s+to do: fisk isu set "Lobby 1" NUMBER/)
  expect(first.stdout).toMatch(/certificate\s+to do: fisk cert add/)

  const argv = ['--label', 'Lobby 1', '--isu', '777', '--cert-file', certificate, '--passphrase-file', passphrase]
  const second = await init(...argv, '--json')
  expect(second.code).toBe(0)
  expect(stub.devices).toMatchObject([{ isu_number: '777' }])
  expect(stub.companies).toMatchObject([{ certificate_status: 'valid' }])
})

test('a company that appears in the meantime counts as done', async () => {
  const same = { name: 'Žućo d.o.o.', fiscal_config: { default_vat_rate: '25.00' } }
  const known = { ...COMPANY, id: companyIdOf(OIB), ...same, address: { city: 'Zagreb' } }
  stub.answer('GET /v1/companies', {
    status: 200,
    body: { object: 'list', data: [known], has_more: false, next_cursor: null },
  })
  stub.answer('PATCH /v1/companies/*', { status: 200, body: COMPANY })
  stub.answer('POST /v1/companies', refusal(409, 'invalid_request', 'A company with this OIB exists already.', 'oib'))
  const ran = await init(...company, '--json')
  // The certificate and the machine are left.
  expect(ran.code).toBe(1)
  expect(JSON.parse(ran.stdout).steps).toMatchObject([
    { step: 'role' },
    { step: 'listen' },
    { step: 'company', state: 'already' },
    { step: 'address', state: 'done', detail: 'Ilica 1, 10000 Zagreb' },
    { step: 'trust' },
    { step: 'certificate', state: 'left' },
    { step: 'device', state: 'left' },
    { step: 'key', state: 'left' },
  ])
})

test('what is left for trust is the file that the operator named, where one is named', async () => {
  const base = { mode: 'test', list: 'base', path: '/etc/cas.pem', given: true, certificates: [], revocation_lists: [] }
  stub.answer('GET /admin/trust', {
    status: 200,
    body: { object: 'list', data: [base], has_more: false, next_cursor: null },
  })
  const ran = await init(...company.filter((one) => one !== '--trust-fetch'), '--json')
  expect(JSON.parse(ran.stdout).steps).toContainEqual({
    ...{ step: 'trust', state: 'left', detail: 'put the CA certificates into /etc/cas.pem' },
  })
})

test.each([
  [['--mode', 'live'], 'mode'],
  [['--label', 'Lobby 1', '--premises', 'OTHER'], 'premises'],
  [['--label', 'Lobby 1', '--isu', '999'], 'isu'],
])('what is registered is not changed by other flags: %j', async (argv, param) => {
  await init(...allFlags())
  const before = changes().length
  const ran = await init('--oib', OIB, ...argv, '--json')
  expect(ran.code).toBe(1)
  expect(JSON.parse(ran.stdout)).toMatchObject({ error: { type: 'conflict', param } })
  expect(changes()).toHaveLength(before)
})

test('a refusal on the way stops the run, says what was done and makes no key', async () => {
  stub.answer('POST /v1/certificates', refusal(400, 'certificate_expired', 'The certificate expired.', 'file'))
  const ran = await init(...allFlags())
  expect(ran.code).toBe(1)
  expect(ran.stdout).toMatch(/company\s+done: Žućo/)
  expect(ran.stderr.replace(/\s+/g, ' ')).toContain('order it from FINA, then: fisk cert add --company')
  expect(changes()).not.toContain('POST /admin/keys')
})

test.each([
  [['--label', 'Lobby 1']],
  [['--oib', OIB]],
  [['--oib', '123', '--name', 'K']],
  [[...company, '--label', 'L']],
  [[...company, '--isu', '1']],
  [[...company, ...machine, '--isu', '01']],
])('a flag that is missing or wrong is named, with exit code 2: %j', async (argv) => {
  const ran = await init(...argv)
  expect(ran.code).toBe(2)
  expect(ran.stderr).toMatch(/Field: \w+/)
})

test('without flags and without a terminal it lists what is to do and exits 1', async () => {
  const ran = await init()
  expect(ran.code).toBe(1)
  expect(ran.stdout).toContain('to do: fisk init --oib OIB --name NAME')
  expect(changes()).toEqual([])
})

test('on a terminal it asks for everything, and takes a mistyped passphrase with patience', async () => {
  let tries = 0
  stub.answer('POST /v1/certificates', () => {
    tries += 1
    if (tries === 1) return refusal(400, 'invalid_request', 'The passphrase does not open it.', 'passphrase')
    return { status: 201, body: CERTIFICATE }
  })
  const ran = await fisk(['init'], {
    socket: stub.socket,
    dialogue: [
      ['OIB of the company', OIB],
      ['Name of the company', 'Žućo d.o.o.'],
      ['Which tax authority service', ''], // test
      ['VAT rate of its sales', ''], // 25.00 %
      ['CA certificates of', ''], // download
      ['PKCS#12 file', certificate],
      ['Passphrase', 'krivo-1'],
      ['Passphrase', 'tajna-4711'],
      ['Label of the machine', 'Lobby 1'],
      ['Business premises code', 'POSL1'],
      ['ISU number', '12345'],
      ['with a deposit', ''], // no
      ['No printer was found', '\u001b[B'], // none
    ],
  })

  expect(ran).toMatchObject({ code: 0, stderr: '' })
  expect(stub.companies[0]).toMatchObject({ oib: OIB, mode: 'test', fiscal_config: { default_vat_rate: '25.00' } })
  expect(stub.devices[0]).toMatchObject({ premises_code: 'POSL1', label: 'Lobby 1', isu_number: '12345' })
  expect(tries).toBe(2)
  expect(ran.stdout).toContain('The passphrase does not open it.')
  const page = ran.stdout.replace(/\s+/g, ' ')
  expect(page).toMatch(/certificate done: .+, OIB \d{11}, issued by .+; until \d\d\.\d\d\.\d{4}/)
  expect(ran.stdout).toContain(A_KEY.key)
  expect(ran.stdout).not.toMatch(/krivo|tajna/)
})

test('breaking off a question ends with exit code 1', async () => {
  const ran = await fisk(['init'], { socket: stub.socket, dialogue: [['OIB of', '\u0003']] })
  expect(ran.code).toBe(1)
  expect(ran.stderr).toContain('Broken off')
  expect(changes()).toEqual([])
})

test('before the daemon runs it has fiskd prepare everything and says how to go on', async () => {
  const fiskd = await program(`
    import { writeFileSync } from 'node:fs'
    writeFileSync(process.env.FISKD_DATA_DIR + '/argv', process.argv.slice(2).join(' '))
    console.log('a line of log')
    console.log(JSON.stringify({ data_dir: '/d', database: '/d/fiskd.db', tls_ca: '/d/tls/ca.pem', vault_key: '/d/vault.key', created: ['database', 'vault key'] }))
  `)
  const around = { fiskd, env: { FISKD_DATA_DIR: stub.directory, FISKD_SOCKET: join(stub.directory, 'none') } }

  const plain = await fisk(['init'], around)
  expect(plain).toMatchObject({ code: 0, stderr: '' })
  expect(await readFile(join(stub.directory, 'argv'), 'utf8')).toBe('--prepare')
  expect(plain.stdout).toContain('Made: database, vault key.')
  expect(plain.stdout).toContain('systemctl start fiskd')
  expect(plain.stdout).toContain('/d/tls/ca.pem')

  const json = await fisk(['init', '--json'], around)
  expect(JSON.parse(json.stdout)).toMatchObject({ data_dir: '/d', created: ['database', 'vault key'] })

  const asked = await fisk(['init', '--oib', OIB], around)
  expect(asked.code).toBe(1)
  expect(asked.stderr).toContain('Start fiskd and repeat')
})

test('a preparation that fails is shown with what fiskd said', async () => {
  const fiskd = await program(`console.error('FISKD_DATA_DIR /nope: permission denied'); process.exit(1)`)
  const ran = await fisk(['init'], { fiskd, socket: join(stub.directory, 'none') })
  expect(ran.code).toBe(1)
  expect(ran.stderr).toContain('FISKD_DATA_DIR /nope: permission denied')
})

async function program(text: string): Promise<string> {
  const path = join(stub.directory, 'fiskd.mjs')
  await writeFile(path, text)
  return path
}
