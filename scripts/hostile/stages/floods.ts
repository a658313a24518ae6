import { once } from 'node:events'
import { request } from 'node:https'
import { type AddressInfo, createServer } from 'node:net'
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls'
import { slowPkcs12 } from '../../../test/support/hostile-pkcs12.ts'
import { JSON_TYPE } from '../../chaos/http.ts'
import { pause, tick } from '../../chaos/wait.ts'
import { type Attack, formOf, type Stage, times } from '../stage.ts'
import type { Daemon } from '../world.ts'

const flood = (name: string, run: (attack: Attack) => Promise<void>): Stage => ({
  name: `flood: ${name}`,
  share: 0,
  run,
})

/** Whoever comes from these addresses is not the neighbour of an honest machine. */
const addressOf = (n: number) => `127.0.0.${10 + (n % 10)}`

/** A request whose caller leaves after some time, answered or not. */
function abandoned(daemon: Daemon, path: string, n: number, headers: object, body: Buffer | string, afterMs: number) {
  const options = { method: 'POST', headers: { ...headers }, localAddress: addressOf(n), agent: false as const }
  const asked = request(`${daemon.mortal.base}${path}`, { ...options, rejectUnauthorized: false })
  asked.on('error', () => {})
  asked.on('response', (answer) => answer.resume())
  asked.end(body)
  return pause(afterMs).then(() => void asked.destroy())
}

export const floods: readonly Stage[] = [
  flood('PKCS#12 files that ask for 950,000 rounds', async ({ world: { gateway, hostile }, sent, lastsMs }) => {
    const file = slowPkcs12()
    const { headers, body } = await formOf({ company_id: hostile.shop.companyId, passphrase: 'x', file })
    const authorization = `Bearer ${hostile.fleetKey}`
    await times(
      15,
      async (n) => {
        await abandoned(gateway, '/v1/certificates', n, { ...headers, authorization }, body ?? '', lastsMs)
        sent(1)
      },
      15,
    )
  }),
  flood('290 sign-ins that are abandoned', async ({ world: { gateway }, sent, lastsMs }) => {
    const body = JSON.stringify({ name: 'nobody', password: 'x' })
    await times(
      290,
      async (n) => {
        await abandoned(gateway, '/dashboard/session', n, JSON_TYPE, body, lastsMs)
        sent(1)
      },
      290,
    )
  }),
  flood('a printer that sends 256 KB whenever it is asked', async ({ world: { gateway, hostile }, sent, lastsMs }) => {
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.write(Buffer.alloc(256 * 1024, 0x37))
      sent(1)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const line = `tcp:127.0.0.1:${(server.address() as AddressInfo).port}`
    const path = `/admin/printers/${hostile.shop.machines[0]?.id}`
    await gateway.mortal.admin('PATCH', path, { line })
    await pause(lastsMs)
    await gateway.mortal.admin('DELETE', path)
    server.close()
  }),
  flood('bodies of 350,001 bytes of nested objects', async ({ world: { gateway, hostile }, send, lastsMs }) => {
    const body = `${'{"a":'.repeat(50_000)}0${'}'.repeat(50_000)}`.padEnd(350_001)
    const headers = { ...JSON_TYPE, authorization: `Bearer ${hostile.boundKey}` }
    const until = tick() + lastsMs
    for (let n = 0; tick() < until; n++) {
      await send(gateway, {
        method: 'POST',
        path: '/v1/invoices',
        headers: { ...headers, 'idempotency-key': `${n}` },
        body,
      })
    }
  }),
  flood('1,150 connections that say a byte now and then', async ({ world: { gateway }, sent, lastsMs }) => {
    const port = Number(new URL(gateway.mortal.base).port)
    const sockets: TLSSocket[] = []
    const open = (n: number) => {
      const from = { port, host: '127.0.0.1', localAddress: addressOf(n) }
      const socket = connect({ ...from, rejectUnauthorized: false } as ConnectionOptions)
      socket.on('error', () => {})
      socket.on('secureConnect', () => void socket.write('POST /v1/invoices HTTP/1.1\r\nHost: a\r\nX-A: '))
      sockets.push(socket)
      sent(1)
    }
    // As a crowd comes: handshakes cost what they cost, and are no request.
    while (sockets.length < 1150) {
      for (let some = 0; some < 25; some++) open(sockets.length)
      await pause(25)
    }
    const until = tick() + lastsMs
    while (tick() < until) {
      for (const socket of sockets) if (socket.writable) socket.write('a')
      await pause(1000)
    }
    for (const socket of sockets) socket.destroy()
  }),
]
