import { beforeAll, expect, test } from 'vitest'
import type { Answer } from '../support/call.ts'
import { addCompany, type Gateway, type InvoiceBody, startGateway, startSharedGateway } from '../support/gateway.ts'
import { OIBS } from '../support/pki.ts'

interface Report {
  processed: number
  created: number
  updated: number
  failed: number
  shared_premises?: object[]
  errors: { row: number; label: string; code: string; message: string; param: string | null }[]
  error: InvoiceBody['error']
}

interface DeviceRow {
  label: string
  premises_code: string
  isu_number: string | null
  isu_status: string
  device_config: Record<string, unknown>
}

let gateway: Gateway
beforeAll(async () => {
  gateway = await startSharedGateway()
})

function post(file: string | Buffer, parts: Record<string, string> = {}, house = gateway, headers = {}) {
  const form = new FormData()
  form.set('company_id', house.companyId)
  for (const [name, value] of Object.entries(parts)) form.set(name, value)
  form.set('file', new Blob([typeof file === 'string' ? file : new Uint8Array(file)]), 'devices.csv')
  return house.admin('/v1/devices/import', { body: form, headers }) as unknown as Promise<Answer<Report>>
}

/** By label, for those of one import may have been made in the same moment. */
async function devices(house = gateway): Promise<DeviceRow[]> {
  const { body } = await house.admin<{ data: DeviceRow[] }>('/v1/devices?limit=200')
  return body.data.sort((one, other) => (one.label < other.label ? -1 : 1))
}

const named = async (label: string) => (await devices()).find((device) => device.label === label)

test.each([
  ['LF', 'label,premises_code\nlf 1,P1\nlf 2,P1\n', ['lf 1', 'lf 2']],
  ['CRLF', 'label,premises_code\r\ncrlf 1,P1\r\ncrlf 2,P1\r\n', ['crlf 1', 'crlf 2']],
  ['no newline at the end', 'label,premises_code\nend,P1', ['end']],
  ['a byte order mark', '\ufefflabel,premises_code\nbom,P1\n', ['bom']],
  ['quotes around everything', '"label","premises_code"\n"quoted","P1"\n', ['quoted']],
  ['commas and quotes in quotes', 'label,premises_code\n"a, ""b"" c",P1\n', ['a, "b" c']],
  ['newlines in quotes', 'label,premises_code,device_config\nlines,P1,"{\n}"\nafter,P1,\n', ['lines', 'after']],
  ['the line that tells Excel the separator', 'sep=;\r\nlabel;premises_code\r\nsep;P1\r\n', ['sep']],
  ['that line in quotes, for commas', '"sep=,"\nlabel,premises_code\nsep comma,P1\n', ['sep comma']],
  ['comments above the header', '# machines; 2026\n#\nlabel,premises_code\n#1,P1\n', ['#1']],
  ['a blank first line', '\r\n;;\r\nlabel;premises_code\r\nblank first;P1\r\n', ['blank first']],
  ['rows without content', 'label,premises_code,isu_number\n,,\nempty rows,P1,\n,,\n', ['empty rows']],
  ['cells without content beyond the header', 'label,premises_code\nbeyond,P1,,,\n', ['beyond']],
  ['semicolons, as Excel saves it in Croatia', '\ufefflabel;premises_code\r\nsemi, colon;P1\r\n', ['semi, colon']],
  ['blank lines', 'label,premises_code\n\nblank,P1\n\n', ['blank']],
  ['spaces around cells', ' label , premises_code \n spaced , P1 \n', ['spaced']],
  ['columns in another order, and unknown ones', 'city,premises_code,label\nSplit,P1,order\n', ['order']],
  ['letters of all kinds', 'label,premises_code\nŽuta čizma ☕,P1\n', ['Žuta čizma ☕']],
  ['decomposed letters', 'label,premises_code\nZ\u030cuta,P1\n', ['Žuta']],
])('a file with %s is read', async (_what, file, labels) => {
  const answer = await post(file)
  expect(answer.status).toBe(200)
  for (const label of labels) expect(await named(label)).toMatchObject({ premises_code: 'P1', isu_status: 'pending' })
  expect(answer.body.created).toBe(labels.length)
})

test('a row that names another company is refused, whatever its label: the machine stays where it is', async () => {
  const house = await startGateway()
  const other = await addCompany(house, OIBS[1])
  await house.addDevice({ label: 'of the other', premises_code: 'B1', company_id: other })
  const sheet = `label;company_oib;premises_code;isu_number\nnew;${OIBS[1]};B2;901\nof the other;${OIBS[1]};B1;902\nours;${OIBS[0]};A1;903\n`
  for (const dry_run of ['true', 'false']) {
    const { body } = await post(sheet, { dry_run }, house)
    expect(body).toMatchObject({ created: 1, updated: 0, failed: 2 })
    expect(body.errors).toMatchObject([
      { row: 2, code: 'invalid_request', param: 'company_oib', message: expect.stringContaining(OIBS[1]) },
      { row: 3, param: 'company_oib' },
    ])
  }
  const found = (await devices(house)).map(({ label, isu_number }) => [label, isu_number])
  expect(found).toEqual([
    ['machine', '101'],
    ['of the other', null],
    ['ours', '903'],
  ])
})

test('a label with a NUL in it is refused alone', async () => {
  const { body } = await post('label,premises_code\n"two\nlines\u0000",P1\nnext,P1\n')
  expect(body).toMatchObject({ created: 1, failed: 1, errors: [{ row: 2, param: 'label', code: 'invalid_request' }] })
})

test.each([
  ['is empty', '', 'empty'],
  ['has no column premises_code', 'label,isu_number\na,1\n', 'premises_code'],
  ['has no column label', 'premises_code\nP1\n', 'label'],
  ['has a column twice', 'label,premises_code,label\na,P1,b\n', 'twice'],
  ['is Windows-1250', Buffer.from([...Buffer.from('label,premises_code\n'), 0xe8, 0x2c, 0x50, 0x31]), 'UTF-8'],
  ['is UTF-16', Buffer.from('\ufefflabel,premises_code\na,P1\n', 'utf16le'), 'UTF-8'],
  ['has tabs', 'label\tpremises_code\na\tP1\n', 'separated by tabs: save it as "CSV UTF-8"'],
  ['is UTF-16 without its mark', Buffer.from('label,premises_code\na,P1\n', 'utf16le'), 'label'],
  ['has a quote that never ends', 'label,premises_code\n"a,P1\nb,P2\n', 'Quote Not Closed'],
  ['has a quote in the middle of a cell', 'label,premises_code\na"b,P1\n', 'line 2'],
  ['has 20,001 lines', `label,premises_code\n${'\n'.repeat(20_000)}`, '20000 lines'],
  ['has 5001 rows', `label,premises_code\n${'r,P1\n'.repeat(5001)}`, '5000'],
])('a file that %s is refused as a whole, and nothing is written', async (_what, file, words) => {
  const before = await devices()
  const answer = await post(file)
  expect(answer).toMatchObject({
    status: 400,
    body: { error: { code: 'invalid_request', param: 'file', message: expect.stringContaining(words) } },
  })
  expect(await devices()).toEqual(before)
})

test('good rows are applied beside bad ones, each of which is named with its line', async () => {
  const house = await startGateway()
  const other = await addCompany(house, OIBS[1])
  await house.addDevice({ label: 'taken', isu_number: '900', company_id: other })
  const rows = [
    'label,premises_code,isu_number,device_config',
    'good 1,P1,301,',
    ',P1,302,',
    'no premises,,303,',
    'bad premises,P 1,304,',
    'bad isu,P1,0305,',
    'taken isu,P1,900,',
    'bad config,P1,306,[1]',
    'broken config,P1,307,"{""a"": "',
    'too short,P1',
    'too long,P1,308,,extra',
    `${'x'.repeat(201)},P1,309,`,
    'machine,OTHER,310,',
    '"good',
    '2\u0000",P1,,',
    'good 3,P1,311,"{""__proto__"": {""x"": 1}, ""payment_method"": ""K""}"',
    'good 4,P1,301,',
  ]
  const { body } = await post(rows.join('\n'), {}, house)
  const { errors, shared_premises, ...counts } = body
  expect(counts).toEqual({ object: 'device_import', dry_run: false, processed: 15, created: 2, updated: 0, failed: 13 })
  expect(shared_premises).toEqual([{ premises_code: 'P1', labels: ['good 1', 'good 3'] }])
  expect(errors.map(({ row, param }) => [row, param])).toEqual([
    [3, 'label'],
    [4, 'premises_code'],
    [5, 'premises_code'],
    [6, 'isu_number'],
    [7, 'isu_number'],
    [8, 'device_config'],
    [9, 'device_config'],
    [10, null],
    [11, null],
    [12, 'label'],
    [13, 'premises_code'],
    [14, 'label'],
    [17, 'isu_number'],
  ])
  const made = (await devices(house)).filter(({ label }) => label.startsWith('good'))
  expect(made.map(({ label, isu_number }) => [label, isu_number])).toEqual([
    ['good 1', '301'],
    ['good 3', '311'],
  ])
  expect(JSON.stringify(made[1]?.device_config)).toBe('{"__proto__":{"x":1},"payment_method":"K"}')
})

test('importing the same file again changes nothing', async () => {
  const house = await startGateway()
  const file = 'label,premises_code,isu_number,device_config\na,P1,401,"{""payment_method"": ""K""}"\nb,P2,,\n'
  expect((await post(file, {}, house)).body).toMatchObject({ created: 2, updated: 0, failed: 0 })
  const once = await devices(house)
  expect((await post(file, {}, house)).body).toMatchObject({ created: 0, updated: 2, failed: 0 })
  expect(await devices(house)).toEqual(once)
})

test('a configuration is merged into the existing one, and blank cells take nothing away', async () => {
  const house = await startGateway()
  await house.addDevice({ label: 'a', premises_code: 'P1', isu_number: '501', device_config: { vat: null, keep: 1 } })
  await post('label,premises_code,isu_number,device_config\na,P1,,"{""vat"": [], ""new"": true}"\n', {}, house)
  const [device] = await devices(house)
  expect(device).toMatchObject({ isu_number: '501', isu_status: 'assigned' })
  expect(device?.device_config).toEqual({ vat: [], keep: 1, new: true })
})

test('a dry run reports what the run would do, rows that depend on each other included, and writes nothing', async () => {
  const house = await startGateway()
  await house.addDevice({ label: 'old', premises_code: 'P1', isu_number: '601' })
  const rows = ['label,premises_code,isu_number', 'a,P1,604', 'b,P1,602', 'c,P1,601', 'old,P1,603', 'd,P1,602']
  const before = await devices(house)
  const dry = await post(rows.join('\n'), { dry_run: 'true' }, house)
  expect(await devices(house)).toEqual(before)
  expect(dry.body).toMatchObject({ dry_run: true, processed: 5, created: 3, updated: 1, failed: 1 })
  const real = await post(rows.join('\n'), { dry_run: 'false' }, house)
  expect(real.body).toEqual({ ...dry.body, dry_run: false })
  expect((await devices(house)).map(({ label, isu_number }) => [label, isu_number])).toEqual([
    ['a', '604'],
    ['b', '602'],
    ['c', '601'],
    ['machine', '101'],
    ['old', '603'],
  ])
})

test.each([
  ['label,premises_code,ISU_Number', []],
  ['Label,Premises Code,ISU_Number', []],
  ['NAZIV;PROSTOR;ISU broj', []],
  ['name,premises,isu', []],
  ['label,premises-code,isu no', []],
  ['label,premises_code,isu_number,Grad,  , Napomena', ['Grad', 'Napomena']],
  ['naziv,label,premises_code,isu_number', ['naziv']],
])('the columns of the header %s are known, and the others are named', async (header, ignored) => {
  const house = await startGateway()
  const names = header.split(/[,;]/)
  const cells = names.map((name) => (/label|^naziv$|^name$/i.test(name) ? 'A' : /isu/i.test(name) ? '777' : 'P9'))
  const file = `${header}\n${cells.join(header.includes(';') ? ';' : ',')}\n`
  const { body } = await post(file, {}, house)
  expect(body).toMatchObject({ created: 1, failed: 0 })
  expect((body as { ignored_columns?: string[] }).ignored_columns ?? []).toEqual(ignored)
  expect((await devices(house))[0]).toMatchObject({ label: 'A', premises_code: 'P9', isu_number: '777' })
})

test('a label that stands twice is an error of each of its rows, equal ones too, and neither is taken', async () => {
  const house = await startGateway()
  const rows = 'label,premises_code,isu_number\nB17,PX17,1017\nC1,PX18,1018\nB17 ,PX17,1117\nD,PX19,\nD,PX19,\n'
  for (const dry_run of ['true', 'false']) {
    const { body } = await post(rows, { dry_run }, house)
    expect(body).toMatchObject({ processed: 5, created: 1, failed: 4 })
    expect(body.errors.map(({ row, param }) => [row, param])).toEqual([
      [2, 'label'],
      [4, 'label'],
      [5, 'label'],
      [6, 'label'],
    ])
    expect(body.errors[0]?.message).toContain('line 4')
  }
  expect((await devices(house)).map(({ label }) => label)).toEqual(['C1', 'machine'])
})

test.each([['true'], ['false']])('devices hand their ISU numbers round in one file (dry run: %s)', async (dry_run) => {
  const house = await startGateway()
  const header = 'label,premises_code,isu_number\n'
  const before = Array.from({ length: 60 }, (_, i) => `m${i},P${i},${7000 + i}`)
  expect((await post(header + before.join('\n'), {}, house)).body).toMatchObject({ created: 60 })
  // Two exchange, three go round, a chain over more than one transaction ends in a free number, and a new one takes what is freed.
  const after = [
    ...['m0,P0,7001', 'm1,P1,7000', 'm2,P2,7003', 'm3,P3,7004', 'm4,P4,7002'],
    ...Array.from({ length: 54 }, (_, i) => `m${i + 5},P${i + 5},${7006 + i}`),
    ...['m59,P59,8000', 'new,P99,7005'],
  ]
  const { body } = await post(header + after.join('\n'), { dry_run }, house)
  expect(body).toMatchObject({ processed: 61, created: 1, updated: 60, failed: 0, errors: [] })
  if (dry_run === 'true') return
  const numbers = new Map((await devices(house)).map(({ label, isu_number }) => [label, isu_number]))
  for (const row of after) expect(numbers.get(row.split(',')[0] ?? '')).toBe(row.split(',')[2])
  expect((await devices(house)).every(({ isu_status }) => isu_status === 'assigned')).toBe(true)
})

test('a row that is wrong for another reason frees no number, and nobody is left without one', async () => {
  const house = await startGateway()
  const header = 'label,premises_code,isu_number\n'
  await post(`${header}a,P1,701\nb,P2,702\nc,P3,703\n`, {}, house)
  const { body } = await post(`${header}a,P1,702\nb,OTHER,701\nc,P3,702\n`, {}, house)
  expect(body.errors.map(({ row, param }) => [row, param])).toEqual([
    [2, 'isu_number'],
    [3, 'premises_code'],
    [4, 'isu_number'],
  ])
  expect((await devices(house)).map(({ isu_number }) => isu_number)).toEqual(['701', '702', '703', '101'])
})

test.each([
  ['.xlsx or .ods', Buffer.from('504b030414000600', 'hex')],
  ['.xls, or one with a password', Buffer.from('d0cf11e0a1b11ae1', 'hex')],
])('a workbook (%s) is refused by name, with what to do', async (_what, file) => {
  const { status, body } = await post(file)
  expect(status).toBe(400)
  expect(body.error.message).toMatch(/workbook.*\.xlsx.*save it as "CSV UTF-8"/)
})

test('sales go on while 5000 devices are imported', async () => {
  const house = await startGateway()
  const rows = Array.from({ length: 5000 }, (_, i) => `bulk ${i},P1,${100_000 + i}`)
  const imported = post(`label,premises_code,isu_number\n${rows.join('\n')}`, {}, house)
  const order: string[] = []
  const sold = house.sell().then(() => order.push('sale'))
  await Promise.all([sold, imported.then(() => order.push('import'))])
  expect(order).toEqual(['sale', 'import'])
  expect((await imported).body).toMatchObject({ processed: 5000, created: 5000 })
})

test('an import is replayed for the same bytes and key, and refused for other bytes', async () => {
  const house = await startGateway()
  const csv = 'label,premises_code\nonce,P1\n'
  const body = (file: string) =>
    Buffer.from(
      [
        '--b\r\nContent-Disposition: form-data; name="company_id"\r\n\r\n',
        house.companyId,
        '\r\n--b\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n',
        file,
        '\r\n--b--\r\n',
      ].join(''),
    )
  const send = (file: string) =>
    house.admin('/v1/devices/import', {
      body: body(file),
      headers: { 'content-type': 'multipart/form-data; boundary=b', 'idempotency-key': 'import-1' },
    })
  const first = await send(csv)
  expect(first).toMatchObject({ status: 200, body: { created: 1, updated: 0 } })
  expect(first.headers['idempotent-replayed']).toBeUndefined()
  const again = await send(csv)
  expect(again.text).toBe(first.text)
  expect(again.headers['idempotent-replayed']).toBe('true')
  const other = await send(`${csv} `)
  expect(other).toMatchObject({ status: 409, body: { error: { code: 'idempotency_key_reused' } } })
})

test.each([
  ['blank lines', '\n'.repeat(1_000_000), 400],
  ['lines of one letter', 'a\n'.repeat(500_000), 400],
  ['one row of a million cells', ','.repeat(1_000_000), 200],
])('a file that is all %s is refused, as a whole or by row, while others are answered', async (_what, rows, status) => {
  const imported = post(`label,premises_code\n${rows}`)
  let done = false
  void imported.then(() => {
    done = true
  })
  let answered = 0
  for (; !done; answered++) await gateway.admin('/v1/countries')
  expect(answered).toBeGreaterThan(3)
  const { body } = await imported
  expect(await imported).toMatchObject({ status })
  expect(status === 400 ? body.error.param : body.failed).toBe(status === 400 ? 'file' : 1)
})

test('a configuration grows by imports up to 32 KB and no further', async () => {
  const house = await startGateway()
  const row = (name: string) => `label,premises_code,device_config\na,P1,"{""${name}"": ""${'x'.repeat(15_000)}""}"\n`
  expect((await post(row('one'), {}, house)).body).toMatchObject({ created: 1 })
  expect((await post(row('two'), {}, house)).body).toMatchObject({ updated: 1 })
  const full = await post(row('three'), {}, house)
  expect(full.body).toMatchObject({ failed: 1, errors: [{ row: 2, param: 'device_config', code: 'invalid_request' }] })
})
