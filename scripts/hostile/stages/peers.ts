import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { pause, tick } from '../../chaos/wait.ts'
import { changedBytes, endless } from '../changes.ts'
import { saleAt } from '../sales.ts'
import { type Stage, times } from '../stage.ts'

/** Printers of the attacker's machines that answer, and speak unasked, with bytes made from valid answers. */
export const printers: Stage = {
  name: 'answers of printers',
  share: 0.1,
  async run({ world: { gateway, hostile }, seed, send, sent }, count) {
    let left = count
    const valid = Buffer.from([
      0x12, 0x12, 0x37, 0x22, 0x30, 0x30, 0x30, 0x31, 0x00, 0x14, 0x00, 0x00, 0x0f, 0x11, 0x13,
    ])
    const answers = endless(changedBytes(valid), seed)
    const say = (socket: Socket) => {
      if (left <= 0 || socket.destroyed) return
      left--
      sent(1)
      socket.write(answers.next().value)
    }
    const server = createServer((socket) => {
      socket.on('error', () => {})
      const talking = setInterval(say, 8, socket)
      socket.on('close', () => clearInterval(talking))
      socket.on('data', () => {
        socket.write(Buffer.of(0x12))
        say(socket)
      })
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const line = `tcp:127.0.0.1:${(server.address() as AddressInfo).port}`
    for (const { id } of hostile.shop.machines) await gateway.mortal.admin('PATCH', `/admin/printers/${id}`, { line })
    const until = tick() + 120_000
    for (let n = 0; left > 0 && tick() < until; n++) {
      await send(gateway, saleAt(hostile.shop, n))
      await pause(100)
    }
    server.close()
    for (const { id } of hostile.shop.machines) await gateway.mortal.admin('DELETE', `/admin/printers/${id}`)
  },
}

/** Sales of the live mode, whose authority changes each of its answers. */
export const authority: Stage = {
  name: 'answers of the tax authority',
  share: 0.03,
  async run({ world: { gateway, live, authority: cis }, send, sent }, count) {
    const before = await cis.changed()
    const changed = async () => (await cis.changed()) - before
    await cis.change(true)
    const until = tick() + 240_000
    for (let n = 0; (await changed()) < count && tick() < until; n += 2) {
      await times(2, (i) => send(gateway, saleAt(live, n + i)))
    }
    await cis.change(false)
    sent(await changed())
  },
}

/** A peer that nothing is heard of for so long is left alone. */
const STILL_MS = 10_000

/** A balancer with the server's TLS key that changes what the server tells the gateway. */
export const central: Stage = {
  name: 'answers of the central server',
  share: 0.004,
  async run({ world: { gateway, server, front }, sent }, count) {
    if (server.mortal.pid() === undefined) return
    const before = front.changed()
    front.change(true)
    const syncNow = () => gateway.mortal.admin('POST', '/admin/sync/now', {}).catch(() => {})
    // Less and less often, for a gateway backs off.
    for (let until = tick() + STILL_MS, seen = before; front.changed() - before < count && tick() < until; ) {
      await syncNow()
      await pause(100)
      if (front.changed() > seen) [until, seen] = [tick() + STILL_MS, front.changed()]
    }
    front.change(false)
    sent(front.changed() - before)
    await syncNow()
  },
}
