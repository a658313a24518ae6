import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type DemoEnvironment, openDemoEnvironment } from './demo-environment.ts'

const OIB = '02994650199'
const COMPANY = { name: 'Samoposluga d.o.o.', street: 'Ilica 1', city: 'Zagreb', postal_code: '10000' }

interface Invoice {
  id: string
  status: string
  jir: string | null
  zki: string
  number: string
  qr_payload: string
  fiscal_error?: { code: string; message: string }
  late_delivery?: boolean
  country_data?: { receipt_number: string }
}

/** How long a receipt may take. */
const PAPER_MS = 10_000

const say = (text = '') => process.stdout.write(`${text}\n`)
const show = (name: string, value: unknown) => say(`      ${`${name}:`.padEnd(12)} ${value}`)
/** An answer with a line for each element, and what is long cut short. */
function pretty(xml: string): string[] {
  return xml
    .replace(/\s*\n\s*/g, '')
    .replace(/([A-Za-z0-9+/]{24})[A-Za-z0-9+/=]{40,}/g, '$1…')
    .replace(/>(?=<)/g, '>\n')
    .split('\n')
}

let step = 0
const heading = (text: string) => say(`\n  ${++step}. ${text}\n`)

/** The demonstration is a test as well: what it promises must be what happened. */
function expectThat(holds: boolean, promise: string): void {
  if (!holds) throw new Error(`expected: ${promise}`)
}

async function setUp(house: DemoEnvironment) {
  heading('A technician sets the gateway up, with the command `fisk`')
  const certificate = await house.cis.pki.issueCompany({ oib: OIB, name: COMPANY.name })
  const file = join(house.dir, 'certificate.p12')
  const passphraseFile = join(house.dir, 'passphrase')
  await writeFile(file, certificate.p12)
  await writeFile(passphraseFile, certificate.passphrase, { mode: 0o600 })
  const fisk = async (shown: string, ...args: string[]) => {
    const answer = await house.fisk(...args)
    say(`      $ fisk ${shown}`)
    return answer
  }
  await fisk(
    'trust add --mode test authority-ca.pem',
    'trust',
    'add',
    '--mode',
    'test',
    join(house.dir, 'authority-ca.pem'),
  )
  const seat = ['--street', COMPANY.street, '--postal-code', COMPANY.postal_code, '--city', COMPANY.city]
  const company = ['company', 'add', '--oib', OIB, '--name', COMPANY.name, '--vat-rate', '25.00', ...seat]
  await fisk(`company add --oib ${OIB} --name "${COMPANY.name}" --vat-rate 25.00 --street …`, ...company)
  const cert = ['cert', 'add', '--company', OIB, '--file', file, '--passphrase-file', passphraseFile]
  await fisk(`cert add --company ${OIB} --file certificate.p12 --passphrase-file passphrase`, ...cert)
  const add = [
    'device',
    'add',
    '--company',
    OIB,
    '--premises',
    'POSL1',
    '--label',
    'Kavomat 1',
    '--address',
    'Trg 1, Zagreb',
  ]
  const device = await fisk(`device add --company ${OIB} --premises POSL1 --label "Kavomat 1"`, ...add)
  await fisk('isu set "Kavomat 1" 123456789', 'isu', 'set', 'Kavomat 1', '123456789')
  const line = `serial:${house.printer.path}`
  // This printer is a program beside others: on a busy machine it may get its turn late.
  const patient = ['--answer-timeout-ms', '5000']
  const printer = ['printer', 'set', 'Kavomat 1', '--line', line, '--profile', 'epson-tm-t20', ...patient]
  await fisk('printer set "Kavomat 1" --line serial:/dev/serial/by-id/… --profile epson-tm-t20', ...printer)
  const tested = await fisk('printer test "Kavomat 1"', 'printer', 'test', 'Kavomat 1')
  expectThat(tested.status === 'printed', 'a test page that the printer says is out')
  const key = await fisk('key create --mode test', 'key', 'create', '--mode', 'test')
  return { deviceId: String(device.id), key: String(key.key) }
}

async function main(house: DemoEnvironment): Promise<void> {
  const { deviceId, key } = await setUp(house)
  const authorization = `Bearer ${key}`

  async function post(total: string, payment: string, item: string) {
    const items = [{ name: item, quantity: '1', unit_price: total, amount: total }]
    const sale = { device_id: deviceId, occurred_at: new Date().toISOString(), total, payment_method: payment, items }
    const body = JSON.stringify(sale)
    const headers = { authorization, 'content-type': 'application/json', 'idempotency-key': randomUUID() }
    say('      POST /v1/invoices')
    say(`      ${body}`)
    const { status, text } = await house.v1({ method: 'POST', path: '/v1/invoices', headers, body })
    say(`      HTTP ${status}`)
    return { status, body: JSON.parse(text) }
  }

  /** The receipt came out of the printer, once, with what the buyer needs. */
  async function printed({ id, zki, jir }: Invoice): Promise<void> {
    for (let waited = 0; (await printOf(id)) !== 'printed' && waited < PAPER_MS; waited += 50) await delay(50)
    const papers = house.printer.papers.map(({ text }) => text.replace(/\s+/g, '')).filter((text) => text.includes(zki))
    expectThat(papers.length === 1, `one receipt on paper, not ${papers.length}`)
    expectThat(jir === null || papers[0]?.includes(jir) === true, 'the JIR on the receipt')
    show('receipt', await printOf(id))
  }

  async function printOf(id: string): Promise<string | undefined> {
    const invoice = await house.fisk('invoice', 'show', id)
    return (invoice.receipt_print as { status: string } | null)?.status
  }

  async function sell(item: string, total: string, payment: string, expected: string): Promise<Invoice> {
    const { status, body } = await post(total, payment, item)
    const invoice = body as Invoice
    expectThat(status === 200 && invoice.status === expected, `a ${expected} sale, not ${JSON.stringify(body)}`)
    show('status', invoice.status)
    show('number', invoice.number)
    show('ZKI', invoice.zki)
    show('JIR', invoice.jir ?? `none yet (${invoice.fiscal_error?.message})`)
    say(`\n      What the printer prints, by fisk receipt preview ${invoice.id}:\n`)
    const { text } = await house.fisk('receipt', 'preview', invoice.id)
    for (const line of String(text).trimEnd().split('\n')) say(`      │ ${line}`)
    await printed(invoice)
    return invoice
  }

  heading('A coffee, paid in cash: numbered, signed, sent, and the JIR is back before the receipt is printed')
  const coffee = await sell('Kava', '1.20', 'G', 'confirmed')

  heading('What the tax authority answered, as it came over the wire, and how it is known to be hers')
  const headers = { authorization }
  const { text } = await house.v1({ method: 'GET', path: `/v1/invoices/${coffee.id}?include_messages=true`, headers })
  const [message] = JSON.parse(text).messages
  for (const line of pretty(message.response_xml)) say(`      │ ${line}`)
  show('HTTP', `${message.http_status} after ${message.duration_ms} ms`)
  show('signed', `${message.answer_signature}, and verified up to the CA that the technician trusts`)
  expectThat(message.answer_signature === 'rsa-sha256', 'an answer that is signed with SHA-256')
  const doctor = (await house.fisk('doctor')) as unknown as { checks: { name: string; detail: string }[] }
  say('      $ fisk doctor')
  show('CIS', doctor.checks.find(({ name }) => name === 'CIS test signature')?.detail)

  heading('A sandwich, paid by card')
  await sell('Sendvič', '3.80', 'K', 'confirmed')

  heading('The tax authority is down: the machine sells all the same, for the ZKI needs nobody')
  await house.cis.goDown()
  const waiting = await sell('Voda', '1.50', 'G', 'retrying')

  heading('It is back: the sale is sent again, the ZKI unchanged, marked as a late delivery')
  await house.cis.comeBack()
  say(`      $ fisk invoice retry ${waiting.id}`)
  const recovered = (await house.fisk('invoice', 'retry', waiting.id)) as unknown as Invoice
  show('status', recovered.status)
  show('ZKI', recovered.zki)
  show('JIR', recovered.jir)
  expectThat(recovered.status === 'confirmed', 'the waiting sale to be confirmed')
  expectThat(recovered.zki === waiting.zki, 'the ZKI to stay as it is printed')
  expectThat(house.cis.received.at(-1)?.lateDelivery === true, 'the second message to be a late delivery')

  heading('A sale that the law does not allow is refused before anything is numbered')
  const refused = await post('10000.01', 'G', 'Kava')
  show('code', refused.body.error.code)
  show('message', refused.body.error.message)
  expectThat(refused.status === 400 && refused.body.error.code === 'hr.amount_out_of_range', 'the sale to be refused')

  heading('What the tax authority has seen')
  for (const { number, zki, jir, lateDelivery } of house.cis.received) {
    say(`      ${number.padStart(3)}  ZKI ${zki}  JIR ${jir}${lateDelivery ? '  late' : ''}`)
  }
  expectThat(house.cis.received.map(({ number }) => number).join() === '1,2,3', 'three sales without a gap')
  say('\n  Everything ran on loopback in a temporary directory, which is gone now.\n')
}

const opening = openDemoEnvironment()
let left = false

/** Whoever has seen enough (Ctrl-C, once or more, or `| head`) leaves nothing behind either. */
function leave(code: number): void {
  left = true
  const end = () => process.exit(code)
  opening.then((house) => house.close().then(end), end)
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => leave(130))
process.stdout.on('error', () => leave(0))

const house = await opening
try {
  await main(house)
} catch (error) {
  // With the house gone, the sale that was on its way has nowhere to go.
  if (!left) throw error
} finally {
  await house.close()
}
