import { readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import type { PtyPrinter } from '../../src/simulator/index.ts'
import { fisk, type Ran } from '../support/fisk.ts'
import { type Gateway, startSharedGateway } from '../support/gateway.ts'
import { codesIn, startVirtualPrinterForFile, withoutBlanks } from '../support/printer.ts'
import { skipWithout } from '../support/tools.ts'

let gateway: Gateway
let paper: PtyPrinter
const ask = (...argv: string[]): Promise<Ran> => fisk(argv, { socket: gateway.socketPath })

beforeAll(async () => {
  gateway = await startSharedGateway()
  paper = await startVirtualPrinterForFile()
  const line = `serial:${paper.path}`
  const set = await ask(
    'printer',
    'set',
    'machine',
    '--line',
    line,
    '--profile',
    'epson-tm-t20',
    '--answer-timeout-ms',
    '1000',
  )
  expect(set).toMatchObject({ code: 0, stderr: '' })
})

const receipts = () => paper.papers.filter(({ cut }) => cut)

test('a printer that is set prints from the next sale on, and `status` says that it is ready', async () => {
  const sold = await gateway.sell({ items: [{ name: 'Čaj', quantity: '1', unit_price: '2.50', amount: '2.50' }] })
  await expect.poll(() => withoutBlanks(receipts().at(-1)?.text)).toContain(sold.zki)
  expect(receipts().at(-1)?.text).toContain('Čaj')
  const status = async () => (await ask('printer', 'status', 'machine')).stdout
  await expect.poll(status).toMatch(/^last +the original of .*, printed /m)
  expect(await status()).toMatch(/^state +ready$/m)
})

test('what is not named stays as it was, and a null of the profile comes back with --reset', async () => {
  const before = JSON.parse((await ask('printer', 'set', 'machine', '--dpi', '180', '--json')).stdout)
  expect(before).toMatchObject({ profile: 'epson-tm-t20', settings: { dpi: 180, answer_timeout_ms: 1000 } })
  expect(before.overridden).toEqual(['dpi', 'answer_timeout_ms'])
  const after = JSON.parse(
    (await ask('printer', 'set', 'machine', '--reset', '--answer-timeout-ms', '1000', '--json')).stdout,
  )
  expect(after).toMatchObject({ settings: { dpi: 203 }, overridden: ['answer_timeout_ms'], line: before.line })
})

test('the list shows the printers, their state and where they are, never cut', async () => {
  const list = async () => (await ask('printer', 'list')).stdout
  await expect.poll(list).toMatch(/machine +epson-tm-t20 +ready/)
  const stdout = await list()
  expect(stdout).toContain(`serial:${paper.path}\n`)
  const others = stdout.split('\n').filter((row) => !row.includes('serial:'))
  expect(Math.max(...others.map(({ length }) => length))).toBeLessThanOrEqual(80)
})

test('a test page shows the letters under each code page', async () => {
  const { code, stdout } = await ask('printer', 'test', 'machine')
  expect(stdout).toContain('The printer says that the page is out.')
  expect(code).toBe(0)
  expect(receipts().at(-1)?.text).toContain('č ć đ š ž Č Ć Đ Š Ž')
})

test('a wrong code page shows on the test page, and its command sets the one whose line of letters is right', async () => {
  await ask('printer', 'set', 'machine', '--encoding', 'windows1250', '--code-page', '0')
  const { stdout } = await ask('printer', 'test', 'machine')
  expect(stdout.replace(/\s+/g, ' ')).toContain(
    'Are its letters wrong? Look which line of letters is right, and set that: fisk printer set machine --encoding NAME --code-page NUMBER',
  )
  const asSet = () => /as they are set:\s*(.*)/.exec(receipts().at(-1)?.text ?? '')?.[1]
  expect(asSet()).not.toContain('č')
  await ask('printer', 'set', 'machine', '--encoding', 'cp852', '--code-page', '18')
  await ask('printer', 'test', 'machine')
  expect(asSet()).toContain('č ć đ š ž Č Ć Đ Š Ž')
  await ask('printer', 'set', 'machine', '--reset')
})

test('a printer without paper is said with what to do, the sale goes on, and its receipt expires', async () => {
  await ask('printer', 'set', 'machine', '--expire-after', '5')
  paper.runOutOfPaper()
  const { code, stdout } = await ask('printer', 'status')
  expect(code).toBe(1)
  expect(stdout).toMatch(/^state +no paper$/m)
  expect(stdout).toMatch(/^fix +/m)
  const sold = await gateway.sell()
  expect(sold.status).toBe('confirmed')
  const health = await gateway.v1('/health')
  expect(health.body).toMatchObject({
    status: 'degraded',
    checks: { printers: { status: 'degraded', total: 1, ready: 0 } },
  })
  const doctor = await ask('doctor')
  expect(doctor.code).toBe(1)
  expect(doctor.stdout).toMatch(/^fail +printer machine /m)
  const { text } = await gateway.admin('/metrics')
  expect(text).toContain(`fiskd_printer_paper{device="${gateway.deviceId}"} 0`)
  expect(text).toContain(`fiskd_printer_ready{device="${gateway.deviceId}"} 0`)
  await expect
    .poll(() => gateway.invoice(sold.id))
    .toMatchObject({ receipt_print: { status: 'expired', printed_at: null } })
  paper.loadPaper()
  await expect.poll(async () => (await ask('printer', 'status')).code).toBe(0)
  expect(paper.papers.some((one) => withoutBlanks(one.text).includes(sold.zki))).toBe(false)
  await ask('printer', 'set', 'machine', '--expire-after', '90')
})

test('a copy comes out marked as one, and the command waits for it', async () => {
  const sold = await gateway.sell()
  const { code, stdout } = await ask('receipt', 'print', sold.id)
  expect(code).toBe(0)
  expect(stdout).toMatch(/^copy 1 of .*, printed /)
  expect(receipts().at(-1)?.text).toContain('KOPIJA')
})

test('a preview shows the receipt in the terminal, on the paper that is wanted', async () => {
  const sold = await gateway.sell()
  const { code, stdout } = await ask('receipt', 'preview', sold.id, '--columns', '32')
  expect(code).toBe(0)
  expect(stdout.replaceAll(/\s/g, '')).toContain(String(sold.jir))
  expect(Math.max(...stdout.split('\n').map((line) => [...line].length))).toBeLessThanOrEqual(52)
})

test.skipIf(skipWithout('zbarimg'))(
  'a preview as a picture has the QR code of the sale, which a stranger reads',
  async () => {
    const sold = await gateway.sell()
    const file = join(gateway.dataDir, 'receipt.png')
    expect(await ask('receipt', 'preview', sold.id, '--png', file)).toMatchObject({ code: 0, stderr: '' })
    expect(codesIn(readFileSync(file))).toEqual([sold.qr_payload])
  },
)

test('a copy is written as PDF under the id of the sale, or where it is wanted', async () => {
  const sold = await gateway.sell()
  const file = join(gateway.dataDir, 'copy.pdf')
  expect(await ask('receipt', 'pdf', sold.id, '--out', file)).toMatchObject({ code: 0, stderr: '' })
  expect(readFileSync(file, 'latin1')).toMatch(/^%PDF-1\.7[\s\S]+%%EOF\n$/)
  const nowhere = await ask('receipt', 'pdf', sold.id, '--out', join(gateway.dataDir, 'none/copy.pdf'))
  expect(nowhere).toMatchObject({ code: 2, stderr: expect.stringContaining('cannot be written') })
})

test.each([
  [['printer', 'set', 'machine', '--line', 'lpt1'], 1, 'is no line to a printer'],
  [['printer', 'set', 'machine'], 2, 'Nothing was said'],
  [['printer', 'set', 'machine', '--profile', 'oki'], 2, 'Allowed choices are'],
  [['printer', 'set', 'machine', '--code-page', 'x'], 2, 'whole number'],
  [['printer', 'set', 'machine', '--code-page', '256'], 1, 'code_page'],
  [['printer', 'set', 'machine', '--after-hex', 'zz'], 1, 'two digits each'],
  [['printer', 'set', 'machine', '--feed-lines', '21'], 1, 'must be 20 or less'],
  [['printer', 'set', 'machine', '--line', '/dev/bus/usb/001/004'], 1, 'printer class'],
  [['printer', 'set', 'machine', '--none', '--dpi', '203'], 2, 'stands alone'],
  [['printer', 'set', 'nobody', '--dpi', '203'], 1, 'No device'],
  [['receipt', 'print', 'inv_nothing'], 1, 'invoice'],
])('what is wrong is said: fisk %s', async (argv, code, says) => {
  const ran = await ask(...argv)
  expect(ran.code).toBe(code)
  expect(ran.stderr).toContain(says)
})

test('a path with nothing behind it is no reason to refuse it: the state says so, and sales go on', async () => {
  const device = await gateway.addDevice({ label: 'other', isu_number: '303' })
  expect((await ask('printer', 'set', 'other', '--line', 'usb:/dev/usb/lp77')).code).toBe(0)
  const { code, stdout } = await ask('printer', 'status', 'other')
  expect(code).toBe(1)
  expect(stdout).toMatch(/^state +lost$/m)
  expect((await gateway.sell({ device_id: device })).status).toBe('confirmed')
  const doctor = await ask('doctor')
  expect(doctor.stdout).toMatch(/fail +printer other /)
  expect((await ask('printer', 'set', 'other', '--none', '--yes')).code).toBe(0)
  expect((await ask('printer', 'status', 'other')).code).toBe(1)
})

test('two devices that set one line differently are refused; set alike they share it, and change together', async () => {
  const device = await gateway.addDevice({ label: 'twin', isu_number: '304' })
  const line = `serial:${paper.path}`
  const refused = await ask('printer', 'set', 'twin', '--line', line, '--profile', 'generic')
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/machine has the same\s+printer/) })
  // Without a word about it, the settings are those of the printer.
  expect((await ask('printer', 'set', 'twin', '--line', line)).stdout).toMatch(/^profile +epson-tm-t20$/m)
  const [mine, its] = await Promise.all([gateway.sell(), gateway.sell({ device_id: device })])
  await expect
    .poll(() => receipts().filter(({ text }) => [mine, its].some(({ zki }) => withoutBlanks(text).includes(zki))))
    .toHaveLength(2)
  expect((await ask('printer', 'set', 'twin', '--qr', 'raster')).code).toBe(1)
  expect((await ask('printer', 'set', 'twin', '--qr', 'raster', '--shared')).code).toBe(0)
  expect((await ask('printer', 'status', 'machine')).stdout).toMatch(/^set .*qr raster/m)
})

test('another name of the line of another device is refused with the name to use, or becomes the name for both', async () => {
  const other = join(gateway.dataDir, 'ttyUSB7')
  symlinkSync(paper.path, other)
  const { code, stderr } = await ask('printer', 'set', 'other', '--line', `serial:${other}`)
  expect([code, stderr.replaceAll(/\s+/g, ' ')]).toEqual([
    1,
    expect.stringContaining(`which is set as serial:${paper.path}`),
  ])
  expect((await ask('printer', 'set', 'other', '--line', `serial:${other}`, '--shared')).code).toBe(0)
  expect((await ask('printer', 'status', 'machine')).stdout).toContain(`serial:${other}`)
})
