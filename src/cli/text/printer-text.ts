import type { PrinterView, PrintJobView } from '../../contract/admin/printers.ts'
import type { PrinterCondition } from '../../domain/printer.ts'
import { englishFields } from './columns.ts'
import type { Screen } from './screen.ts'
import { localTime } from './times.ts'

/** Nothing is known that keeps it from printing. */
export function isWell({ state }: PrinterCondition): boolean {
  return state === 'ready' || state === 'unknown'
}

/** Its state in a word. */
export function printerWord({ state, paper, cover }: PrinterCondition): string {
  if (state === 'offline' && paper === 'out') return 'no paper'
  if (state === 'offline' && cover === 'open') return 'open'
  if (state === 'ready' && paper === 'near_end') return 'low paper'
  return state
}

export function printerText(
  { device, line, profile, expire_after_s, condition, ...more }: PrinterView,
  screen: Screen,
): string {
  const { overridden, settings, roll, last_receipt: last } = more
  return englishFields(screen, [
    ['device', device.label],
    ['line', line],
    ['profile', profile],
    ['set', overridden.map((name) => `${name} ${settings[name]}`).join(', ') || null],
    ['expires', `a receipt that waited ${expire_after_s} s is not printed`],
    ['state', printerWord(condition)],
    ['paper', rollText(roll)],
    ['problem', condition.detail?.en ?? null],
    ['fix', condition.fix?.en ?? null],
    ['last', last && jobText(last)],
  ])
}

/** What was printed since the roll was changed, and about how much is left. */
function rollText(roll: PrinterView['roll']): string | null {
  if (roll === null) return null
  const left = roll.receipts_left === null ? '' : `, about ${roll.receipts_left} receipts left`
  return `${(roll.printed_mm / 1000).toFixed(1)} m printed since the last change of roll${left}`
}

export function jobText({ copy, status, created_at, ended_at, detail }: PrintJobView): string {
  const which = copy === 0 ? 'the original' : `copy ${copy}`
  const why = detail === null ? '' : `: ${detail}`
  return `${which} of ${localTime(created_at)}, ${status}${ended_at === null ? '' : ` ${localTime(ended_at)}`}${why}`
}
