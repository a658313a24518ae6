import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { companyIdOf } from '../../src/domain/company-id.ts'
import { type AdminStub, refusal, startAdminStub } from '../support/admin-stub.ts'
import { fisk } from '../support/fisk.ts'
import { OIBS } from '../support/pki.ts'
import { COMPANY } from '../support/stub-answers.ts'

const [OIB, OTHER_OIB] = OIBS
const DOWN = '\u001b[B'
let stub: AdminStub
const path = (name: string) => join(stub.directory, name)
const words = (text: string) => text.replace(/\s+/g, ' ')
const init = (...argv: string[]) => fisk(['init', ...argv], { socket: stub.socket })
const typing = (argv: string[], dialogue: [question: string, answer: string][]) =>
  fisk(['init', ...argv], { socket: stub.socket, dialogue })
const machine = (number: number) => [
  ...['--oib', OIB, '--premises', `POSL${number}`, '--label', `Kavomat ${number}`],
  ...['--isu', `${number}`, '--no-printer', '--address', 'Ilica 1'],
]

beforeEach(async () => {
  stub = await startAdminStub()
  for (const name of ['own.p12', 'secret', 'ca.pem', 'other.pem']) writeFileSync(path(name), name)
  const seat = ['--street', 'Ilica 1', '--postal-code', '10000', '--city', 'Zagreb']
  const company = ['--name', 'Kava d.o.o.', '--mode', 'test', '--vat-rate', '25.00', ...seat]
  const files = ['--trust-file', path('ca.pem'), '--cert-file', path('own.p12'), '--passphrase-file', path('secret')]
  expect(await init(...machine(1), ...company, ...files)).toMatchObject({ code: 0, stderr: '' })
  stub.seen.length = 0
})
afterEach(() => stub.close())

const changes = () =>
  stub.seen.filter(({ method, path }) => method !== 'GET' && !path.endsWith('/check')).map(({ path }) => path)
/** Two machines and two companies: more than what is meant without a word. */
const several = async () => {
  await init(...machine(2), '--no-key')
  await init('--oib', OTHER_OIB, '--name', 'Druga d.o.o.', '--no-key')
  stub.seen.length = 0
}

test.each([
  [['OIB of the company', OTHER_OIB], `OIB ${OIB}`],
  [['Name of the company', 'Druga d.o.o.'], 'company already there: Kava d.o.o.'],
  [['Which tax authority service', DOWN], `OIB ${OIB}, test`],
  [['VAT rate of its sales', DOWN], 'company already there'],
  [['CA certificates of', ''], 'trust already there: /var/lib'],
  [['PKCS#12 file', '/other.p12'], 'certificate already there: valid'],
  [['Label of the machine', 'Drugi'], 'device already there: Kavomat 1'],
  [['Business premises code', 'POSL9'], 'Kavomat 1 at POSL1'],
  [['ISU number (', '999'], 'ISU number already there: 1'],
  [['with a deposit', 'y'], 'device already there'],
  [['No printer was found', ''], 'printer already there: none; for one: fisk printer set'],
  [['Seat of the company', 'Vlaška 2, 10000 Zagreb'], 'seat already there: Ilica 1, 10000 Zagreb'],
  [['Where does the machine stand', 'Vlaška 2'], 'device already there'],
  [['Make an API key', ''], 'for another one: fisk init --key'],
] as [[string, string], string][])(
  'at a terminal a second run does not ask %j, and shows what is stored',
  async (question, stored) => {
    const ran = await typing([], [question])
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    expect(ran.stdout).not.toContain(question[0])
    expect(words(ran.stdout)).toContain(stored)
    expect(changes()).toEqual([])
  },
)

test.each([
  [
    ['--premises', 'POSL2'],
    [['Label of the machine', 'Drugi']],
    'To rename it: fisk device set "Kavomat 2" --label Drugi; for another one there: fisk device add',
  ],
  [['--isu', '999'], [['Label of the machine', 'Kavomat 2']], 'To change it: fisk isu set "Kavomat 2" 999'],
  [
    ['--printer-line', 'tcp:127.0.0.1:9100', '--no-printer-test'],
    [
      ['Label of the machine', 'Drugi'],
      ['Business premises code', 'POSL1'],
    ],
    'To rename it: fisk device set "Kavomat 1" --label Drugi',
  ],
  [
    ['--address', 'Vlaška 2'],
    [
      ['Label of the machine', 'Kavomat 2'],
      ['No printer was found', DOWN],
    ],
    'To change it: fisk device set "Kavomat 2" --address "Vlaška 2"',
  ],
  [
    ['--address', 'Vlaška 2', '--label', 'Kavomat 1'],
    [],
    'To change it: fisk device set "Kavomat 1" --address "Vlaška 2"',
  ],
] as [string[], [string, string][], string][])(
  'with %j and %j, which is stored otherwise, it changes nothing and names what does',
  async (flags, answers, command) => {
    await several()
    const ran = await typing(flags, [['Which company sells here?', ''], ...answers])
    expect(words(ran.stderr)).toContain(command)
    expect([ran.code, changes()]).toEqual([1, []])
  },
)

test('the OIB of a company that is there is taken for that one, with all that is stored of it', async () => {
  await several()
  const ran = await typing(
    ['--label', 'Kavomat 1'],
    [
      ['Which company sells here?', `${DOWN}${DOWN}`],
      ['OIB of the company', OIB],
    ],
  )
  expect(ran).toMatchObject({ code: 0, stderr: '' })
  expect(words(ran.stdout)).toContain('company already there: Kava d.o.o.')
  expect(changes()).toEqual([])
})

test.each([
  ['Kava d.d.', '', 'name', '--name "Kava d.d."'],
  ['Kava d.o.o.', DOWN, 'vat-rate', '--vat-rate 13.00'],
  ['Kava d.o.o.', `${DOWN}${DOWN}${DOWN}${DOWN}`, 'not-vat-registered', '--not-vat-registered'],
])(
  'where another run has registered the company meanwhile, the answers %j and %j to it are refused as flags are: %s',
  async (name, rate, param, change) => {
    const known = { ...COMPANY, id: companyIdOf(OIB), oib: OIB, name: 'Kava d.o.o.', mode: 'test' }
    const data = [{ ...known, vat_registered: true, fiscal_config: { default_vat_rate: '25.00' } }]
    stub.status = { companies: [] }
    stub.answer('GET /v1/companies', {
      status: 200,
      body: { object: 'list', data, has_more: false, next_cursor: null },
    })
    stub.answer('POST /v1/companies', refusal(409, 'invalid_request', 'A company with this OIB exists already.', 'oib'))
    const ran = await typing(
      [],
      [
        ['OIB of the company', OIB],
        ['Name of the company', name],
        ['Which tax authority service', ''],
        ['VAT rate of its sales', rate],
      ],
    )
    expect(ran.code).toBe(1)
    expect(ran.stderr).toMatch(new RegExp(`Field: +${param}\n`))
    expect(words(ran.stderr)).toContain(`To change it: fisk company set ${OIB} ${change}`)
  },
)

test.each([
  [['--address', 'Vlaška 2'], 'label'],
  [['--printer-profile', 'epson-tm-t20'], 'label'],
])('%j is not ignored where it is not said of which machine', async (flags, param) => {
  await several()
  const ran = await init('--oib', OIB, ...flags)
  expect(ran.code).toBe(2)
  expect(ran.stderr).toMatch(new RegExp(`Field: +${param}\n`))
})

test('a printer that is named by its kind alone is asked for, also at a machine that was finished without one', async () => {
  const other = await typing(['--printer-profile', 'epson-tm-t20'], [['No printer was found', DOWN]])
  expect(other.stdout).toContain('No printer was found')
})

test.each([
  [['--trust-file', 'other.pem'], 'trust done: for the service and for uploads', '/admin/trust'],
  [['--trust-fetch'], 'trust done: ', '/admin/trust/fetch'],
  [['--key'], 'API key done: ', '/admin/keys'],
])('%j on a second run is done beside what is there', async ([flag = '', file], said, route) => {
  const ran = await init(flag, ...(file === undefined ? [] : [path(file)]))
  expect(ran).toMatchObject({ code: 0, stderr: '' })
  expect(words(ran.stdout)).toContain(said)
  expect(new Set(changes())).toEqual(new Set([route]))
})

test('a token for the server at which it is enrolled already changes nothing, and the command for it is named', async () => {
  const sync = { state: 'connected', server: 'https://ured.example.hr:8443', waiting: 0, refused: 0, doubtful: 0 }
  stub.status = { sync: { ...sync, last_push_at: null, last_error: null } }
  for (const url of [[], ['--sync-url', 'https://ured.example.hr:8443']]) {
    const { stdout } = await init(...url, '--sync-token', 'fisk_enroll_b')
    expect(words(stdout)).toContain(
      'already there: https://ured.example.hr:8443; to enrol with this token: fisk sync enroll https://ured.example.hr:8443 fisk_enroll_b',
    )
  }
  expect(changes()).toEqual([])
})

test.each(['--sync-url', '--sync-token'])('a central server refuses %s, for it has none above it', async (flag) => {
  stub.status = { role: 'server' }
  const ran = await init(flag, 'https://ured.example.hr:8443')
  expect(ran.code).toBe(2)
  expect(ran.stderr).toMatch(new RegExp(`Field: +${flag.slice(2)}\n`))
})
