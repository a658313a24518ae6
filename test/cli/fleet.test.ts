import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { columns } from '../../src/cli/text/columns.ts'
import { companyIdOf } from '../../src/domain/company-id.ts'
import { fisk } from '../support/fisk.ts'
import { addCompany, type Gateway, startSharedGateway } from '../support/gateway.ts'
import { ringLogo } from '../support/logos.ts'
import { certificateOf, OIBS, pki } from '../support/pki.ts'

const [OIB, OTHER_OIB, NEW_OIB] = OIBS

let gateway: Gateway
beforeAll(async () => {
  gateway = await startSharedGateway()
  await addCompany(gateway, OTHER_OIB, { name: 'Žućo d.o.o.' })
})

const ask = (...argv: string[]) => fisk(argv, { socket: gateway.socketPath })

async function json(...argv: string[]) {
  const { code, stdout } = await ask(...argv, '--json')
  return { code, body: JSON.parse(stdout) }
}

/** Writes a file for `device import`. */
async function csv(...rows: string[]): Promise<string> {
  const path = join(gateway.dataDir, 'fleet.csv')
  await writeFile(path, ['label,premises_code,isu_number,device_config', ...rows].join('\n'))
  return path
}

test('companies are listed, and by status', async () => {
  const { code, body } = await json('company', 'list')
  expect(code).toBe(0)
  expect(body).toMatchObject({ object: 'list', has_more: false, next_cursor: null })
  expect(body.data.map(({ oib }: { oib: string }) => oib)).toEqual([OIB, OTHER_OIB])
  const { stdout } = await ask('company', 'list')
  expect(stdout).toMatch(/^ {2}Žućo d\.o\.o\. +\d{11} {2}test +active +valid until \d\d\.\d\d\.\d{4}$/m)
  expect(await json('company', 'list', '--status', 'archived')).toMatchObject({ code: 0, body: { data: [] } })
  expect((await ask('company', 'list', '--status', 'archived')).stdout).toBe('There is no such company.\n')
})

test('a refused field is named as the option that fills it', async () => {
  const add = ['device', 'add', '--company', OIB, '--premises', 'P 1', '--label', 'Lobby']
  const { code, stderr } = await ask(...add)
  expect(code).toBe(1)
  expect(stderr).toMatch(/^Error: +--premises must be/m)
  expect(stderr).toMatch(/^Option: +--premises$/m)
  const nowhere = await ask('device', 'add', '--company', NEW_OIB, '--premises', 'P1', '--label', 'Lobby')
  expect(nowhere.stderr).toMatch(/^Option: +--company$/m)
  expect(nowhere.stderr).toMatch(/^Fix: .*fisk company add/m)
  const number = await ask('device', 'set', 'machine', '--label', '\u202e')
  expect(number.stderr).toMatch(/^Error: +label must not/m)
  // What no option of another name fills stays as it is.
  const config = await ask('company', 'set', OIB, '--config', 'default_vat_base=3')
  expect(config.stderr).toMatch(/^Field: +fiscal_config\.default_vat_base$/m)
})

test('an import names the columns that it did not read, and refuses a workbook by name', async () => {
  const path = join(gateway.dataDir, 'columns.csv')
  await writeFile(path, 'Naziv;Prostor;ISU broj;Grad\nStupci;STUP;4711;Split\n')
  const { code, stdout } = await ask('device', 'import', path, '--company', OIB)
  expect(code).toBe(0)
  expect(stdout).toContain('1 new')
  expect(stdout).toContain('Columns that were not read: Grad')
  await writeFile(path, Buffer.from('504b0304140006000800', 'hex'))
  const refused = await ask('device', 'import', path, '--company', OIB)
  expect(refused.code).toBe(1)
  expect(refused.stderr.replace(/\s+/g, ' ')).toMatch(/workbook \(\.xlsx.*save it as "CSV UTF-8"/)
})

test('a company is changed, and what is not named stays', async () => {
  const first = ['--street', 'Ilica 1', '--city', 'Zagreb', '--vat-rate', '25.00', '--receipt-footer', 'Hvala!']
  await ask('company', 'set', OTHER_OIB, ...first)
  const second = [
    '--name',
    'Kava d.o.o.',
    '--postal-code',
    '10000',
    '--receipt-language',
    'en',
    '--config',
    'note=1.50',
  ]
  const { code, body } = await json('company', 'set', OTHER_OIB, ...second, '--config', 'late_delivery=false')
  expect(code).toBe(0)
  expect(body).toMatchObject({
    name: 'Kava d.o.o.',
    address: { street: 'Ilica 1', city: 'Zagreb', postal_code: '10000' },
  })
  const receipt = { footer: ['Hvala!'], language: 'en' }
  expect(body.fiscal_config).toEqual({ default_vat_rate: '25.00', receipt, note: '1.50', late_delivery: false })

  const undone = ['--no-vat-rate', '--unset', 'note', '--unset', 'late_delivery', '--no-receipt-footer']
  const bare = await json('company', 'set', OTHER_OIB, ...undone, '--no-receipt-language', '--not-vat-registered')
  expect(bare.body).toMatchObject({ fiscal_config: {}, vat_registered: false })
  expect((await json('company', 'set', OTHER_OIB, '--vat-registered')).body.vat_registered).toBe(true)
})

const YEAR_MS = 365 * 86_400_000
const over = { notBefore: new Date(Date.now() - 2 * YEAR_MS), notAfter: new Date(Date.now() - YEAR_MS) }
test.each([
  [
    'with a wrong passphrase',
    async () => ({ ...(await certificateOf(OIB)), passphrase: 'Lozinka' }),
    'upper and lower',
  ],
  [
    'that has expired',
    () => pki.issueCompany({ oib: OIB, ...over }),
    /has expired: it was valid until \d{4}-\d\d-\d\d/,
  ],
  [
    'of another company',
    () => certificateOf(OTHER_OIB),
    `was issued to the OIB ${OTHER_OIB}, and the company has the OIB ${OIB}`,
  ],
  [
    'of an unknown issuer',
    () => pki.issueCompany({ oib: OIB, selfSigned: true }),
    /not trusted in test mode: .*issuer/,
  ],
])(
  'a certificate %s is refused with the reason, and with the command that takes the right one',
  async (_which, make, why) => {
    const { p12, passphrase } = await make()
    const [file, secret] = [join(gateway.dataDir, 'wrong.p12'), join(gateway.dataDir, 'passphrase')]
    await writeFile(file, p12)
    await writeFile(secret, passphrase)
    const { code, stderr } = await ask(
      ...['cert', 'add', '--company', OIB, '--file', file, '--passphrase-file', secret, '--yes'],
    )
    expect(code).toBe(1)
    const said = stderr.replace(/\s+/g, ' ')
    expect(said).toMatch(why)
    expect(said).toContain(`fisk cert add --company ${OIB} --file FILE`)
  },
)

test('a company that goes live without being trusted there is refused, and one that is suspended cannot sell', async () => {
  const live = await ask('company', 'set', OTHER_OIB, '--mode', 'live', '--yes')
  expect(live.code).toBe(1)
  expect(live.stderr).toContain('not trusted in live mode')
  expect((await json('company', 'set', OTHER_OIB, '--status', 'suspended', '--yes')).body.status).toBe('suspended')
  expect((await json('status')).body.problems).toContainEqual({
    subject: 'Kava d.o.o.',
    problem: 'the company is suspended',
    fix: `fisk company set ${OTHER_OIB} --status active`,
  })
  expect((await ask('company', 'set', OTHER_OIB, '--status', 'active')).code).toBe(0)
})

test.each([
  [['company', 'set', OIB], 2, 'Nothing was said'],
  [['company', 'set', NEW_OIB, '--name', 'X'], 1, 'There is no company'],
  [['company', 'set', OIB, '--receipt-footer', 'x'.repeat(201)], 2, 'at most 200 characters'],
  [['company', 'set', OIB, '--config', 'nonsense'], 2, 'key=value'],
  [['company', 'set', OIB, '--config', 'vat=[1,'], 2, 'no JSON'],
  [['device', 'set', 'machine'], 2, 'Nothing was said'],
  [['device', 'set', 'nowhere', '--label', 'X'], 1, 'No device has the label'],
  [['device', 'import', '/no/such.csv', '--company', OIB], 2, 'There is no file'],
  [['device', 'import', 'package.json', '--company', OIB], 1, 'the file cannot be imported'],
  [['invoice', 'list', '--limit', '201'], 1, 'from 1 to 200'],
  [['invoice', 'list', '--limit', '5', '--all'], 2, '--limit is for one page'],
  [['invoice', 'list', '--cursor', 'abc'], 1, 'not the next_cursor'],
])('fisk %j ends with %i and says: %s', async (argv, code, why) => {
  const ran = await ask(...argv)
  expect(ran).toMatchObject({ code, stdout: '' })
  expect(ran.stderr.replace(/\s+/g, ' ')).toContain(why)
})

test('a device is changed, listed by what it is, and suspended when somebody says yes', async () => {
  await gateway.addDevice({ label: 'Šank "1"', premises_code: 'SANK', device_config: { sale_type: 'unattended' } })
  const label = ['Šank "1"']
  const changes = ['--label', 'Šank 2', '--address', 'Ilica 2', '--payment-method', 'K', '--receipt-header', 'A']
  const { body } = await json('device', 'set', ...label, ...changes, '--receipt-header', 'B')
  expect(body).toMatchObject({ label: 'Šank 2', premises_address: 'Ilica 2', isu_status: 'pending' })
  const receipt = { header: ['A', 'B'] }
  expect(body.device_config).toEqual({ sale_type: 'unattended', payment_method: 'K', receipt })
  const bare = await json('device', 'set', 'Šank 2', '--no-address', '--no-payment-method', '--no-receipt-header')
  expect(bare.body).toMatchObject({ premises_address: null, device_config: { sale_type: 'unattended' } })

  const listed = await json('device', 'list', '--premises', 'SANK', '--isu-status', 'pending')
  expect(listed.body).toMatchObject({ object: 'list', data: [{ label: 'Šank 2' }], has_more: false, next_cursor: null })
  expect((await ask('device', 'list', '--premises', 'SANK')).stdout).toMatch(/^ {2}Šank 2 +SANK +- +no number$/m)

  const question = { socket: gateway.socketPath, dialogue: [['cannot sell while it is suspended', 'n']] as never }
  const refused = await fisk(['device', 'set', 'Šank 2', '--status', 'suspended'], question)
  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain('Nothing was done')
  expect((await json('device', 'list', '--status', 'suspended')).body.data).toEqual([])
  const agreed = { socket: gateway.socketPath, dialogue: [['cannot sell while it is suspended', 'y']] as never }
  expect((await fisk(['device', 'set', 'Šank 2', '--status', 'suspended'], agreed)).code).toBe(0)
  expect((await ask('device', 'list', '--status', 'suspended')).stdout).toMatch(/Šank 2 .* suspended$/m)
  await ask('device', 'set', 'Šank 2', '--status', 'archived', '--yes')
})

test('a fleet is imported, and rows that are wrong are told with line, field, reason and what to do', async () => {
  const good = ['"Hotel, 1",HOTEL1,77701,', 'Hotel 2,HOTEL2,,"{""payment_method"":""K""}"']
  const file = await csv(...good, 'Hotel 3,HÔTEL,,', 'Hotel 4,HOTEL4,101,', 'Hotel 5,HOTEL5,007,')
  const rehearsed = await ask('device', 'import', file, '--company', OIB, '--dry-run')
  expect(rehearsed.code).toBe(1)
  expect(rehearsed.stdout).toContain('5 rows: 2 would be new, 0 would be known already, 3 would be refused')
  expect((await json('device', 'list', '--premises', 'HOTEL1')).body.data).toEqual([])

  const ran = await ask('device', 'import', file, '--company', OIB)
  expect(ran).toMatchObject({ code: 1, stderr: '' })
  expect(ran.stdout).toMatch(/^ {2}Line +Device +Field +Reason$/m)
  expect(ran.stdout).toMatch(/^ {2}4 +Hotel 3 +premises_code +\S/m)
  expect(ran.stdout.replace(/\s+/g, ' ')).toContain('the ISU number 101 already belongs to machine at premises POSL1')
  expect(ran.stdout).toMatch(/^ {2}6 +Hotel 5 +isu_number +\S/m)
  expect(ran.stdout).toContain('import it again')
  for (const line of ran.stdout.split('\n')) expect(columns(line), line).toBeLessThanOrEqual(80)

  const again = await json('device', 'import', await csv(...good), '--company', OIB)
  const nobody = await ask('device', 'import', await csv(...good), '--company', NEW_OIB)
  expect(nobody).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('there is no such company') })
  expect(again).toMatchObject({ code: 0, body: { object: 'device_import', created: 0, updated: 2, failed: 0 } })
})

test('isu pending shows what the portal wants, by company, and what to type then', async () => {
  const [company] = (await json('company', 'list')).body.data
  await gateway.addDevice({ label: "Bar $(reboot) '1'", premises_code: 'BAR1', premises_address: 'Riva 3, Split' })
  await gateway.addDevice({ label: 'Bar 2', premises_code: 'BAR2', company_id: companyIdOf(OTHER_OIB) })
  const { code, stdout } = await ask('isu', 'pending')
  expect(code).toBe(0)
  const [first = '', second = ''] = stdout.split(/^(?=Kava d\.o\.o\., OIB)/m)
  expect(first).toContain(`${company.name}, OIB ${OIB}`)
  expect(first).toMatch(/premises code +BAR1\n +type +samoposlužni uređaj\n +note +Riva 3, Split\n/)
  expect(first).toMatch(/opening date +any day from \d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d\n/)
  expect(first).toContain(`fisk isu set 'Bar $(reboot) '\\''1'\\''' NUMBER`)
  expect(second).toMatch(/device +Bar 2\n +premises code +BAR2\n/)
  expect(stdout).toContain('portal')
  expect(stdout).not.toContain('device import')
  expect(stdout).not.toContain('machine at')
  for (const line of stdout.split('\n')) expect(columns(line), line).toBeLessThanOrEqual(80)

  const { body } = await json('isu', 'pending')
  expect(body).toMatchObject({ object: 'list', has_more: false, next_cursor: null })
  const own = body.data.find(({ label }: { label: string }) => label === 'Bar 2')
  expect(own).toMatchObject({
    company_name: 'Kava d.o.o.',
    company_oib: OTHER_OIB,
    isu_number: null,
    isu_status: 'pending',
    portal: { premises_code: 'BAR2', note: '', lacks: 'note, activity, working_hours', isu_number: '' },
  })
})

test('the sheet of isu pending is sorted by premises, and the import takes the rows of its company alone', async () => {
  await gateway.addDevice({ label: 'Café, "A"', premises_code: 'AAA1', premises_address: 'Trg 1' })
  const activity = { fiscal_config: { activity: '47.99 Ostala trgovina na malo' } }
  await gateway.admin(`/v1/companies/${gateway.companyId}`, { method: 'PATCH', body: activity })
  const { stdout } = await ask('isu', 'pending', '--csv')
  const [head = '', first = '', ...others] = stdout.trimEnd().split('\r\n')
  expect(head).toBe(
    'label,company_oib,premises_code,premises_type,note,opens_from,opens_to,activity,working_hours,lacks,isu_number',
  )
  const [label, facts, known] = [
    '"Café, ""A"""',
    `${OIB},AAA1,samoposlužni uređaj,Trg 1,`,
    ',47.99 Ostala trgovina na malo,',
  ]
  expect(first.startsWith(`${label},${facts}`)).toBe(true)
  expect(first.endsWith(`${known},working_hours,`)).toBe(true)
  const foreign = others.filter((row) => row.includes(`,${OTHER_OIB},`))
  expect(foreign).not.toEqual([])
  const codes = others.flatMap((row) => row.split(`,${OIB},`)[1]?.split(',')[0] ?? [])
  expect(codes.length).toBeGreaterThan(0)
  expect(codes).toEqual(codes.toSorted())

  const path = join(gateway.dataDir, 'portal.csv')
  await writeFile(path, [head, `${first}700700`, `${foreign[0]}700799`].join('\n'))
  const ran = await json('device', 'import', path, '--company', OIB)
  expect(ran).toMatchObject({
    code: 1,
    body: { created: 0, updated: 1, failed: 1, errors: [{ param: 'company_oib' }] },
  })
  const { body } = await json('device', 'list', '--premises', 'AAA1')
  expect(body.data).toMatchObject([{ isu_number: '700700', isu_status: 'assigned' }])
})

test('machines that share a premises code are warned of, and nothing is refused', async () => {
  const added = (premises: string, label: string) =>
    ask('device', 'add', '--company', OIB, '--premises', premises, '--label', label)
  expect(await added('HALL', 'Hall 1')).toMatchObject({ code: 0, stderr: '' })
  const second = await added('HALL', 'Hall 2')
  expect(second.code).toBe(0)
  expect(second.stderr.replace(/\s+/g, ' ')).toContain('Warning: Hall 1, Hall 2 have one premises code, HALL: by law')
  expect((await ask('isu', 'set', 'Hall 2', '700701')).stderr).toContain('Warning: Hall 1, Hall 2')

  const path = await csv('Hall 3,HALL,,', 'Alone,ALONE,,')
  for (const dry of [['--dry-run'], []]) {
    const ran = await ask('device', 'import', path, '--company', OIB, ...dry)
    expect(ran.code).toBe(0)
    expect(ran.stderr.match(/Warning:/g)).toHaveLength(1)
    expect(ran.stderr).toContain('Warning: Hall 1, Hall 2, Hall 3 have')
  }
  const { body } = await json('device', 'import', path, '--company', OIB)
  expect(body.shared_premises).toEqual([{ premises_code: 'HALL', labels: ['Hall 1', 'Hall 2', 'Hall 3'] }])

  for (const label of ['Till 1', 'Till 2'])
    await gateway.addDevice({ label, premises_code: 'SHOP', device_config: { sale_type: 'attended' } })
  expect(await added('SHOP', 'Machine beside tills')).toMatchObject({ code: 0, stderr: '' })
})

test('an ISU number that another machine has is refused with the name of that machine', async () => {
  const ran = await ask('isu', 'set', 'Bar 2', '101')
  expect(ran.code).toBe(1)
  expect(ran.stderr.replace(/\s+/g, ' ')).toContain('the ISU number 101 already belongs to machine at premises POSL1')
})

test('sales are listed by the page, and all of them one page after the other', async () => {
  for (let i = 0; i < 3; i++) await gateway.sell()
  const page = await json('invoice', 'list', '--limit', '2')
  expect(page).toMatchObject({ code: 0, body: { object: 'list', has_more: true } })
  const rest = await json('invoice', 'list', '--limit', '2', '--cursor', page.body.next_cursor)
  expect(rest.body).toMatchObject({ has_more: false, next_cursor: null })
  const all = await json('invoice', 'list', '--all', '--device', 'machine', '--status', 'confirmed')
  expect(all.body).toEqual({
    object: 'list',
    data: [...page.body.data, ...rest.body.data],
    has_more: false,
    next_cursor: null,
  })
  const text = await ask('invoice', 'list', '--limit', '2')
  expect(text.stdout).toContain(all.body.data[0].id)
  expect(text.stdout).toContain('There are more: add --all')
  expect((await json('invoice', 'list', '--all', '--status', 'expired')).body.data).toEqual([])
  expect((await ask('invoice', 'list', '--status', 'expired')).stdout).toBe('There is no such sale.\n')
})

test('the audit log is read to its end too', async () => {
  const { body } = await json('audit', '--all')
  expect(body.has_more).toBe(false)
  expect(body.data.at(-1).action).toBe('company.added')
  expect((await ask('audit', '--limit', '1')).stdout.split('\n').length).toBeLessThan(8)
})

test('a company gets a logo from a file, in the width that is said, and loses it again', async () => {
  const file = join(gateway.dataDir, 'logo.png')
  await writeFile(file, ringLogo())
  const set = await json('company', 'set', OIB, '--logo', file, '--logo-width', '40')
  expect(set).toMatchObject({ code: 0, body: { logo_hash: expect.stringMatching(/^[0-9a-f]{64}$/) } })
  expect((await json('company', 'set', OIB, '--name', 'Kava')).body.logo_hash).toBe(set.body.logo_hash)
  const lost = await json('company', 'set', OIB, '--no-logo', '--name', 'Samoposluga d.o.o.')
  expect(lost.body).toMatchObject({ logo_hash: null, name: 'Samoposluga d.o.o.' })
  expect(await ask('company', 'set', OIB, '--logo-width', '40')).toMatchObject({ code: 2 })
  await writeFile(file, 'no picture')
  expect(await ask('company', 'set', OIB, '--logo', file)).toMatchObject({ code: 1 })
})
