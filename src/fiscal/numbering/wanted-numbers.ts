import type { EpochMs } from '../../domain/instant.ts'
import { isRegisterMark, type SequenceMark } from '../../domain/sale/receipt-number.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import { zagrebYear } from '../../domain/zagreb.ts'
import { type Company, type Device, isSameSequence, type Sequence } from '../ports/model.ts'
import { LATEST_SALE_MS } from './current-sequences.ts'

export type KnownSequence = Sequence & { highest: string }
/** `used` excludes numbers that a restore took out of use as a precaution; null when no other number is known. */
export type LeftSequence = KnownSequence & { used: string | null }
export type KnownLevel = Omit<Sequence, 'register'> & { level: SequenceMark }

/** What a backup and the existing databases know about numbers. */
export interface NumberFacts {
  /** From the backup and the databases; `oib` contains the id where the OIB is unknown. */
  companies: Pick<Company, 'id' | 'oib' | 'mode' | 'fiscalConfig'>[]
  devices: Pick<Device, 'companyId' | 'premisesCode' | 'isuNumber' | 'deviceConfig'>[]
  /** From the backup. */
  sequences: KnownSequence[]
  /** From the existing databases: numbers that were given out after the backup. */
  elsewhere: LeftSequence[]
  /** From the backup and the databases. */
  levels: KnownLevel[]
  now: EpochMs
  /** When the newest invoice of the backup was stored; null when it has none. */
  newestAt: EpochMs | null
}

/** Numbers whose highest value the operator must state, because the backup cannot know it. */
export interface WantedNumbers extends Omit<Sequence, 'register'> {
  oib: string
  /** The register's mark under `N`; null when the premises has one sequence, or when its level is unknown. */
  register: string | null
  sequences: WantedSequence[]
}

export interface WantedSequence {
  sequence: Sequence
  highest: bigint
  elsewhere: bigint
  /** The highest number that the existing databases know to be given out. */
  used: bigint
}

/** A company that is in test mode in the backup may be live since; test numbers of a live one are irrelevant. */
export const modesOf = (inBackup: Mode): readonly Mode[] => (inBackup === 'test' ? ['test', 'live'] : ['live'])

/** The years that may number sales. The clock may be wrong, so the invoices and sequences count, too. */
export function wantedYears({ now, newestAt, sequences, elsewhere }: NumberFacts): number[] {
  const ofBackup = newestAt === null ? [] : [newestAt - LATEST_SALE_MS, newestAt, newestAt + LATEST_SALE_MS]
  const since = newestAt === null ? 0 : zagrebYear(newestAt)
  const known = [...sequences, ...elsewhere].map(({ year }) => year).filter((year) => year >= since)
  return [...new Set([...[now, now - LATEST_SALE_MS, ...ofBackup].map(zagrebYear), ...known])].sort()
}

/** Every sequence that could still number sales, for the premises of all devices and known sequences. */
export function wantedNumbers(facts: NumberFacts): WantedNumbers[] {
  const years = wantedYears(facts)
  const known = [...facts.sequences, ...facts.elsewhere]
  return facts.companies.flatMap(({ id, oib, mode }) => {
    const ofCompany = [...known, ...facts.devices].filter(({ companyId }) => companyId === id)
    const codes = [...new Set(ofCompany.map(({ premisesCode }) => premisesCode))].sort()
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
  const isIt = (one: Sequence) => isSameSequence(one, sequence)
  const elsewhere = facts.elsewhere.filter(isIt)
  return {
    sequence,
    highest: highestOf(facts.sequences.filter(isIt).map(({ highest }) => highest)),
    elsewhere: highestOf(elsewhere.map(({ highest }) => highest)),
    used: highestOf(elsewhere.map(({ used }) => used ?? '0')),
  }
}

/** The numbering level of a premises in a year; undefined when it is unknown, or when two databases differ. */
function levelOf({ levels }: NumberFacts, { companyId, mode, premisesCode, year }: Omit<Sequence, 'register'>) {
  const said = levels.filter(
    (one) => one.companyId === companyId && one.mode === mode && one.premisesCode === premisesCode && one.year === year,
  )
  const [level, ...others] = new Set(said.map((one) => one.level))
  return others.length === 0 ? level : undefined
}

/** Every register that may number there: registers of known sequences in any year, and configured ones. */
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
