import { type LookupAddress, lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { promisify } from 'node:util'

/** Longer than the pause between two attempts: an answer that came when nobody waited any more is there for the next. */
const KEEP_MS = 10_000

export type AskForName = (name: string) => Promise<LookupAddress[]>

/**
 * A `lookup` for `net.connect`, for all who share it: one name at a time, however slow the name service is and however
 * often somebody gives up and asks again. Node lends lookups two threads; a name that nobody answers for would fill both,
 * and the tax authority's own name would wait behind it. Addresses in numbers never come here.
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

/** The names of all printers of this process. */
export const lookupPrinter = createNames((name) => askSystem(name, { all: true }))
