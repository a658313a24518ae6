import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { connect } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { connect as tlsConnect } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { startGateway } from '../../support/gateway.ts'
import { pki } from '../../support/pki.ts'
import { FISKD } from '../../support/programs.ts'

/** Posts a sale over a connection that is kept, and says when the answer is complete. */
function sellKeptAlive(gateway: Awaited<ReturnType<typeof startGateway>>, agent: Agent): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const body = JSON.stringify(gateway.sale())
    const headers = {
      authorization: `Bearer ${gateway.key}`,
      'content-type': 'application/json',
      'idempotency-key': `kept-${Math.random()}`,
    }
    const ca = readFileSync(join(gateway.dataDir, 'tls', 'ca.pem'))
    const outgoing = request(`${gateway.url}/v1/invoices`, { method: 'POST', agent, ca, headers }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode))
    })
    outgoing.on('error', reject).end(body)
  })
}

test('idle, silent and half-finished connections do not hold up a stop', async () => {
  const gateway = await startGateway()
  const agent = new Agent({ keepAlive: true })
  onTestFinished(() => agent.destroy())
  expect(await sellKeptAlive(gateway, agent)).toBe(200)
  const port = Number(new URL(gateway.url).port)
  const silent = connect(port, '127.0.0.1').on('error', () => undefined)
  const ca = readFileSync(join(gateway.dataDir, 'tls', 'ca.pem'))
  const half = tlsConnect({ port, host: '127.0.0.1', ca }, () =>
    half.write('POST /v1/invoices HTTP/1.1\r\nHost: x\r\n'),
  )
  half.on('error', () => undefined)
  await once(half, 'secureConnect')

  const started = performance.now()
  await gateway.stop()
  expect(performance.now() - started).toBeLessThan(7000)
  silent.destroy()
  half.destroy()
})

test('a sale on a kept connection is answered, and the connection is closed after it', async () => {
  const gateway = await startGateway()
  const agent = new Agent({ keepAlive: true })
  onTestFinished(() => agent.destroy())
  gateway.cis.misbehave({ delayMs: 700 })
  const selling = sellKeptAlive(gateway, agent)
  while (gateway.cis.received.length === 0) await new Promise((resolve) => setTimeout(resolve, 20))
  const stopping = gateway.stop()
  expect(await selling).toBe(200)
  await stopping
})

test('a stop during a sweep sends no further message', async () => {
  const gateway = await startGateway()
  await gateway.cis.goDown()
  for (let i = 0; i < 5; i++) await gateway.sell()
  await gateway.cis.comeBack()
  gateway.cis.always({ delayMs: 300 })
  const sweeping = gateway.sweep()
  while (gateway.cis.received.length === 0) await new Promise((resolve) => setTimeout(resolve, 20))
  await gateway.stop()
  await sweeping
  expect(gateway.cis.received.length).toBeLessThan(3)
})

test('the process ends with 0 on SIGTERM, and says in one line what is wrong when it cannot start', async () => {
  const gateway = await startGateway()
  const dataDir = join(gateway.dataDir, 'process')
  mkdirSync(dataDir)
  mkdirSync(join(dataDir, 'trust'))
  writeFileSync(join(dataDir, 'trust', 'test.pem'), pki.bundlePem)
  const env = { PATH: process.env.PATH, FISKD_DATA_DIR: dataDir, FISKD_LISTEN: '127.0.0.1:0' }
  const run = (more = {}) => spawn(process.execPath, [FISKD], { env: { ...env, ...more } })

  const daemon = run()
  onTestFinished(() => void daemon.kill('SIGKILL'))
  for await (const line of createInterface({ input: daemon.stdout })) if (line.includes('"ready"')) break
  const second = run()
  let said = ''
  second.stderr.setEncoding('utf8').on('data', (text) => (said += text))
  expect(await once(second, 'exit')).toEqual([1, null])
  expect(said).toContain(`another fiskd (process ${daemon.pid})`)
  expect(said).not.toMatch(/\n\s+at /)

  daemon.kill('SIGTERM')
  expect(await once(daemon, 'exit')).toEqual([0, null])

  const misconfigured = run({ FISKD_ROLE: 'kiosk', FISKD_LISTEN: 'here' })
  expect(await once(misconfigured, 'exit')).toEqual([2, null])
})
