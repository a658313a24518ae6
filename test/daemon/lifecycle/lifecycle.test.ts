import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { connect as tlsConnect } from 'node:tls'
import pino from 'pino'
import { expect, test } from 'vitest'
import { readConfig } from '../../../src/daemon/config.ts'
import { startDaemon } from '../../../src/daemon/lifecycle/daemon.ts'
import { type Gateway, startGateway } from '../../support/gateway.ts'
import { certificateOf, OIBS } from '../../support/pki.ts'
import { tamper } from '../../support/tamper.ts'
import { tempDir } from '../../support/temp-dir.ts'

const silent = pino({ level: 'silent' })
const configOf = (dataDir: string, env = {}) =>
  readConfig({ FISKD_DATA_DIR: dataDir, FISKD_LISTEN: '127.0.0.1:0', ...env })
const portOf = (gateway: Gateway) => Number(new URL(gateway.url).port)

test('a sale that was being sent when the power went becomes retrying, and its key returns it, never a second one', async () => {
  const gateway = await startGateway()
  const sale = gateway.sale()
  const first = await gateway.post(sale, 'cut-off')
  await gateway.stop()
  tamper(
    join(gateway.dataDir, 'fiskd.db'),
    "UPDATE invoices SET status = 'pending', jir = NULL, confirmed_at = NULL",
    'DELETE FROM messages',
    'UPDATE idempotency_keys SET response_status = NULL, response_body = NULL',
  )

  await gateway.cis.goDown()
  await gateway.restart()
  const again = await gateway.post(sale, 'cut-off')
  expect(again.status).toBe(200)
  expect(again.headers['idempotent-replayed']).toBe('true')
  expect(again.body).toMatchObject({
    id: first.body.id,
    zki: first.body.zki,
    number: '1',
    status: 'retrying',
    jir: null,
    fiscal_error: { code: 'upstream_unavailable', retry_scheduled: true },
  })
  expect((await gateway.post(sale, 'cut-off')).text).toBe(again.text)
  await gateway.cis.comeBack()
  await gateway.sweep()
  // The authority had the sale already: it answers with the JIR it gave the first time.
  expect(await gateway.invoice(first.body.id)).toMatchObject({
    status: 'confirmed',
    jir: first.body.jir,
    late_delivery: true,
  })
  expect((await gateway.sell()).number).toBe('2')
})

test('everything is there again after a restart: keys, certificates, numbers, replays', async () => {
  const gateway = await startGateway()
  const sale = gateway.sale()
  const sold = await gateway.post(sale, 'before')
  await gateway.restart()
  expect((await gateway.post(sale, 'before')).text).toBe(sold.text)
  expect(await gateway.sell()).toMatchObject({ number: '2', status: 'confirmed' })
})

test('a key is free again after 24 hours', async () => {
  const gateway = await startGateway()
  const sale = gateway.sale()
  const first = await gateway.post(sale, 'daily')
  gateway.clock.aheadMs = 24 * 3_600_000 - 60_000
  expect((await gateway.post(sale, 'daily')).text).toBe(first.text)
  gateway.clock.aheadMs = 24 * 3_600_000 + 60_000
  expect((await gateway.post(sale, 'daily')).body).toMatchObject({ number: '2' })
})

test('the same key for another sale is a conflict, and a different order of fields is another sale', async () => {
  const gateway = await startGateway()
  const sale = gateway.sale()
  await gateway.post(sale, 'reused')
  const reordered = Object.fromEntries(Object.entries(sale).reverse())
  for (const body of [{ ...sale, total: '9.99' }, reordered]) {
    const answer = await gateway.v1('/invoices', { body, headers: { 'idempotency-key': 'reused' } })
    expect(answer).toMatchObject({
      status: 409,
      body: { error: { type: 'conflict', code: 'idempotency_key_reused', param: 'Idempotency-Key' } },
    })
  }
  expect(gateway.cis.received).toHaveLength(1)
})

test('keys of two API keys do not know of each other', async () => {
  const gateway = await startGateway()
  const sale = gateway.sale()
  await gateway.post(sale, 'same-key')
  gateway.key = await gateway.createKey()
  expect((await gateway.post(sale, 'same-key')).body).toMatchObject({ number: '2' })
})

test('a second daemon on the same data refuses to start and names the first', async () => {
  const gateway = await startGateway()
  await expect(startDaemon(configOf(gateway.dataDir), silent)).rejects.toThrow(`process ${process.pid}`)
  expect((await gateway.sell()).status).toBe('confirmed')
})

test('an address that cannot be had stops the start and leaves nothing behind', async () => {
  const gateway = await startGateway()
  const dataDir = await tempDir()
  const config = configOf(dataDir, { FISKD_LISTEN: `127.0.0.1:${portOf(gateway)}` })
  await expect(startDaemon(config, silent)).rejects.toThrow('EADDRINUSE')
  const daemon = await startDaemon(configOf(dataDir), silent)
  await daemon.close()
})

test('a lost vault key is not replaced by a new one in silence', async () => {
  const gateway = await startGateway()
  await gateway.stop()
  const path = join(gateway.dataDir, 'vault.key')
  chmodSync(path, 0o600)
  const key = readFileSync(path)
  writeFileSync(path, Buffer.alloc(32, 7))
  await expect(startDaemon(configOf(gateway.dataDir), silent)).rejects.toThrow('vault key')
  writeFileSync(path, key)
  await gateway.restart()
  expect((await gateway.sell()).status).toBe('confirmed')
})

test('secrets are readable by their owner alone, and no private key stands in the database', async () => {
  const gateway = await startGateway()
  const mode = (...path: string[]) => statSync(join(gateway.dataDir, ...path)).mode & 0o777
  expect(mode('vault.key')).toBe(0o600)
  expect(mode('tls', 'ca.key')).toBe(0o600)
  expect(mode('tls', 'server.key')).toBe(0o600)
  expect(mode('fiskd.sock')).toBe(0o660)
  await gateway.stop()
  const { keyPem } = await certificateOf(OIBS[0])
  // Past modulus and exponents: what stands there is the primes.
  const der = Buffer.from(keyPem.replace(/-----[^-]+-----|\s/g, ''), 'base64')
  expect(readFileSync(join(gateway.dataDir, 'fiskd.db')).includes(der.subarray(600, 700))).toBe(false)
})

test('plain HTTP on the TLS port is refused with the error body and closed', async () => {
  const gateway = await startGateway()
  const answer = await new Promise<{ status: number | undefined; text: string; connection: unknown }>(
    (resolve, reject) => {
      const outgoing = request({ host: '127.0.0.1', port: portOf(gateway), path: '/v1/health', agent: false })
      outgoing.on('error', reject).on('response', async (incoming) => {
        let text = ''
        for await (const chunk of incoming.setEncoding('utf8')) text += chunk
        resolve({ status: incoming.statusCode, text, connection: incoming.headers.connection })
      })
      outgoing.end()
    },
  )
  expect(answer).toMatchObject({ status: 400, connection: 'close' })
  expect(JSON.parse(answer.text)).toMatchObject({ error: { type: 'validation_error', code: 'invalid_request' } })
})

test('TLS 1.1 is refused', async () => {
  const gateway = await startGateway()
  const refused = await new Promise((resolve) => {
    const options = { maxVersion: 'TLSv1.1', minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' } as const
    const socket = tlsConnect({ host: '127.0.0.1', port: portOf(gateway), rejectUnauthorized: false, ...options })
    socket.on('secureConnect', () => resolve(false)).on('error', () => resolve(true))
  })
  expect(refused).toBe(true)
})

test('a connection that says nothing or nonsense harms nobody', async () => {
  const gateway = await startGateway()
  const sockets = ['', '\x16\x03nonsense', '\x00\xff'].map((text) => {
    const socket = connect(portOf(gateway), '127.0.0.1', () => socket.write(text))
    socket.on('error', () => socket.destroy())
    return socket
  })
  expect((await gateway.sell()).status).toBe('confirmed')
  for (const socket of sockets) socket.destroy()
})

test('a stop lets the sale that is being sent finish', async () => {
  const gateway = await startGateway()
  gateway.cis.misbehave({ delayMs: 500 })
  const selling = gateway.sell()
  while (gateway.cis.received.length === 0) await new Promise((resolve) => setTimeout(resolve, 20))
  await gateway.stop()
  expect((await selling).status).toBe('confirmed')
})
