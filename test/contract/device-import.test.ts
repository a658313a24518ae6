import { beforeAll, expect } from 'vitest'
import { addCompany, type Gateway, startSharedGateway } from '../support/gateway.ts'
import { OIBS } from '../support/pki.ts'
import { row } from '../support/row.ts'
import { type Ask, type Body, clientOf, importForm, refused } from './support-endpoints.ts'

let gateway: Gateway
let client: Ask
let companyId: string
beforeAll(async () => {
  gateway = await startSharedGateway()
  client = await clientOf(gateway)
  companyId = await addCompany(gateway, OIBS[1])
})

const HEADER = 'label,premises_code,isu_number,device_config'

function post(csv: string | Buffer, parts: Record<string, string> = {}, company = companyId) {
  return client('/devices/import', { body: importForm(company, csv, parts) })
}

/** Imports what must be taken. */
async function report(csv: string | Buffer, parts: Record<string, string> = {}): Promise<Body> {
  const { status, body, text } = await post(csv, parts)
  expect(status, text).toBe(200)
  return body
}

/** The devices at a premises, by label: those of one file are made at the same moment. */
async function devicesAt(premises: string): Promise<Body[]> {
  const { data } = (await client(`/devices?company_id=${companyId}&premises_code=${premises}`)).body
  return data.sort((a, b) => (String(a.label) < String(b.label) ? -1 : 1))
}

row('POST /v1/devices/import | company_id', 'all rows belong to this company', async () => {
  expect((await post(`${HEADER}\nA1,COMP,301,\nA2,COMP,,\n`)).status).toBe(200)
  const devices = await devicesAt('COMP')
  expect(devices).toMatchObject([
    { label: 'A1', company_id: companyId, isu_number: '301', isu_status: 'assigned', status: 'active' },
    { label: 'A2', company_id: companyId, isu_number: null, isu_status: 'pending', device_config: {} },
  ])
  // The same label of another company is another device.
  const other = await post(`${HEADER}\nA1,COMP,302,\n`, {}, gateway.companyId)
  expect(other.body).toMatchObject({ processed: 1, created: 1, updated: 0 })
  expect((await client('/devices?premises_code=COMP')).body.data).toHaveLength(3)
})

row('POST /v1/devices/import | company_id', 'it is required, a UUID, and a company that exists', async () => {
  const form = new FormData()
  form.set('file', new Blob([`${HEADER}\n`]), 'devices.csv')
  const missing = await client('/devices/import', { body: form })
  expect(missing).toMatchObject(refused(400, 'invalid_request', 'company_id'))
  expect(await post(`${HEADER}\n`, {}, '1')).toMatchObject(refused(400, 'invalid_request', 'company_id'))
  const nowhere = '00000000-0000-4000-8000-000000000000'
  expect(await post(`${HEADER}\n`, {}, nowhere)).toMatchObject(refused(404, 'invalid_request', 'company_id'))
})

row('POST /v1/devices/import | file', 'a new label makes a device, a known one updates it', async () => {
  const first = await report(`${HEADER}\nB1,FILE,,\nB2,FILE,311,\n`)
  expect(first).toEqual({
    object: 'device_import',
    dry_run: false,
    processed: 2,
    created: 2,
    updated: 0,
    failed: 0,
    errors: [],
    shared_premises: [{ premises_code: 'FILE', labels: ['B1', 'B2'] }],
  })
  const [before] = await devicesAt('FILE')
  const second = await report(`${HEADER}\nB1,FILE,310,\nB3,FILE,,\n`)
  expect(second).toMatchObject({ processed: 2, created: 1, updated: 1, failed: 0, errors: [] })
  const devices = await devicesAt('FILE')
  expect(devices).toMatchObject([
    { id: before?.id, label: 'B1', isu_number: '310', isu_status: 'assigned' },
    { label: 'B2', isu_number: '311' },
    { label: 'B3', isu_number: null },
  ])
})

row('POST /v1/devices/import | file', 'the same file twice gives the same devices', async () => {
  const csv = `${HEADER}\nC1,TWICE,320,"{""special_purpose"":""kava""}"\nC2,TWICE,,\n`
  await report(csv)
  const once = await devicesAt('TWICE')
  expect(await report(csv)).toMatchObject({ created: 0, updated: 2, failed: 0 })
  expect(await devicesAt('TWICE')).toEqual(once)
})

row('POST /v1/devices/import | file', 'device_config is merged into the one there is', async () => {
  await report(`${HEADER}\nD1,MERGE,,"{""special_purpose"":""a"",""payment_method"":""K""}"\n`)
  await report(`${HEADER}\nD1,MERGE,,"{""special_purpose"":""b, c"",""vat"":null}"\n`)
  expect(await devicesAt('MERGE')).toMatchObject([
    { device_config: { special_purpose: 'b, c', payment_method: 'K', vat: null } },
  ])
  await report(`${HEADER}\nD1,MERGE,,\n`)
  expect((await devicesAt('MERGE'))[0]?.device_config).toEqual({
    special_purpose: 'b, c',
    payment_method: 'K',
    vat: null,
  })
})

row('POST /v1/devices/import | file', 'columns come in any order, unknown ones are ignored', async () => {
  const csv = 'note,premises_code,label,installed_at\r\n"x, ""y""\r\nz",COLS,"Kavomat, hodnik",2020\r\n'
  expect(await report(csv)).toMatchObject({ processed: 1, created: 1, failed: 0 })
  expect(await devicesAt('COLS')).toMatchObject([{ label: 'Kavomat, hodnik', isu_number: null }])
})

row('POST /v1/devices/import | file', 'UTF-8 is kept, with or without a byte order mark', async () => {
  expect(await report(`${HEADER}\nŠećerana Đurđevac,UTF,,\n`)).toMatchObject({ created: 1 })
  expect(await report(`\ufeff${HEADER}\nŽitnjak,UTF,,\n`)).toMatchObject({ created: 1 })
  expect((await devicesAt('UTF')).map(({ label }) => label)).toEqual(['Šećerana Đurđevac', 'Žitnjak'])
})

row('POST /v1/devices/import | file', 'a wrong row is reported by its line, and the others are applied', async () => {
  const lines = [
    HEADER,
    'E1,ROWS,,',
    'E2,ROW S,,',
    ',ROWS,,',
    'E4,ROWS,0331,',
    'E5,ROWS,,not JSON',
    'E6,ROWS,,"[1]"',
    `${'x'.repeat(201)},ROWS,,`,
    'E8,ROWSROWSROWSROWSROWS1,,',
    'E9,ROWS,,',
    'E9,OTHER,,',
  ]
  const result = await report(`${lines.join('\n')}\n`)
  expect(result).toMatchObject({ object: 'device_import', processed: 10, created: 1, updated: 0, failed: 9 })
  const line = (row: number, label: string, param: string) => ({
    row,
    label,
    code: 'invalid_request',
    message: expect.stringMatching(/\S/),
    param,
  })
  expect(result.errors).toEqual([
    line(3, 'E2', 'premises_code'),
    line(4, '', 'label'),
    line(5, 'E4', 'isu_number'),
    line(6, 'E5', 'device_config'),
    line(7, 'E6', 'device_config'),
    line(8, 'x'.repeat(201), 'label'),
    line(9, 'E8', 'premises_code'),
    line(10, 'E9', 'label'),
    line(11, 'E9', 'label'),
  ])
  expect((await devicesAt('ROWS')).map(({ label }) => label)).toEqual(['E1'])
})

row('POST /v1/devices/import | file', 'an ISU number that another device has is refused in its row', async () => {
  const result = await report(`${HEADER}\nF1,ISU,340,\nF2,ISU,340,\nF3,ISU,341,\n`)
  expect(result).toMatchObject({
    processed: 3,
    created: 2,
    failed: 1,
    errors: [{ row: 3, label: 'F2', code: 'invalid_request', param: 'isu_number' }],
  })
  expect((await devicesAt('ISU')).map(({ label }) => label)).toEqual(['F1', 'F3'])
})

row('POST /v1/devices/import | file', 'a file that cannot be parsed is refused as a whole', async () => {
  const unreadable: [string, string | Buffer][] = [
    [
      'Windows-1250',
      Buffer.concat([Buffer.from(`${HEADER}\nG1,BAD,,\n`), Buffer.from([0x8a, 0x2c, 0x42]), Buffer.from(',,\n')]),
    ],
    ['no label column', 'premises_code\nBAD\n'],
    ['no premises_code column', 'label\nG1\n'],
    ['nothing', ''],
    ['a quote that never ends', `${HEADER}\nG1,BAD,,"{\n`],
    ['tabs', 'label\tpremises_code\nG1\tBAD\n'],
  ]
  for (const [what, csv] of unreadable) {
    expect(await post(csv), what).toMatchObject(refused(400, 'invalid_request', 'file'))
  }
  expect(await devicesAt('BAD')).toEqual([])
})

row('POST /v1/devices/import | file', 'it is required, and a file', async () => {
  const form = new FormData()
  form.set('company_id', companyId)
  expect(await client('/devices/import', { body: form })).toMatchObject(refused(400, 'invalid_request', 'file'))
  form.set('file', `${HEADER}\n`)
  expect(await client('/devices/import', { body: form })).toMatchObject(refused(400, 'invalid_request', 'file'))
})

row('POST /v1/devices/import | file', 'more than 5000 rows or 1 MB are refused as a whole', async () => {
  const rows = Array.from({ length: 5001 }, (_, i) => `m${i},MANY\n`).join('')
  expect(await post(`label,premises_code\n${rows}`)).toMatchObject(refused(400, 'invalid_request', 'file'))
  const long = 'label,premises_code,note\nm,MANY,'.padEnd(1_048_577, 'x')
  expect(await post(long)).toMatchObject(refused(413, 'file_too_large', 'file'))
  expect(await devicesAt('MANY')).toEqual([])
})

row('POST /v1/devices/import | dry_run', '`true` reports what would come of it and writes nothing', async () => {
  await report(`${HEADER}\nI1,DRY,350,\n`)
  const before = await devicesAt('DRY')
  const csv = `${HEADER}\nI1,DRY,351,\nI2,DRY,352,\nI3,D RY,,\nI4,DRY,352,\nI5,DRY,,\nI5,DRY,,\n`
  const rehearsed = await report(csv, { dry_run: 'true' })
  expect(rehearsed).toMatchObject({
    object: 'device_import',
    dry_run: true,
    processed: 6,
    created: 1,
    updated: 1,
    failed: 4,
    errors: [
      { row: 4, param: 'premises_code' },
      { row: 5, param: 'isu_number' },
      { row: 6, param: 'label' },
      { row: 7, param: 'label' },
    ],
  })
  expect(await devicesAt('DRY')).toEqual(before)
  expect(await report(csv)).toEqual({ ...rehearsed, dry_run: false })
})

row('POST /v1/devices/import | dry_run', '`false` and nothing at all write', async () => {
  expect(await report(`${HEADER}\nJ1,WET,,\n`, { dry_run: 'false' })).toMatchObject({ dry_run: false, created: 1 })
  expect(await report(`${HEADER}\nJ2,WET,,\n`)).toMatchObject({ dry_run: false, created: 1 })
  expect(await devicesAt('WET')).toHaveLength(2)
  for (const dry_run of ['yes', '1', 'TRUE', '']) {
    expect(await post(`${HEADER}\nJ3,WET,,\n`, { dry_run })).toMatchObject(refused(400, 'invalid_request', 'dry_run'))
  }
  expect(await devicesAt('WET')).toHaveLength(2)
})
