import { expect, test } from 'vitest'
import { startDashboard } from '../support/dashboard.ts'
import { startMailServer } from '../support/mail-server.ts'
import { PATIENCE_MS } from '../support/patience.ts'

const DAY_MS = 86_400_000
const CLOSINGS = '/dashboard/closings'

test('the page of a company says of each month how many premises are closed, what lacks a JIR, and when it was mailed', {
  timeout: 4 * PATIENCE_MS,
}, async () => {
  const mailServer = await startMailServer()
  const office = await startDashboard({ FISKD_SMTP_URL: mailServer.url })
  const page = `/dashboard/companies/${office.companyId}`
  const monthEnd = async () => (await (await office.as('operator')).get(page)).words.split('Kraj mjeseca').at(-1) ?? ''
  await office.sell({ total: '2.50' })
  office.cis.goDown()
  await office.sell({ total: '1.50' })
  expect(await monthEnd()).toMatch(/^ Mjesec .* u tijeku 1 još ga može dobiti – .* nema računa 0 – /)

  office.clock.aheadMs += 31 * DAY_MS
  expect(await monthEnd()).toMatch(/ nema računa 0 – \d+\/\d+ 0 od 1 /)
  const operator = await office.as('operator')
  const month = `${CLOSINGS}?unit=month&mode=test`
  await operator.submit(month, {}, CLOSINGS)
  await operator.submit(month, { to: 'knjige@example.hr' }, `${CLOSINGS}/mail`)
  await expect.poll(() => mailServer.mails.length, { timeout: PATIENCE_MS }).toBe(1)
  await expect
    .poll(monthEnd, { timeout: PATIENCE_MS })
    .toMatch(/ 1 od 1 .* knjige@example.hr, \d+\. \d+\. \d{4}\. \d+:\d\d /)

  const { text } = await operator.get(page)
  const [, href = '', count] = /href="([^"]*status=[^"]*)">(\d+)/.exec(text) ?? []
  const listed = await operator.get(href.replaceAll('&amp;', '&'))
  expect([count, listed.text.match(/<th scope="row"/g)?.length]).toEqual(['1', 1])
})
