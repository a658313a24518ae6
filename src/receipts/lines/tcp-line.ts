import { type LookupAddress, lookup } from 'node:dns'
import { connect, type LookupFunction, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Both } from '../../domain/texts/both.ts'
import { stalledLine } from './device-node-errors.ts'
import { type Line, LineError } from './line.ts'

const CONNECT_MS = 5000
const KEEP_ALIVE_MS = 10_000

/** A network printer, usually on port 9100. @throws LineError */
export async function openTcpLine(
  host: string,
  port: number,
  connectMs = CONNECT_MS,
  lookup: LookupFunction = lookupPrinter,
): Promise<Line> {
  const name = `${host}:${port}`
  const socket = await connected(host, port, connectMs, lookup)
  const broken = Promise.withResolvers<LineError>()
  let closing: Promise<void> | undefined
  let reason: Error | undefined

  const gone = () =>
    new LineError(
      'broken',
      { en: `The connection to the printer at ${name} is lost.`, hr: `Veza s pisačem na ${name} je prekinuta.` },
      { en: 'Check its power and its network cable.', hr: 'Provjerite napajanje i mrežni kabel pisača.' },
      reason,
    )
  socket.on('error', (error) => {
    reason = error
  })
  socket.on('close', () => {
    if (!closing) broken.resolve(gone())
  })

  async function shut(deliverMs: number): Promise<void> {
    if (deliverMs > 0 && !socket.destroyed) {
      const over = new Promise((resolve) => socket.once('close', resolve))
      socket.end()
      await Promise.race([over, sleep(deliverMs, undefined, { ref: false })])
    }
    // With a plain close the operating system would still try to deliver the rest of a receipt that was given up.
    socket.resetAndDestroy()
  }

  const line: Line = {
    write(bytes, signal) {
      return new Promise((resolve, reject) => {
        const abort = () => {
          reject(stalledLine(name))
          void line.close()
        }
        if (signal?.aborted) return abort()
        if (closing || socket.destroyed) return reject(gone())
        signal?.addEventListener('abort', abort, { once: true })
        socket.write(bytes, (error) => {
          signal?.removeEventListener('abort', abort)
          if (error) reject(gone())
          else resolve()
        })
      })
    },
    onBytes(listener) {
      socket.on('data', listener)
    },
    listen() {},
    broken: broken.promise,
    close(deliverMs = 0) {
      closing ??= shut(deliverMs)
      return closing
    },
  }
  return line
}

function connected(host: string, port: number, connectMs: number, lookup: LookupFunction): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const alive = { keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_MS }
    const socket = connect({ host, port, lookup, noDelay: true, ...alive })
    const fail = (error: NodeJS.ErrnoException) => {
      socket.destroy()
      reject(unreachable(host, port, error))
    }
    const late = setTimeout(() => fail(Object.assign(new Error('Timed out'), { code: 'ETIMEDOUT' })), connectMs)
    socket.on('error', fail)
    socket.once('close', () => clearTimeout(late))
    socket.once('connect', () => {
      clearTimeout(late)
      socket.off('error', fail)
      // Reads before there is a listener, so that the end of the connection is noticed; these bytes are lost.
      socket.resume()
      resolve(socket)
    })
  })
}

export function unreachable(host: string, port: number, error: NodeJS.ErrnoException): LineError {
  const code = error.code ?? ''
  const [what, fix]: [Both, Both] =
    code === 'ENOTFOUND' || code === 'EAI_AGAIN'
      ? [
          { en: `No host is known by the name ${host}.`, hr: `Računalo s imenom ${host} nije poznato.` },
          {
            en: 'Check the name, or set the address of the printer in numbers.',
            hr: 'Provjerite ime ili upišite IP adresu pisača.',
          },
        ]
      : code === 'ECONNREFUSED'
        ? [
            { en: `${host} refuses connections on port ${port}.`, hr: `${host} odbija veze na priključku ${port}.` },
            {
              en: 'Check that this is the printer and its port, and that no other computer holds it: many take one at a time. Another place: fisk printer set DEVICE --line LINE',
              hr:
                'Provjerite je li to pisač i njegov priključak te koristi li ga drugo računalo: mnogi primaju ' +
                'samo jednu vezu. Drugi priključak: fisk printer set DEVICE --line LINE',
            },
          ]
        : [
            { en: `${host}:${port} does not answer (${code}).`, hr: `${host}:${port} ne odgovara (${code}).` },
            {
              en: 'Check the power and the network cable of the printer, and its address. Another address: fisk printer set DEVICE --line LINE',
              hr:
                'Provjerite napajanje, mrežni kabel i adresu pisača. Druga adresa: fisk printer set DEVICE --line ' +
                'LINE',
            },
          ]
  return new LineError('unreachable', what, fix, error)
}

/** Longer than the pause between two attempts, so that the next attempt can use an answer that came too late. */
const KEEP_MS = 10_000

/**
 * A `lookup` for `net.connect` that asks for one name at a time. Node has two threads for lookups: those without an
 * answer would block both, and the tax authority's name would wait behind them. Numeric addresses need none.
 */
export function createNames(ask: (name: string) => Promise<LookupAddress[]>, keepMs = KEEP_MS): LookupFunction {
  const known = new Map<string, Promise<LookupAddress[]>>()
  let last: Promise<unknown> = Promise.resolve()

  function find(name: string): Promise<LookupAddress[]> {
    const found = known.get(name) ?? last.then(() => ask(name))
    if (known.has(name)) return found
    const forget = () => known.delete(name)
    known.set(name, found)
    last = found.then(() => void setTimeout(forget, keepMs).unref(), forget)
    return found
  }

  return (name, { all }, callback) => {
    find(name).then(
      (addresses) => {
        const [first = { address: '', family: 0 }] = addresses
        if (all) callback(null, addresses)
        else callback(null, first.address, first.family)
      },
      (error: NodeJS.ErrnoException) => callback(error, ''),
    )
  }
}

const askSystem = promisify(lookup)

const lookupPrinter = createNames((name) => askSystem(name, { all: true }))
