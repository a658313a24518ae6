import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { startGateway } from '../support/gateway.ts'
import { type Linked, opened, RECEIPTS_ENV, setCompany } from '../support/receipt-links.ts'

test('no token stands in the log or in the metrics, whatever is asked with it', async () => {
  let log = ''
  const kept = new Writable({
    write(chunk, _encoding, done) {
      log += chunk
      done()
    },
  })
  const server = await startGateway({ ...RECEIPTS_ENV, FISKD_LOG_LEVEL: 'trace' }, kept)
  await setCompany(server, { receipt_link: 'on' })
  const { receipt_url = '' }: Linked = await server.sell()
  for (const path of ['', '/pdf', '?w=1', 'x', '/../x']) await opened(server, `${receipt_url}${path}`)
  await opened(server, receipt_url, { method: 'POST', body: '{' })
  expect(log).toContain('"msg"')
  const metrics = await server.admin('/metrics')
  for (const text of [log, metrics.text]) expect(text).not.toContain(receipt_url.slice(-48))
})
