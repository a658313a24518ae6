import type { Answer, Question } from '../chaos/http.ts'
import type { Daemon, World } from './world.ts'

/** What a stage works with. */
export interface Attack {
  world: World
  seed: number
  /** Asks a daemon over the network, and judges what it says. */
  send(daemon: Daemon, question: Question): Promise<Answer | null>
  /** Something of the largest kind was refused, or shown in more than a page may have. */
  found(problem: string): void
  /** How long a flood lasts. */
  lastsMs: number
  /** Messages that were no requests of `send`. */
  sent(count: number): void
  /** Something that a stranger could learn of links that show nothing. */
  learned(what: string): void
  /** Requests of each kind of link whose time is taken; none in the first round, and beside other work. */
  timed: number
  /** How long the middle one of a kind took, ms. */
  took(kind: string, ms: number): void
}

/** One border: whoever speaks there sends that much of all messages. */
export interface Stage {
  name: string
  share: number
  /** Of which count it sends all, where that is not a share of the messages. */
  counts?: 'tokens'
  run(attack: Attack, count: number): Promise<void>
}

/** Callers of a stage that do not wait for each other: enough to keep a core busy, and not the machine. */
const CALLERS = 2

/** Does something so many times, by several at a time. */
export async function times(count: number, act: (n: number) => Promise<unknown>, callers = CALLERS): Promise<void> {
  let next = 0
  const work = async () => {
    while (next < count) await act(next++)
  }
  await Promise.all(Array.from({ length: callers }, work))
}

/** Multipart as a browser sends it. */
export async function formOf(parts: Record<string, string | Buffer>): Promise<Pick<Question, 'headers' | 'body'>> {
  const form = new FormData()
  for (const [name, value] of Object.entries(parts)) {
    if (typeof value === 'string') form.append(name, value)
    else form.append(name, new Blob([new Uint8Array(value)]), 'file')
  }
  const encoded = new Response(form)
  const headers = { 'content-type': encoded.headers.get('content-type') ?? '' }
  return { headers, body: Buffer.from(await encoded.arrayBuffer()) }
}
