import type { EpochMs } from '../domain/instant.ts'
import type { Mode } from '../domain/sale.ts'
import { zagrebYear } from '../domain/zagreb.ts'
import type { Company, Device, Sequence } from './model.ts'

export type KnownSequence = Sequence & { highest: string }

/** What a backup and the databases beside it know about numbers. */
export interface NumberFacts {
  companies: Pick<Company, 'id' | 'oib' | 'mode'>[]
  devices: Pick<Device, 'companyId' | 'premisesCode' | 'isuNumber'>[]
  /** In the backup. */
  sequences: KnownSequence[]
  /** In the databases that are still there: numbers that were given out after the backup. */
  elsewhere: KnownSequence[]
  /** The moment of the restore, and others at which it may be instead. */
  moments: EpochMs[]
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
  sequences: { sequence: Sequence; highest: bigint; elsewhere: bigint }[]
}

/** A sale is taken this long after it was made, in the year in which it was made. */
const LATEST_SALE_MS = 30 * 86_400_000

/**
 * A company that is in test mode in the backup may have gone live since: then its live numbers are wanted, too. Test
 * numbers of one that is live mean nothing.
 */
export const modesOf = (inBackup: Mode): readonly Mode[] => (inBackup === 'test' ? ['test', 'live'] : ['live'])

/** Every sequence that could still number sales: of the premises of each device, and of each known sequence. */
export function wantedNumbers(facts: NumberFacts): WantedNumbers[] {
  const years = new Set(facts.moments.flatMap((at) => [zagrebYear(at), zagrebYear(at - LATEST_SALE_MS)]))
  const known = [...facts.sequences, ...facts.elsewhere]
  return facts.companies.flatMap(({ id, oib, mode }) => {
    const places = [...known, ...facts.devices].filter(({ companyId }) => companyId === id)
    const codes = [...new Set(places.map(({ premisesCode }) => premisesCode))].sort()
    return codes.flatMap((premisesCode) =>
      [...years]
        .sort()
        .flatMap((year) =>
          modesOf(mode).flatMap((one) => wantedOf(facts, { companyId: id, oib, mode: one, premisesCode, year })),
        ),
    )
  })
}

export function wantedOf(facts: NumberFacts, premises: Omit<WantedNumbers, 'register' | 'sequences'>): WantedNumbers[] {
  const { companyId, mode, premisesCode, year } = premises
  const ofPremises = [...facts.sequences, ...facts.elsewhere].filter(
    (one) => one.companyId === companyId && one.mode === mode && one.premisesCode === premisesCode,
  )
  const registers = new Set(ofPremises.filter((one) => one.year === year).map(({ register }) => register))
  const perRegister = registers.size > 0 && !registers.has('')
  if (registers.size === 0 || perRegister) {
    // Whatever may number there by register: those that have, and the devices that could.
    for (const { register } of ofPremises) if (register !== '') registers.add(register)
    for (const device of facts.devices) {
      if (device.companyId !== companyId || device.premisesCode !== premisesCode) continue
      if (device.isuNumber !== null) registers.add(device.isuNumber)
    }
    if (!perRegister) registers.add('')
  }
  const sequences = [...registers].sort().map((register) => {
    const sequence = { companyId, mode, premisesCode, year, register }
    return { sequence, highest: highestIn(facts.sequences, sequence), elsewhere: highestIn(facts.elsewhere, sequence) }
  })
  if (!perRegister) return [{ ...premises, register: null, sequences }]
  return sequences.map((one) => ({ ...premises, register: one.sequence.register, sequences: [one] }))
}

function highestIn(known: readonly KnownSequence[], wanted: Sequence): bigint {
  return known
    .filter((one) => (Object.keys(wanted) as (keyof Sequence)[]).every((key) => one[key] === wanted[key]))
    .reduce((highest, one) => (BigInt(one.highest) > highest ? BigInt(one.highest) : highest), 0n)
}
