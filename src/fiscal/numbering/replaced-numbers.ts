import { invalidRequest } from '../../domain/errors.ts'
import type { EpochMs } from '../../domain/instant.ts'
import { isReceiptNumber, isWithinReach } from '../../domain/sale/receipt-number.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import { type Company, type Device, type ReservedNumbers, type Sequence, sequenceKey } from '../ports/model.ts'
import type { SeenNumber } from '../ports/rows/numbering.ts'
import { firstCurrentYear } from './current-sequences.ts'
import { isAbout, seenFacts } from './server-numbers.ts'
import { type StatedNumber, statedSequence } from './stated-number.ts'
import { type NumberFacts, type WantedNumbers, wantedNumbers } from './wanted-numbers.ts'

/** How a sequence continues on the machine that replaces another one. */
export interface ReplacedSequence {
  oib: string
  sequence: Sequence
  /** The highest number that the server has seen; null when it has seen none. */
  seen: string | null
  /** The numbers that are never given out; null when the sequence begins at 1. */
  reserve: Pick<ReservedNumbers, 'first' | 'last' | 'usedTo'> | null
  why: 'stated' | 'gap'
}

interface Known {
  companies: readonly Pick<Company, 'id' | 'oib' | 'mode' | 'fiscalConfig'>[]
  devices: readonly Pick<Device, 'companyId' | 'premisesCode' | 'isuNumber' | 'deviceConfig'>[]
  seen: readonly SeenNumber[]
  now: EpochMs
}

interface Choice {
  stated: readonly StatedNumber[]
  /** How many numbers are skipped above what the server has seen, wherever none is stated. */
  gap: bigint
}

/**
 * Decides how every sequence of a replaced machine continues: above what the operator states, else a gap above what the
 * server has seen, because the machine may have sold without telling the server.
 * @throws FiskError `invalid_request` for a statement that is about nothing, or too low, and for a number of the server
 *   that is so high that only an operator may confirm it
 */
export function replacedNumbers({ companies, devices, seen, now }: Known, { stated, gap }: Choice): ReplacedSequence[] {
  const facts: NumberFacts = {
    companies: [...companies],
    devices: [...devices],
    sequences: [],
    ...seenFacts(seen),
    now,
    newestAt: null,
  }
  const modes = new Map<string, Mode>(companies.map(({ id, mode }) => [id, mode]))
  const highest = new Map(seen.map((one) => [sequenceKey(one), one.highest]))
  const isOpen = ({ sequence }: { sequence: Sequence }, said: StatedNumber | undefined) =>
    said?.mode != null || sequence.mode === modes.get(sequence.companyId) || highest.has(sequenceKey(sequence))
  const used = new Set<StatedNumber>()
  const all = wantedNumbers(facts).flatMap((wanted) => {
    const about = stated.filter((one) => isAbout(one, wanted))
    const [said] = about.sort((one, other) => precision(other) - precision(one))
    return wanted.sequences.flatMap((one): ReplacedSequence[] => {
      if (!isOpen(one, said)) return []
      if (said) used.add(said)
      const known = highest.get(sequenceKey(one.sequence)) ?? null
      // Nothing is sold in a year that is over.
      const space = wanted.year < firstCurrentYear(now) ? 0n : gap
      const last = said ? stateAbove(said, wanted, known) : leaveGap(wanted, known, space)
      const reserve = last === 0n ? null : { first: '1', last: `${last}`, usedTo: said ? `${last}` : known }
      return [{ oib: wanted.oib, sequence: one.sequence, seen: known, reserve, why: said ? 'stated' : 'gap' }]
    })
  })
  const idle = stated.find((one) => !used.has(one))
  if (idle) throw aboutNothing(idle, all)
  return all
}

const precision = (one: StatedNumber) =>
  [one.mode, one.register, one.year, one.oib].filter((said) => said !== null).length

function stateAbove({ text, highest }: StatedNumber, wanted: WantedNumbers, known: string | null): bigint {
  if (highest >= BigInt(known ?? 0)) return highest
  const why =
    `${text} is too low: the central server has seen number ${known} of ${statedSequence(wanted)}. Where no receipt has a number ` +
    `above ${highest}, ${healAtServer(wanted)}`
  throw invalidRequest('highest', why)
}

function leaveGap(wanted: WantedNumbers, known: string | null, gap: bigint): bigint {
  if (known !== null && !isWithinReach(known, undefined)) {
    const why =
      `the central server tells number ${known} of ${statedSequence(wanted)}, which is unusually high: compare it with a receipt. ` +
      `Where it is right, state it: --highest ${statedSequence(wanted)}=${known}. Where it is too high, ${healAtServer(wanted)}`
    throw invalidRequest('highest', why)
  }
  const last = BigInt(known ?? 0) + gap
  if (last > 0n && !isReceiptNumber(`${last}`)) throw invalidRequest('gap', `${last} has more than 20 digits`)
  return last
}

/** A number that stands at the server and on no receipt is put right there: stated here, it would be followed for good. */
const healAtServer = ({ oib, premisesCode }: WantedNumbers) =>
  `set it right at the server (sudo fisk numbers heal ${oib} ${premisesCode}), then run here again: sudo fisk replace`

function aboutNothing({ text }: StatedNumber, all: readonly ReplacedSequence[]) {
  const names = new Set(all.map(({ oib, sequence }) => statedSequence({ ...sequence, oib })))
  return invalidRequest(
    'highest',
    `${text} is about no premises of this gateway: ${[...names].join(', ') || 'it has none'}`,
  )
}
