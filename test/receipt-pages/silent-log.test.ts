import { once } from 'node:events'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { told } from '../support/central-server.ts'
import { dashboardOf } from '../support/dashboard.ts'
import { inDatabase } from '../support/database.ts'
import { fisk } from '../support/fisk.ts'
import type { Gateway } from '../support/gateway.ts'
import { opened, soldAndTold, startLinked } from '../support/receipt-links.ts'
import { tempDir } from '../support/temp-dir.ts'

/** What of a link tells it apart, in every form that a program might write it. */
function traces(token: string): Buffer[] {
  const check = Buffer.from(token, 'base64url').subarray(-16)
  const forms = [token.slice(0, 12), token.slice(-20), check.toString('hex'), check.toString('base64').slice(0, 20)]
  return [...forms.map((form) => Buffer.from(form)), check]
}

/** Where a sale was made, its answer stands for a day, for whoever sends it again with the same key. */
const DATABASE = /fiskd\.db(-wal|-shm)?$/

/** Everything that a daemon keeps or says when asked, by its name. */
async function everythingOf(role: 'gateway' | 'server', { dataDir, admin, socketPath }: Gateway) {
  const names = readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).map((name) => join(dataDir, name))
  const files = names.filter((name) => statSync(name).isFile() && (role === 'server' || !DATABASE.test(name)))
  const bundle = join(await tempDir(), 'bundle.tar.gz')
  expect(await fisk(['support-bundle', bundle], { socket: socketPath })).toMatchObject({ code: 0 })
  return [
    ...files.map((name) => [name, readFileSync(name)] as const),
    [`bundle of the ${role}`, gunzipSync(readFileSync(bundle))] as const,
    [`metrics of the ${role}`, Buffer.from((await admin('/metrics')).text)] as const,
    [`doctor of the ${role}`, Buffer.from((await admin('/admin/doctor')).text)] as const,
  ]
}

/** As somebody speaks who has left out the `s` of the address. */
async function withoutTls(base: string, path: string): Promise<void> {
  const socket = connect(Number(new URL(base).port), '127.0.0.1')
  socket.end(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`).resume()
  await once(socket, 'close')
}

test('no token is stored, logged or told by gateway or server, whatever is asked with it and goes wrong', async () => {
  const logged: Buffer[] = []
  const log = new Writable({ write: (chunk, _encoding, done) => done(void logged.push(Buffer.from(chunk))) })
  const { server, kiosk } = await startLinked({ FISKD_LOG_LEVEL: 'trace' }, log)
  const [one, other, last] = [await soldAndTold(kiosk), await soldAndTold(kiosk), await soldAndTold(kiosk)]
  const links = [one, other, last].map(({ receipt_url }) => String(receipt_url))
  for (const link of links) {
    for (const path of ['', '/pdf', '?w=1', 'x', '/../x', '%00']) await opened(server, `${link}${path}`)
    await opened(server, link, { method: 'POST', body: '{' })
    await opened(server, link.replace(/.$/, '_'))
    await withoutTls(server.receiptsUrl, new URL(link).pathname)
    await opened({ receiptsUrl: server.url, dataDir: server.dataDir }, link)
  }
  await kiosk.v1(`/invoices/${one.id}/receipt-link`)
  const operator = await dashboardOf(server).as('operator')
  const path = `/dashboard/invoices/${one.id}`
  expect((await operator.submit(path, {}, `${path}/link/withdraw`)).status).toBe(303)
  expect((await opened(server, links[0])).status).toBe(404)
  const audit = await (await dashboardOf(server).as('admin')).get('/dashboard/audit')
  await told(kiosk)
  await inDatabase(server, 'ALTER TABLE receipt_withdrawals RENAME TO elsewhere')
  expect((await opened(server, links[1])).status).toBe(503)
  await inDatabase(server, 'ALTER TABLE elsewhere RENAME TO receipt_withdrawals')

  const places = [...(await everythingOf('server', server)), ...(await everythingOf('gateway', kiosk))]
  places.push(['log', Buffer.concat(logged)], ['audit', Buffer.from(audit.text)])
  expect(Buffer.concat(logged).toString()).toContain('a receipt could not be shown')
  expect(audit.text).toContain('Povučena je poveznica')
  const tokens = links.map((link) => link.slice(-48))
  const found = places.filter(([, bytes]) => tokens.flatMap(traces).some((trace) => bytes.includes(trace)))
  expect(found.map(([name]) => name)).toEqual([])
})
