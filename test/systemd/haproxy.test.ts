import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createServer as createTlsServer, connect as tlsConnect } from 'node:tls'
import { beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../scripts/chaos/ports.ts'
import { call } from '../support/call.ts'
import { type DaemonProcess, runDaemon } from '../support/daemon-process.ts'
import { eventually } from '../support/eventually.ts'
import { atTheEndOfFile } from '../support/file-end.ts'
import { type Gateway, startSharedGateway } from '../support/gateway.ts'
import { haproxyFile, shipped } from '../support/haproxy.ts'
import { pki } from '../support/pki.ts'
import { postgresDatabase, query, skipWithoutPostgres } from '../support/postgres.ts'
import { inProject } from '../support/stand-in.ts'
import { makeTempDir } from '../support/temp-dir.ts'
import { skipWithout } from '../support/tools.ts'

const PROCESSES = [1, 2]
/** A frozen or killed process is replaced within 15 s. */
const TAKEN_OVER_MS = 30_000

let house: Gateway
let url: string
let ports: number[]
let base: string
let ca: string
const processes: DaemonProcess[] = []

async function startProcess(index: number, more: Record<string, string> = {}): Promise<void> {
  const env = {
    FISKD_ROLE: 'server',
    FISKD_DATABASE_URL: url,
    FISKD_DATA_DIR: await makeTempDir(atTheEndOfFile),
    FISKD_SHARED_DIR: house.dataDir,
    FISKD_LISTEN: `127.0.0.1:${ports[index]}`,
    FISKD_PROXIES: '127.0.0.1',
    ...more,
  }
  processes[index] = await runDaemon(house, atTheEndOfFile, { env })
}

async function startHaproxy(port: number): Promise<void> {
  const config = join(await makeTempDir(atTheEndOfFile), 'haproxy.cfg')
  await runHaproxy(config, haproxyFile({ port, ca: join(house.dataDir, 'tls/ca.pem'), processes: ports }))
  await eventually(async () => expect(await ask('/v1/health')).toBe(200))
}

async function runHaproxy(config: string, text: string): Promise<void> {
  writeFileSync(config, text)
  const haproxy = spawn('haproxy', ['-db', '-f', config], { stdio: 'ignore' })
  const ended = once(haproxy, 'close')
  atTheEndOfFile(async () => {
    haproxy.kill('SIGKILL')
    await ended
  })
}

async function ask(path: string): Promise<number> {
  return (await call({ base, ca }, { path, headers: { authorization: `Bearer ${house.key}` } })).status
}

/** Machines that sell one after the other until they are told to stop. A connection that breaks is begun anew. */
function sellUntil(stop: AbortSignal, name: string) {
  const told = { answers: [] as string[], broken: 0 }
  const machine = async (number: number) => {
    for (let sale = 0; !stop.aborted; sale++) {
      const headers = { authorization: `Bearer ${house.key}`, 'idempotency-key': `${name}-${number}-${sale}` }
      const order = { path: '/v1/invoices', body: house.sale(), headers }
      for (let answered = false; !answered; ) {
        try {
          const { status, text } = await call({ base, ca }, order)
          told.answers.push(status === 200 ? '200' : `${status} ${text}`)
          answered = true
        } catch {
          told.broken++
          await sleep(20)
        }
      }
    }
  }
  const ended = Promise.all([1, 2, 3, 4, 5, 6].map(machine))
  return { told, ended }
}

const odd = (answers: string[]) => answers.filter((answer) => answer !== '200')

/** The numbers of all sales, as stored: no gap, none twice. */
async function expectGapless(): Promise<void> {
  const rows = await query<{ number: string }>(url, 'SELECT number FROM invoices')
  const numbers = rows.map(({ number }) => Number(number)).sort((one, other) => one - other)
  expect(numbers).toEqual(numbers.map((_, index) => index + 1))
}

test.skipIf(skipWithout('haproxy'))('HAProxy takes the files of the package as they are, but for the CA', async () => {
  const config = join(await makeTempDir(atTheEndOfFile), 'haproxy.cfg')
  const pem = join(config, '..', 'ca.pem')
  writeFileSync(pem, pki.tls.certPem)
  const own = shipped('haproxy.cfg').replaceAll('/var/lib/fiskd/tls/ca.pem', pem)
  for (const text of [own, `${own}\n${shipped('haproxy-patroni.cfg')}`]) {
    writeFileSync(config, text)
    const { status, stdout, stderr } = spawnSync('haproxy', ['-c', '-f', config], { encoding: 'utf8' })
    expect([status, `${stdout}${stderr}`]).toEqual([0, expect.not.stringMatching(/WARNING|ALERT/)])
  }
})

test.skipIf(skipWithout('haproxy'))(
  'HAProxy leads by name to the cluster where a tenant lives, with the example of the documents',
  async () => {
    const [frontend = '', map = ''] = textBlocksOf('docs/postgresql.md')
    const dir = await makeTempDir(atTheEndOfFile)
    const port = await freePort()
    const clusters = { cluster_a: await startTlsServer('a'), cluster_b: await startTlsServer('b') }
    writeFileSync(join(dir, 'tenants.map'), map)
    const backends = Object.entries(clusters).map(([name, to]) => `backend ${name}\n    server one 127.0.0.1:${to}\n`)
    const defaults = 'defaults\n    mode tcp\n    timeout connect 2s\n    timeout client 9s\n    timeout server 9s\n'
    const table = frontend
      .replace('bind :::8443 v4v6', `bind 127.0.0.1:${port}`)
      .replace('/etc/haproxy/tenants.map', join(dir, 'tenants.map'))
    await runHaproxy(join(dir, 'haproxy.cfg'), `${defaults}${table}${backends.join('')}`)
    const said = async (servername: string) => {
      const socket = tlsConnect({ host: '127.0.0.1', port, servername, rejectUnauthorized: false })
      const [answer] = await once(socket, 'data')
      socket.destroy()
      return String(answer)
    }
    await eventually(async () => expect(await said('first-tenant.fiskd.example.hr')).toBe('a'))
    expect(await said('Second-Tenant.fiskd.example.hr')).toBe('b')
    expect(await said('another.example.hr')).toBe('a')
  },
)

const textBlocksOf = (document: string) =>
  [...readFileSync(inProject(document), 'utf8').matchAll(/^```text\n(.*?)^```$/gms)].map(([, text]) => text)

/** @returns the port of a server that says its name over TLS */
async function startTlsServer(name: string): Promise<number> {
  const { certPem: cert, keyPem: key } = pki.tls
  const server = createTlsServer({ cert, key }, (socket) => socket.on('error', () => {}).write(name))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atTheEndOfFile(async () => void server.close())
  return (server.address() as AddressInfo).port
}

describe.skipIf(skipWithoutPostgres || skipWithout('haproxy'))('two processes behind HAProxy', () => {
  beforeAll(async () => {
    url = await postgresDatabase({ empty: true, atTheEnd: atTheEndOfFile })
    house = await startSharedGateway({ FISKD_ROLE: 'server', FISKD_DATABASE_URL: url })
    ports = await Promise.all(PROCESSES.map(() => freePort()))
    for (const [index] of PROCESSES.entries()) await startProcess(index)
    ca = processes[0]?.ca ?? ''
    const port = await freePort()
    base = `https://127.0.0.1:${port}`
    await startHaproxy(port)
  })

  test('are reached as one, under the CA that gateways have pinned, and know who calls', async () => {
    const from = (localAddress: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        const options = { ca, localAddress, agent: new Agent(), method: 'GET' }
        const asked = request(`${base}/v1/no-such-thing`, options, (answer) => {
          answer.resume().on('end', () => resolve(answer.statusCode))
        })
        asked.on('error', reject).end()
      })
    expect(await from('127.0.0.7')).toBe(404)
    await expect.poll(() => processes.flatMap(({ log }) => log).join('\n')).toContain('127.0.0.7')
  })

  test('are restarted one by one while machines sell, and nobody gets another answer than 200', async () => {
    const stop = new AbortController()
    const { told, ended } = sellUntil(stop.signal, 'restart')
    for (const [index] of PROCESSES.entries()) {
      await sleep(1500)
      await processes[index]?.stop()
      await startProcess(index)
      // HAProxy looks every two seconds, and has seen by then that it serves again.
      await sleep(3000)
    }
    stop.abort()
    await ended
    expect(odd(told.answers)).toEqual([])
    expect(told.answers.length).toBeGreaterThan(20)
    await expectGapless()
  })

  test('one that lacks the CA certificates gets no sale, and is there within a minute of when it has them', async () => {
    const trust = join(await makeTempDir(atTheEndOfFile), 'test.pem')
    await processes[1]?.stop()
    await startProcess(1, { FISKD_TRUST_TEST: trust })
    const health = async () => (await call({ base: processes[1]?.url ?? '', ca }, { path: '/v1/health' })).status
    // HAProxy has looked by then.
    await sleep(5000)
    const sell = async (key: string) => {
      const headers = { authorization: `Bearer ${house.key}`, 'idempotency-key': key }
      return (await call<{ status: string }>({ base, ca }, { path: '/v1/invoices', body: house.sale(), headers })).body
    }
    const sold: string[] = []
    for (let i = 0; i < 20; i++) sold.push((await sell(`untrusting-${i}`)).status)
    expect(new Set(sold)).toEqual(new Set(['confirmed']))
    expect(await health()).toBe(503)
    writeFileSync(trust, pki.bundlePem)
    await expect.poll(health, { timeout: 60_000, interval: 500 }).toBe(200)
  })

  test('one is killed while machines sell: the other one serves, nobody gets another answer than 200', async () => {
    const stop = new AbortController()
    const { told, ended } = sellUntil(stop.signal, 'kill')
    await sleep(1000)
    processes[0]?.signal('SIGKILL')
    await processes[0]?.ended
    const before = told.answers.length
    await expect.poll(() => told.answers.length, { timeout: TAKEN_OVER_MS }).toBeGreaterThan(before + 20)
    stop.abort()
    await ended
    expect(odd(told.answers)).toEqual([])
    await expectGapless()
  })
})
