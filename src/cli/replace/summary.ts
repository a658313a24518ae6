import { firmwareText, sellingText, stepsText } from '../setup/summary.ts'
import { checksText } from '../text/check-text.ts'
import { clean, paragraph } from '../text/columns.ts'
import type { Screen } from '../text/screen.ts'
import { localTime } from '../text/times.ts'
import type { ReplaceResult } from './replacement.ts'

export function replacedText(result: ReplaceResult, screen: Screen): string {
  const parts = [
    stepsText(result.steps, screen),
    checksText(result.authority, screen),
    oldSales(result, screen),
    firmware(result, screen),
    sellingText(result, screen, 'what is marked "to do", then sudo fisk replace again'),
  ]
  return `\n${parts.filter((part) => part !== '').join('\n')}`
}

/** What only the old card knew. */
function oldSales({ last_seen_at, without_jir, ...rest }: ReplaceResult, screen: Screen): string {
  const heard = last_seen_at
    ? `The server last heard from the old machine at ${localTime(last_seen_at)}.`
    : 'The server does not know when it last heard from the old machine.'
  const waiting =
    without_jir === 0
      ? ''
      : paragraph(
          '',
          `${without_jir} invoices of the old machine have no JIR, and this machine cannot send them.`,
          screen,
        ) + paragraph('', OLD_CARD, screen)
  // Where a person has stated the last number, a sale on the old card doubles the next one.
  const oldCard = rest.numbers.some(({ why }) => why === 'stated') ? paragraph('', DESTROY, screen) : ''
  return paragraph('', heard, screen) + skipped(rest, screen) + paragraph('', LOST, screen) + waiting + oldCard
}

function skipped({ gap, numbers }: Pick<ReplaceResult, 'gap' | 'numbers'>, screen: Screen): string {
  if (gap === null || numbers.every(({ why }) => why === 'stated')) return ''
  const { count, days } = gap
  const why =
    days === null
      ? ''
      : `: 1000 for each of the ${days} days that it may have sold without telling the server, and 10000 for restores`
  return (
    paragraph('', `Receipt numbers skipped where none was stated: ${count}${why}.`, screen) +
    paragraph('', COVERED, screen)
  )
}

const COVERED = 'Nothing may be sold on the old card any more: the skipped numbers cover what it sold until now.'
const LOST =
  'Sales that it made afterwards are on its card only. If its firmware still waits for an answer about one, look whether the ' +
  'goods were handed out before it is sent again: this machine does not know its key and would sell twice.'
const DESTROY =
  'Destroy the old card: no gap is left above the last number that was typed, so a sale on it would give out a number of this ' +
  'machine a second time.'
const OLD_CARD =
  'If the old card can still be read, start it in a controller that has internet and no firmware: it sends them by itself.'

function firmware({ devices, ...facts }: ReplaceResult, screen: Screen): string {
  const isNew = devices.some(({ key }) => key !== null)
  const own = devices.flatMap(({ id, label, key }): [string, string | null][] => [
    ['  device', clean(label)],
    ['  device_id', id],
    ['  API key', key?.key ?? null],
  ])
  const why = 'device_id is as before. Keys and the CA are new: no server knows those of the old card.'
  return firmwareText(facts, isNew, own, screen) + paragraph('', why, screen)
}
