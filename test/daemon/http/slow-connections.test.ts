import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, type TLSSocket } from 'node:tls'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { type DaemonProcess, runDaemon } from '../../support/daemon-process.ts'
import { startGateway } from '../../support/gateway.ts'

const COUNT = 1150
/** A third or less of the daemon's own: nobody waits for half a minute here. */
const SHORT = { headersMs: 3000, requestMs: 4000, checkEveryMs: 250 }
/** What a busy machine takes beside all that. */
const SLACK_MS = 6000

const LIMITS = pathToFileURL(join(import.meta.dirname, '../../../src/daemon/http/listener-limits.ts'))
const FORM = 'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 100000'
/** Of requests that go on by a byte now and then. */
const BEGINNINGS = [
  { start: 'GET /v1/health HTTP/1.1\r\nHost: localhost\r\nX-A: ', limitMs: SHORT.headersMs },
  {
    start: `POST /dashboard/sign-in HTTP/1.1\r\nHost: localhost\r\n${FORM}\r\n\r\nname=`,
    limitMs: SHORT.requestMs,
  },
]

test(`sales go on beside ${COUNT} connections that send a byte now and then, and each is cut when its time is up`, async () => {
  const gateway = await startGateway()
  const preload = join(gateway.dataDir, 'short-limits.mjs')
  const shorten = `Object.assign(LISTENER_LIMITS, ${JSON.stringify(SHORT)})`
  writeFileSync(preload, `import { LISTENER_LIMITS } from '${LIMITS}'\n${shorten}`)
  const daemon = await runDaemon(gateway, onTestFinished, { preload: [preload], fromSources: true })
  const usual: number[] = []
  for (let i = 0; i < 15; i++) usual.push(await sell(daemon))
  const files = daemon.openFiles()

  const slow = new SlowCallers(daemon)
  onTestFinished(() => slow.leave())
  const beside: number[] = []
  let most = 0
  const opening = slow.openAll()
  while (slow.lived.length < COUNT) {
    beside.push(await sell(daemon))
    most = Math.max(most, slow.open.size)
    await sleep(50)
  }
  await opening
  console.info(`a sale takes ${median(usual)} ms, and beside up to ${most} slow connections ${median(beside)} ms`)
  // On a busy machine the first have been cut before the last have come.
  expect(most).toBeGreaterThan(100)
  for (const { ms, limitMs } of slow.lived) expect(ms).toBeLessThan(limitMs + SLACK_MS)
  expect(median(beside)).toBeLessThan(3 * Math.max(median(usual), 20))
  await expect.poll(() => daemon.openFiles()).toBeLessThanOrEqual(files + 2)
})

/** @returns how long it took, ms */
async function sell(daemon: DaemonProcess): Promise<number> {
  const start = performance.now()
  expect((await daemon.post()).body.status).toBe('confirmed')
  return performance.now() - start
}

const median = (took: number[]) => Math.round(took.toSorted((a, b) => a - b)[took.length >> 1] ?? Number.NaN)

class SlowCallers {
  readonly open = new Set<TLSSocket>()
  /** How long each was let live from its handshake on. */
  readonly lived: { ms: number; limitMs: number }[] = []
  private readonly daemon: DaemonProcess
  private readonly dripping: NodeJS.Timeout

  constructor(daemon: DaemonProcess) {
    this.daemon = daemon
    this.dripping = setInterval(() => {
      for (const socket of this.open) socket.write('a')
    }, 1000)
  }

  async openAll(): Promise<void> {
    for (let i = 0; i < COUNT; i += 50) {
      await Promise.all(Array.from({ length: 50 }, (_, k) => this.openOne(i + k)))
    }
  }

  leave(): void {
    clearInterval(this.dripping)
    for (const socket of this.open) socket.destroy()
  }

  /** Resolves as soon as it has begun its request. */
  private openOne(i: number): Promise<void> {
    return new Promise((resolve) => {
      const { start, limitMs } = BEGINNINGS[i % 2] as (typeof BEGINNINGS)[number]
      let begun = performance.now()
      const socket = connect({ port: this.daemon.port, host: '127.0.0.1', ca: this.daemon.ca })
      socket.resume().on('error', () => socket.destroy())
      socket.on('secureConnect', () => {
        begun = performance.now()
        this.open.add(socket.setNoDelay())
        socket.write(start)
        resolve()
      })
      socket.on('close', () => {
        this.open.delete(socket)
        this.lived.push({ ms: performance.now() - begun, limitMs })
        resolve()
      })
    })
  }
}
