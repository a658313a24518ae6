import { lookup } from 'node:dns/promises'
import { connect, isIP, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import type { EpochMs } from '../domain/instant.ts'
import type { Mode } from '../domain/sale.ts'
import type { Reach, ReachStep } from '../fiscal/ports.ts'
import { echo } from './echo.ts'
import { NotReached } from './not-reached.ts'
import { isClosedAt } from './service-windows.ts'
import { greet } from './tls-greeting.ts'
import type { Transport } from './transport.ts'

export interface ReachOptions {
  url: string
  /** DER, root and intermediates. */
  bundle: Buffer[]
  transport: Transport
  /** What the clock of this machine shows, right or wrong. */
  shown: () => EpochMs
  /** For each of the first three steps; the echo has the transport's own limit. */
  timeoutMs: number
}

/** Goes to the service as messages do, with no proxy: name, port, TLS, echo; the contract is `ServiceReach.reach`. */
export async function reach(mode: Mode, { url, bundle, transport, shown, timeoutMs }: ReachOptions): Promise<Reach> {
  const { hostname, port: givenPort } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '')
  const port = Number(givenPort || 443)
  const closed = isClosedAt(url, mode, shown())
  const way: Reach = { steps: [], aheadMs: null, closed }
  const make = async <T>(step: ReachStep, work: () => Promise<{ detail: string; result: T }>): Promise<T> => {
    const { detail, result } = await work()
    way.steps.push({ step, detail, fix: null })
    return result
  }
  let step: ReachStep = 'name'
  let socket: Socket | undefined
  try {
    await make(step, () => findName(host, timeoutMs))
    step = 'port'
    const connected = await make(step, () => knock(host, port, timeoutMs))
    socket = connected
    if (bundle.length === 0) return way
    step = 'TLS'
    await make(step, () => greet(connected, { mode, host, port, bundle, timeoutMs }))
    step = 'echo'
    way.aheadMs = await make(step, () => exchange(mode, transport, shown))
  } catch (error) {
    const { message, fix } = error instanceof NotReached ? error : new NotReached(String(error), LOG)
    way.steps.push({ step, detail: message, fix })
  } finally {
    socket?.destroy()
  }
  return way
}

const LOG = 'look at the log of the daemon: journalctl -u fiskd'

async function findName(host: string, timeoutMs: number) {
  if (isIP(host) !== 0) return { detail: `${host} is an address already`, result: undefined }
  const late = new AbortController()
  const failed = (why: string) =>
    new NotReached(
      `${host} could not be looked up: ${why}`,
      'check the network cable or modem and the DNS server of this machine',
    )
  try {
    const waited = setTimeout(timeoutMs, undefined, { signal: late.signal }).then(() => {
      throw failed(`no answer within ${timeoutMs / 1000} seconds`)
    })
    const found = await Promise.race([lookup(host, { all: true }), waited])
    return { detail: `${host} is ${found.map(({ address }) => address).join(', ')}`, result: undefined }
  } catch (error) {
    throw error instanceof NotReached ? error : failed((error as NodeJS.ErrnoException).code ?? String(error))
  } finally {
    late.abort()
  }
}

function knock(host: string, port: number, timeoutMs: number): Promise<{ detail: string; result: Socket }> {
  const begun = performance.now()
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, timeout: timeoutMs })
    const fail = (why: string) => {
      socket.destroy()
      const fix = `let this machine reach ${host} on TCP port ${port}: a firewall or router may be in the way`
      reject(new NotReached(`port ${port} of ${host} cannot be reached: ${why}`, fix))
    }
    socket.on('error', (error: NodeJS.ErrnoException) => fail(error.code ?? error.message))
    socket.once('timeout', () => fail(`no answer within ${timeoutMs / 1000} seconds`))
    socket.once('connect', () => {
      socket.setTimeout(0)
      resolve({ detail: `open, ${Math.round(performance.now() - begun)} ms away`, result: socket })
    })
  })
}

async function exchange(mode: Mode, transport: Transport, shown: () => EpochMs) {
  const { problem, latencyMs, date } = await echo(transport, mode)
  if (problem !== null) {
    throw new NotReached(
      `no echo came back: ${problem}`,
      'wait some minutes and look again; sales go on and are sent later',
    )
  }
  // The date was cut to its second some time between sending and now.
  const aheadMs = date === null ? null : Math.round(shown() - latencyMs / 2 - (date + 500))
  return { detail: `the same text came back in ${latencyMs} ms`, result: aheadMs }
}
