import type { EpochMs } from '../../domain/instant.ts'
import { isRegisterMark, type SequenceMark } from '../../domain/sale/receipt-number.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import { zagrebYear } from '../../domain/zagreb.ts'
import type { Company, Device, Sequence } from '../ports/model.ts'

export type KnownSequence = Sequence & { highest: string }
/** `used` leaves out what a restore has put out of use without knowing; null when nothing else is known. */
export type LeftSequence = KnownSequence & { used: string | null }
export type KnownLevel = Omit<Sequence, 'register'> & { level: SequenceMark }

/** What a backup and the databases beside it know about numbers. */
export interface NumberFacts {
  /** Of both; `oib` is the id where nothing tells the OIB. */
  companies: Pick<Company, 'id' | 'oib' | 'mode' | 'fiscalConfig'>[]
  devices: Pick<Device, 'companyId' | 'premisesCode' | 'isuNumber' | 'deviceConfig'>[]
  /** In the backup. */
  sequences: KnownSequence[]
  /** In the databases that are still there: numbers that were given out after the backup. */
  elsewhere: LeftSequence[]
  /** Of both. */
  levels: KnownLevel[]
  now: EpochMs
  /** When the newest invoice of the backup was stored; null when it holds none. */
  newestAt: EpochMs | null
}

/** Numbers about which somebody must say how far they went, for the backup cannot know. */
export interface WantedNumbers {
  companyId: string
  oib: string
  mode: Mode
  premisesCode: string
  year: number
  /** Under `N`; null when the premises has one sequence, or when it is not known how it numbers. */
  register: string | null
  sequences: WantedSequence[]
}

export interface WantedSequence {
  sequence: Sequence
  highest: bigint
  elsewhere: bigint
  /** As far as the databases that are still there know the numbers to have been given out. */
  used: bigint
}

/** A sale is taken this long after it was made, in the year in which it was made. */
const LATEST_SALE_MS = 30 * 86_400_000

/**
 * A company that is in test mode in the backup may have gone live since: then its live numbers are wanted, too. Test
 * numbers of one that is live mean nothing.
 */
export const modesOf = (inBackup: Mode): readonly Mode[] => (inBackup === 'test' ? ['test', 'live'] : ['live'])

/** Years that may number sales: the clock may be wrong, so it is not the only one that is asked. */
export function wantedYears({ now, newestAt, sequences, elsewhere }: NumberFacts): number[] {
  const ofBackup = newestAt === null ? [] : [newestAt - LATEST_SALE_MS, newestAt, newestAt + LATEST_SALE_MS]
  const since = newestAt === null ? 0 : zagrebYear(newestAt)
  const known = [...sequences, ...elsewhere].map(({ year }) => year).filter((year) => year >= since)
  return [...new Set([...[now, now - LATEST_SALE_MS, ...ofBackup].map(zagrebYear), ...known])].sort()
}

/** Every sequence that could still number sales: of the premises of each device, and of each known sequence. */
export function wantedNumbers(facts: NumberFacts): WantedNumbers[] {
  const years = wantedYears(facts)
  const known = [...facts.sequences, ...facts.elsewhere]
  return facts.companies.flatMap(({ id, oib, mode }) => {
    const places = [...known, ...facts.devices].filter(({ companyId }) => companyId === id)
    const codes = [...new Set(places.map(({ premisesCode }) => premisesCode))].sort()
    return codes.flatMap((premisesCode) =>
      years.flatMap((year) =>
        modesOf(mode).flatMap((one) => wantedOf(facts, { companyId: id, oib, mode: one, premisesCode, year })),
      ),
    )
  })
}

export function wantedOf(facts: NumberFacts, premises: Omit<WantedNumbers, 'register' | 'sequences'>): WantedNumbers[] {
  const { companyId, mode, premisesCode, year } = premises
  const level = levelOf(facts, premises)
  const registers = [...(level === 'P' ? [] : registersOf(facts, premises)), ...(level === 'N' ? [] : [''])].sort()
  const sequences = registers.map((register) =>
    wantedSequence(facts, { companyId, mode, premisesCode, year, register }),
  )
  if (level !== 'N') return [{ ...premises, register: null, sequences }]
  return sequences.map((one) => ({ ...premises, register: one.sequence.register, sequences: [one] }))
}

export function wantedSequence(facts: NumberFacts, sequence: Sequence): WantedSequence {
  const isIt = (one: Sequence) =>
    (Object.keys(sequence) as (keyof Sequence)[]).every((key) => one[key] === sequence[key])
  const elsewhere = facts.elsewhere.filter(isIt)
  return {
    sequence,
    highest: highestOf(facts.sequences.filter(isIt).map(({ highest }) => highest)),
    elsewhere: highestOf(elsewhere.map(({ highest }) => highest)),
    used: highestOf(elsewhere.map(({ used }) => used ?? '0')),
  }
}

/** How a premises numbers in a year; undefined when nothing says it, or two databases say different things. */
function levelOf({ levels }: NumberFacts, { companyId, mode, premisesCode, year }: Omit<Sequence, 'register'>) {
  const said = levels.filter(
    (one) => one.companyId === companyId && one.mode === mode && one.premisesCode === premisesCode && one.year === year,
  )
  const [level, ...others] = new Set(said.map((one) => one.level))
  return others.length === 0 ? level : undefined
}

/** Whatever may number there by register: those that have in any year, and those that are set. */
function registersOf(facts: NumberFacts, { companyId, premisesCode }: Pick<Sequence, 'companyId' | 'premisesCode'>) {
  const isThere = (one: Pick<Sequence, 'companyId' | 'premisesCode'>) =>
    one.companyId === companyId && one.premisesCode === premisesCode
  const company = facts.companies.find(({ id }) => id === companyId)
  const marks: unknown[] = [
    ...[...facts.sequences, ...facts.elsewhere].filter(isThere).map(({ register }) => register),
    ...facts.devices.filter(isThere).flatMap(({ isuNumber, deviceConfig }) => [isuNumber, deviceConfig.register_mark]),
    company?.fiscalConfig.register_mark,
  ]
  return [...new Set(marks.filter(isRegisterMark))]
}

function highestOf(numbers: readonly string[]): bigint {
  return numbers.map(BigInt).reduce((highest, one) => (one > highest ? one : highest), 0n)
}
