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
