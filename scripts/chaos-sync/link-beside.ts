import { startChild } from '../chaos/child.ts'
import type { Scratch } from '../chaos/scratch.ts'
import type { End, Link } from './link.ts'

/** A link in a process of its own; what it is told is done when the promise resolves. */
export type LinkBeside = { [Order in Exclude<keyof Link, 'port' | 'close'>]: AsyncOf<Link[Order]> } & {
  pid: number
  port: number
  kill(): void
}

type AsyncOf<Order> = Order extends (...given: infer Given) => void ? (...given: Given) => Promise<void> : never

/** Starts it; it ends with the scratch folder. */
export async function startLink(ends: readonly [End, ...End[]], seed: number, scratch: Scratch): Promise<LinkBeside> {
  const { pid, order, kill } = startChild(new URL('link-process.ts', import.meta.url), { ends, seed }, scratch)
  return {
    pid,
    kill,
    port: await order('port'),
    cut: () => order('cut'),
    mend: () => order('mend'),
    breakAfter: (bytes) => order('breakAfter', bytes),
    lead: (others) => order('lead', others),
    delay: (roundTripMs) => order('delay', roundTripMs),
  }
}
