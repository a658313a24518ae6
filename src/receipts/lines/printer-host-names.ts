import { type LookupAddress, lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { promisify } from 'node:util'

/** Longer than the pause between two attempts, so that the next attempt can use an answer that came too late. */
const KEEP_MS = 10_000

export type AskForName = (name: string) => Promise<LookupAddress[]>

/**
 * A shared `lookup` for `net.connect` that asks for one name at a time, however slow the name service is and however
 * often callers give up and retry. Node has two threads for lookups; lookups without an answer would block both, and
 * the tax authority's name would wait behind them. Numeric addresses need no lookup.
 */
export function createNames(ask: AskForName, keepMs = KEEP_MS): LookupFunction {
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

export const lookupPrinter = createNames((name) => askSystem(name, { all: true }))
