import { setTimeout } from 'node:timers/promises'
import type { Session } from './session.ts'
import { clean, shorten } from './text/columns.ts'
import { translate } from './words/translate.ts'

const PATIENCE_MS = 1000
const CLEAR_LINE = '\r\u001b[K'

/** On a terminal, a line says from the first second on what is waited for, and how long; scripts see nothing of it. */
export async function during<T>({ io, screen, mayAsk }: Session, what: string, work: Promise<T>): Promise<T> {
  if (!mayAsk() || io.env.TERM === 'dumb') return work
  const begun = Date.now()
  let isShown = false
  const show = () => {
    const seconds = Math.round((Date.now() - begun) / PATIENCE_MS)
    const line = clean(`${translate(what, screen.language)} … ${seconds} s`)
    io.stdout.write(CLEAR_LINE + shorten(line, screen.columns - 1))
    isShown = true
  }
  const ticking = setInterval(show, PATIENCE_MS)
  return work.finally(() => {
    clearInterval(ticking)
    if (isShown) io.stdout.write(CLEAR_LINE)
  })
}

/** Looks again and again while something goes on. @returns how it is in the end */
export async function whenOver<T>(
  first: T,
  goesOn: (latest: T) => boolean,
  look: () => Promise<T>,
  everyMs: number,
): Promise<T> {
  let latest = first
  while (goesOn(latest)) {
    await setTimeout(everyMs)
    latest = await look()
  }
  return latest
}
