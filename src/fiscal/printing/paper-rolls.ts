import type { PrinterCondition } from '../../domain/printer.ts'
import { UNKNOWN_ROLL, withPaper } from '../../domain/printing/paper-roll.ts'
import type { Store } from '../ports/store.ts'

/**
 * Learns from what printers report how long their rolls are. Only a change of the paper is written.
 * @param reportFault called when the database does not take it; the next report is taken again
 * @returns to be called with each new condition of a printer, by its line. Returns at once and never throws
 */
export function createPaperWatch(
  store: Store,
  reportFault: (error: unknown) => void,
): (line: string, condition: PrinterCondition) => void {
  const before = new Map<string, PrinterCondition>()
  let last: Promise<unknown> = Promise.resolve()
  return (line, condition) => {
    const previous = before.get(line)
    before.set(line, condition)
    const { paper } = condition
    // Before the first report of this process, anything may have been done to the printer.
    const wasOpen = previous === undefined || mayBeOpen(previous) || mayBeOpen(condition)
    if (paper === null) return
    last = last.then(() => note(store, line, paper, wasOpen)).catch(reportFault)
  }
}

function mayBeOpen({ state, cover }: PrinterCondition): boolean {
  return cover === 'open' || state === 'lost' || state === 'silent' || state === 'unknown'
}

async function note(
  store: Store,
  line: string,
  paper: NonNullable<PrinterCondition['paper']>,
  wasOpen: boolean,
): Promise<void> {
  await store.transaction(async (tx) => {
    await tx.subjects.hold('printing')
    const roll = (await tx.paperRolls.get(line)) ?? UNKNOWN_ROLL
    const now = withPaper(roll, paper, wasOpen)
    if (now !== roll) await tx.paperRolls.put(line, now)
  })
}
