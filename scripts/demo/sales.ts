import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { DemoEnvironment } from './environment.ts'
import { expectThat, heading, say, show } from './output.ts'
import type { Machine } from './set-up.ts'

interface Invoice {
  id: string
  status: string
  jir: string | null
  zki: string
  number: string
  fiscal_error?: { message: string }
}

/** How long a receipt may take. */
const PAPER_MS = 10_000

/** Sales as a machine makes them: by cash, by card, in an outage, against a rule. */
export async function sellThings(house: DemoEnvironment, { deviceId, key }: Machine): Promise<void> {
  const authorization = `Bearer ${key}`

  async function post(total: string, payment: string, item: string) {
    const items = [{ name: item, quantity: '1', unit_price: total, amount: total }]
    const sale = { device_id: deviceId, occurred_at: new Date().toISOString(), total, payment_method: payment, items }
    const body = JSON.stringify(sale)
    const headers = { authorization, 'content-type': 'application/json', 'idempotency-key': randomUUID() }
    say(`      POST /v1/invoices ${body}`)
    const { status, text } = await house.v1({ method: 'POST', path: '/v1/invoices', headers, body })
    return { status, body: JSON.parse(text) }
  }

  /** The receipt came out of the printer, once, with what the buyer needs. */
  async function printed({ id, zki, jir }: Invoice): Promise<void> {
    for (let waited = 0; (await printOf(id)) !== 'printed' && waited < PAPER_MS; waited += 50) await delay(50)
    const papers = house.printer.papers.map(({ text }) => text.replace(/\s+/g, '')).filter((text) => text.includes(zki))
    expectThat(papers.length === 1, `one receipt on paper, not ${papers.length}`)
    expectThat(jir === null || papers[0]?.includes(jir) === true, 'the JIR on the receipt')
    expectThat((await printOf(id)) === 'printed', 'a receipt that the printer says is out')
  }

  async function printOf(id: string): Promise<string | undefined> {
    const invoice = await house.fisk('invoice', 'show', id)
    return (invoice.receipt_print as { status: string } | null)?.status
  }

  async function sell(item: string, total: string, payment: string, expected: string): Promise<Invoice> {
    const { status, body } = await post(total, payment, item)
    const invoice = body as Invoice
    expectThat(status === 200 && invoice.status === expected, `a ${expected} sale, not ${JSON.stringify(body)}`)
    await printed(invoice)
    show('HTTP 200', `${invoice.status}, number ${invoice.number}, and the receipt is printed`)
    show('ZKI', invoice.zki)
    show('JIR', invoice.jir ?? `none yet (${invoice.fiscal_error?.message})`)
    return invoice
  }

  heading('A coffee, paid in cash: numbered, signed, sent, and the JIR is back before the receipt is printed')
  const coffee = await sell('Kava', '1.20', 'G', 'confirmed')
  const { text } = await house.fisk('receipt', 'preview', coffee.id)
  for (const line of String(text).trimEnd().split('\n')) say(`      │ ${line}`)

  heading('How the answer of the tax authority is known to be its own')
  const path = `/v1/invoices/${coffee.id}?include_messages=true`
  const [message] = JSON.parse((await house.v1({ method: 'GET', path, headers: { authorization } })).text).messages
  show('answer', `${/<tns:Jir>.*?<\/tns:Jir>/.exec(message.response_xml)?.[0]} after ${message.duration_ms} ms`)
  show('signed', `${message.answer_signature}, and verified up to the CA that the technician trusts`)
  expectThat(message.answer_signature === 'rsa-sha256', 'an answer that is signed with SHA-256')

  heading('A sandwich, paid by card')
  await sell('Sendvič', '3.80', 'K', 'confirmed')

  heading('The tax authority is down: the machine sells all the same, for the ZKI needs nobody')
  await house.cis.goDown()
  const waiting = await sell('Voda', '1.50', 'G', 'retrying')

  heading('It is back: the sale is sent again, the ZKI unchanged, marked as a late delivery')
  await house.cis.comeBack()
  say(`      $ fisk invoice retry ${waiting.id}`)
  const recovered = (await house.fisk('invoice', 'retry', waiting.id)) as unknown as Invoice
  expectThat(recovered.status === 'confirmed', 'the waiting sale to be confirmed')
  expectThat(recovered.zki === waiting.zki, 'the ZKI to stay as it is printed')
  expectThat(house.cis.received.at(-1)?.lateDelivery === true, 'the second message to be a late delivery')
  show('authority', 'what it has seen:')
  for (const { number, zki, jir, lateDelivery } of house.cis.received) {
    say(`      ${number.padStart(3)}  ZKI ${zki}  JIR ${jir}${lateDelivery ? '  late' : ''}`)
  }
  expectThat(house.cis.received.map(({ number }) => number).join() === '1,2,3', 'three sales without a gap')

  heading('A sale that the law does not allow is refused before anything is numbered')
  const refused = await post('10000.01', 'G', 'Kava')
  const { code, message: why } = refused.body.error
  show('HTTP 400', `${code}: ${why}`)
  expectThat(refused.status === 400 && code === 'hr.amount_out_of_range', 'the sale to be refused')
}
