import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { readTyped } from '../../../src/dashboard/settings/field-values.ts'
import { processorTime } from '../../support/processor-time.ts'
import { hastySettings, questionsOver, startHost } from '../../support/receipt-printer.ts'

/** @param greets what each connection does, in turn; the last one stands for all that follow */
async function startPeer(...greets: ((socket: Socket) => void)[]) {
  const peer = { connections: 0, port: 0 }
  const server = createServer((socket) => {
    const greet = greets[Math.min(peer.connections, greets.length - 1)]
    peer.connections += 1
    socket.on('error', () => {})
    greet?.(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  peer.port = (server.address() as AddressInfo).port
  onTestFinished(() => void server.close())
  return peer
}

const hostOf = ({ port }: { port: number }) =>
  startHost({ kind: 'tcp', host: '127.0.0.1', port }, hastySettings(), (close) => onTestFinished(close))

/** Answers each `DLE EOT`: ready, with paper. */
const answers = (socket: Socket) => void socket.on('data', () => socket.write(Uint8Array.of(0x12)))

test.each([
  ['answers', 0x12],
  ['beginnings of a process id', 0x37],
  ['automatic status', 0x14],
  ['garbage', 0xff],
])(
  '64 KB of %s at once from the address of a printer hold nothing up: the line closes, and opens again later',
  async (_, byte) => {
    const peer = await startPeer((socket) => void socket.write(Buffer.alloc(64 * 1024, byte)), answers)
    const delay = monitorEventLoopDelay({ resolution: 5 })
    delay.enable()
    const host = hostOf(peer)
    await expect.poll(() => host.conditions.some(({ state }) => state === 'lost')).toBe(true)
    await expect.poll(() => host.printer.condition().state).toBe('ready')
    delay.disable()
    expect(delay.max / 1e6).toBeLessThan(1000)
    expect(host.conditions.find(({ state }) => state === 'lost')?.detail?.en).toContain('more than 16 KB')
    expect(peer.connections).toBeGreaterThanOrEqual(2)
  },
)

test('a peer that floods every connection is given a line less and less often', async () => {
  const peer = await startPeer((socket) => {
    const more = () => {
      while (!socket.destroyed && socket.write(Buffer.alloc(64 * 1024, 0x37)));
    }
    socket.on('drain', more)
    more()
  })
  const host = hostOf(peer)
  await expect.poll(() => peer.connections).toBeGreaterThan(2)
  await sleep(300)
  expect(host.printer.condition().state).toBe('lost')
  expect(peer.connections).toBeLessThan(10)
})

test('what a printer sends over a long time is no flood', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  let arrive: (bytes: Uint8Array) => void = () => {}
  const conversation = questionsOver({
    write: async () => {},
    onBytes(listener) {
      arrive = listener
    },
    listen() {},
    broken: new Promise(() => {}),
    close: async () => {},
  })
  for (let minute = 0; minute < 60; minute++) {
    arrive(new Uint8Array(10_000).fill(0x11))
    vi.advanceTimersByTime(60_000)
  }
  expect(conversation.isOpen).toBe(true)
})

test('a form of 300,000 line breaks is read at once', () => {
  const spent = processorTime()
  const text = `${'\n'.repeat(300_000)}x`
  expect(readTyped({ kind: { as: 'paper' } as never }, text)).toEqual({ fault: 'lines' })
  expect(spent()).toBeLessThan(1000)
})
