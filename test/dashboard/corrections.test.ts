import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { startEnrolled, told } from '../support/central-server.ts'
import { dashboardOf, type Office, startDashboard, type Visitor } from '../support/dashboard.ts'
import { fisk } from '../support/fisk.ts'
import { PATIENCE_MS } from '../support/patience.ts'

const DAY_MS = 86_400_000

async function exported(clerk: Visitor): Promise<Record<string, string>> {
  const { text } = await clerk.get('/dashboard/export/file?what=invoices&format=csv&mode=test')
  const [row = {}] = parse(text, { delimiter: ';', bom: true, columns: true }) as Record<string, string>[]
  return row
}

/** Asks for a payment method on the page, and says yes to the question. */
async function correctOn(clerk: Visitor, page: string, method: string) {
  const question = await clerk.get(`${page}/correct?payment_method=${method}`)
  const sent = await clerk.post(`${page}/correct`, question.hidden(`${page}/correct`))
  return { question: question.words, sent }
}

const closedYesterday = async (office: Office, clerk: Visitor) => {
  expect(await clerk.submit('/dashboard/closings?unit=day', {}, '/dashboard/closings')).toMatchObject({ status: 303 })
  const [, page = ''] =
    /"(\/dashboard\/closings\/[0-9a-f-]{36})"/.exec((await clerk.get('/dashboard/closings?unit=day')).text) ?? []
  return (await office.as('viewer')).get(page)
}

test('an operator corrects a payment method after a question with machine, number, old and new; all pages tell it', {
  timeout: 4 * PATIENCE_MS,
}, async () => {
  const office = await startDashboard()
  const sold = await office.sell()
  const clerk = await office.as('operator')
  const page = `/dashboard/invoices/${sold.id}`
  expect((await clerk.get(page)).text).toContain(`${page}/correct`)
  const { question, sent } = await correctOn(clerk, page, 'K')
  expect(question).toMatch(
    new RegExp(`Uređaj .+, račun ${sold.number}/POSL1/101: način plaćanja .+ → .+\\. Poslati\\?`),
  )
  expect(sent).toMatchObject({ status: 303, to: page })
  const shown = await clerk.get(page)
  expect(shown.words).toMatch(/Ispravci .* način plaćanja gotovina → kartica provedeno/i)
  expect(await exported(clerk)).toMatchObject({
    'Način plaćanja': expect.stringMatching(/gotovina/i),
    'Način plaćanja nakon ispravka': expect.stringMatching(/kartica/i),
    'OIB kupca nakon ispravka': '',
  })
  expect((await (await office.as('admin')).get('/dashboard/audit')).words).toContain(', G u K: provedeno')

  office.clock.aheadMs += DAY_MS
  const later = await office.as('operator')
  expect((await later.get(page)).text).not.toContain(`${page}/correct`)
  expect((await closedYesterday(office, later)).words).toMatch(/Ispravljeno kod Porezne uprave .*gotovina → kartica/i)
  const tooLate = await later.post(`${page}/correct`, (await later.get(`${page}/correct?payment_method=O`)).hidden())
  expect(tooLate.status).toBe(422)
  expect(tooLate.words).toContain('Račun se može ispraviti samo na dan prodaje, do ponoći.')
})

test('a viewer does not correct, and what the authority says against it is told in its words', async () => {
  const office = await startDashboard()
  const sold = await office.sell()
  const page = `/dashboard/invoices/${sold.id}`
  const viewer = await office.as('viewer')
  expect((await viewer.get(page)).text).not.toContain(`${page}/correct`)
  expect((await viewer.get(`${page}/correct`)).status).toBe(403)
  office.cis.misbehave({ error: 's012', message: 'Podaci nisu jednaki.' }, 'tampered')
  const clerk = await office.as('operator')
  await correctOn(clerk, page, 'K')
  expect((await clerk.get(page)).words).toMatch(/odbijeno s012: Podaci nisu jednaki\./)
  await correctOn(clerk, page, 'K')
  expect((await clerk.get(page)).words).toContain('ishod nije poznat')
  // Neither of the two counts.
  expect(await exported(clerk)).toMatchObject({ 'Način plaćanja nakon ispravka': '' })
})

test('at a server a correction goes to the gateway as a command, and what came of it is known there', {
  timeout: 4 * PATIENCE_MS,
}, async () => {
  const { server, gateway } = await startEnrolled()
  const sold = await gateway.sell()
  await told(gateway)
  const clerk = await dashboardOf(server).as('operator')
  const page = `/dashboard/invoices/${sold.id}`
  const { sent } = await correctOn(clerk, page, 'K')
  expect(sent.to).toContain(`${page}?sent=`)
  await expect.poll(async () => (await clerk.get(page)).words).toMatch(/gotovina → kartica provedeno/i)
  expect(await exported(clerk)).toMatchObject({ 'Način plaćanja nakon ispravka': expect.stringMatching(/kartica/i) })
  expect(gateway.cis.requested).toMatchObject([{ operation: 'promijeniPodatkeRacuna', code: 'p005' }])
})

test('fisk invoice correct asks before it sends, and at a server has the gateway do it', {
  timeout: 4 * PATIENCE_MS,
}, async () => {
  const { server, gateway } = await startEnrolled()
  const sold = await gateway.sell()
  const correct = (at: Office | typeof server, ...more: string[]) =>
    fisk(['invoice', 'correct', sold.id, ...more], { socket: at.socketPath })
  expect(await correct(gateway)).toMatchObject({ code: 2, stderr: expect.stringContaining('Say what is to change') })
  expect(await correct(gateway, '--payment-method', 'K')).toMatchObject({ code: 2 })
  expect(gateway.cis.requested).toEqual([])
  const done = await correct(gateway, '--payment-method', 'K', '--yes')
  expect(done).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/outcome +done[\s\S]+code +p005/) })
  const again = await correct(gateway, '--payment-method', 'K', '--yes')
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('has these data already') })
  await told(gateway)
  const sent = await correct(server, '--payment-method', 'O', '--yes')
  expect(sent).toMatchObject({ code: 0, stdout: expect.stringContaining('invoice.correct') })
  await expect.poll(() => gateway.cis.requested.map(({ code }) => code)).toEqual(['p005', 'p005'])
})
