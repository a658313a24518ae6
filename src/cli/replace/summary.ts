import { stepsText } from '../setup/summary.ts'
import { checksText } from '../text/check-text.ts'
import { clean, fields, paragraph } from '../text/columns.ts'
import { fingerprintRows } from '../text/fingerprint.ts'
import type { Screen } from '../text/screen.ts'
import { problemText } from '../text/status-text.ts'
import { localTime } from '../text/times.ts'
import type { ReplaceResult } from './replacement.ts'

/** The closing page: what was taken over, what is lost, what the firmware needs, whether it can sell. */
export function replacedText(result: ReplaceResult, screen: Screen): string {
  const parts = [
    stepsText(result.steps, screen),
    checksText(result.authority, screen),
    oldSales(result, screen),
    firmware(result, screen),
    selling(result, screen),
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
  return (
    paragraph('', heard, screen) + skipped(rest, screen) + paragraph('', LOST, screen) + waiting + oldCard(rest, screen)
  )
}

/** Where a person has stated the last number, a sale on the old card doubles the next one. */
const oldCard = ({ numbers }: Pick<ReplaceResult, 'numbers'>, screen: Screen) =>
  numbers.some(({ why }) => why === 'stated') ? paragraph('', DESTROY, screen) : ''

/** How many numbers were skipped, and why so many. */
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

function firmware({ devices, ca_file, ca_sha256, base_urls }: ReplaceResult, screen: Screen): string {
  const isNew = devices.some(({ key }) => key !== null)
  const rows = devices.flatMap(({ id, label, key }): [string, string | null][] => [
    ['  device', clean(label)],
    ['  device_id', id],
    ['  API key', key?.key ?? null],
  ])
  const common: [string, string | null][] = [
    ['  base URL', base_urls.join(' or ')],
    ['  CA file', ca_file ?? 'of the CA that has issued the certificate of this fiskd (FISKD_TLS_CERT)'],
    ...fingerprintRows('  CA SHA-256', ca_sha256),
  ]
  const lead = isNew ? 'Put into the firmware (the key is shown only now):' : 'Put into the firmware:'
  const why = 'device_id is as before. Keys and the CA are new: no server knows those of the old card.'
  return paragraph('', lead, screen) + fields([...common, ...rows], screen) + paragraph('', why, screen)
}

function selling({ can_sell, problems, steps }: ReplaceResult, screen: Screen): string {
  const [problem] = problems
  const isLeft = steps.some(({ state }) => state === 'left')
  const todo = 'what is marked "to do", then fisk status'
  if (can_sell !== false || !problem) {
    const verdict = can_sell ? paragraph('', 'It can sell now.', screen) : ''
    return verdict + paragraph('Next: ', isLeft ? todo : 'fisk status', screen)
  }
  const why = paragraph('  ', problemText(problem, screen))
  const next = isLeft ? 'what is marked "to do", then sudo fisk replace again' : problem.fix
  return paragraph('', 'It CANNOT sell yet.', screen) + why + paragraph('Next: ', next, screen)
}
