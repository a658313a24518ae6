import type { PrinterCondition } from '../../domain/printer.ts'
import type { LineError } from '../lines/line.ts'

/** The answers to `DLE EOT` 1, 2 and 4; null without an answer. */
export interface StatusBytes {
  printer: number
  cause: number | null
  paper: number | null
}

/** Bit in the answer to `DLE EOT 1`. */
export const OFFLINE = 0x08

/** What the bits mean (Epson, ESC/POS reference, `DLE EOT n`). */
export function readCondition({ printer, cause, paper }: StatusBytes): PrinterCondition {
  const offline = (printer & OFFLINE) !== 0
  const cover = cause === null ? null : cause & 0x04 ? 'open' : 'closed'
  const error = cause === null ? null : (cause & 0x40) !== 0
  const stopped = cause !== null && (cause & 0x20) !== 0
  const left = readPaper(paper, stopped)
  const standing = offline || cover === 'open' || error === true || left === 'out'
  const state = standing ? 'offline' : 'ready'
  return { state, paper: left, cover, error, ...inWords({ state, paper: left, cover, error }) }
}

function readPaper(paper: number | null, stopped: boolean): PrinterCondition['paper'] {
  if (stopped) return 'out'
  if (paper === null) return null
  if (paper & 0x60) return 'out'
  return paper & 0x0c ? 'near_end' : 'ok'
}

type Words = Pick<PrinterCondition, 'detail' | 'fix'>

function inWords({ state, paper, cover, error }: Omit<PrinterCondition, keyof Words>): Words {
  const wrong: Words[] = []
  if (cover === 'open') wrong.push({ detail: 'The cover is open.', fix: 'Close the cover.' })
  if (paper === 'out') wrong.push({ detail: 'The paper is out.', fix: 'Load a new roll.' })
  if (error) {
    const fix = 'Look for jammed paper at the cutter, then switch the printer off and on.'
    wrong.push({ detail: 'The printer reports an error.', fix })
  }
  if (state === 'offline' && wrong.length === 0) {
    const fix = 'Look at its lamps, and whether its feed button is held.'
    wrong.push({ detail: 'The printer is offline and does not say why.', fix })
  }
  if (wrong.length === 0 && paper === 'near_end') {
    wrong.push({ detail: 'The paper is near its end.', fix: 'Load a new roll soon.' })
  }
  if (wrong.length === 0) return { detail: null, fix: null }
  return { detail: wrong.map(({ detail }) => detail).join(' '), fix: wrong.map(({ fix }) => fix).join(' ') }
}

/** A condition of which only the state is known. */
function unsaid(state: PrinterCondition['state'], detail: string | null, fix: string | null): PrinterCondition {
  return { state, paper: null, cover: null, error: null, detail, fix }
}

const CHECK_SETTINGS = 'that the baud rate and flow control that are set are its own'

export const NOT_LOOKED = unsaid('unknown', null, null)
export const CANNOT_BE_ASKED = unsaid('unknown', null, null)
/** The printer may be of a kind that never answers, or it may be off. */
export const NEVER_ANSWERED = unsaid(
  'unknown',
  'The printer has not answered yet: it may be off, or be one that never answers.',
  'Print a test page. If it comes out, set `answers` to `never`.',
)
const SILENT = unsaid('silent', 'The printer does not answer.', `Check its power, its cable, and ${CHECK_SETTINGS}.`)
/** One that stands takes nothing any more once its buffer is full of questions. */
export function silentAfter(before: PrinterCondition): PrinterCondition {
  if (before.state === 'silent') return before
  if (before.state !== 'offline') return SILENT
  return unsaid(
    'silent',
    `The printer does not answer any more. Before: ${before.detail}`,
    `${before.fix} ${SILENT.fix}`,
  )
}
export const GARBLED = unsaid('silent', 'What the printer sends makes no sense.', `Check ${CHECK_SETTINGS}.`)

export function lost(error: LineError): PrinterCondition {
  return unsaid('lost', error.message, error.fix)
}

/** What is wrong and what to do about it, in one text. */
export function sayAll({ detail, fix }: Words): string | null {
  return [detail, fix].filter(Boolean).join(' ') || null
}
