import { isDeepStrictEqual } from 'node:util'
import { companyIdOf } from '../../domain/company-id.ts'
import { isOib } from '../../domain/oib.ts'
import { isReceiptNumber } from '../../domain/sale/receipt-number.ts'
import type { ReservedNumbers, Sequence } from '../ports/model.ts'
import type { StatedNumber } from './stated-number.ts'
import {
  modesOf,
  type NumberFacts,
  type WantedNumbers,
  type WantedSequence,
  wantedNumbers,
  wantedOf,
  wantedSequence,
  wantedYears,
} from './wanted-numbers.ts'

/** How a sequence continues after a restore. */
export interface RestoredSequence {
  oib: string
  sequence: Sequence
  /** The highest number in the backup; zero when there is none. */
  highest: bigint
  /** The numbers that are never given out; null when no number can have been given out since the backup. */
  reserve: Pick<ReservedNumbers, 'first' | 'last' | 'usedTo'> | null
  /** How many numbers it goes above all that is known, of the backup and of what is beside it. */
  skips: bigint
  why: 'stated' | 'gap'
}

/** The restored backup could give out numbers twice; the message has one line per problem. */
export class NumbersUnknown extends Error {
  /** The sequences whose highest number has to be stated, as in a statement; none where that is not the problem. */
  readonly wanted: readonly string[]

  constructor(lines: readonly string[], wanted: readonly string[] = []) {
    super(lines.join('\n'))
    this.name = 'NumbersUnknown'
    this.wanted = wanted
  }
}

interface Choice {
  stated: readonly StatedNumber[]
  /** How many numbers are skipped after the highest known one where the operator states none; null to refuse. */
  gap: bigint | null
}

/**
 * Decides how every sequence continues: no number is given out twice. @param about a sequence's last sale, for people
 * @throws NumbersUnknown when a sequence stays undecided, or when a statement cannot be true
 */
export function restoredNumbers(
  facts: NumberFacts,
  { stated, gap }: Choice,
  about: (wanted: WantedNumbers) => string,
): RestoredSequence[] {
  const wanted = wantedNumbers(facts)
  const all = [...wanted]
  const said = new Map<WantedNumbers, StatedNumber>()
  for (const one of [...stated].sort(byPrecision)) {
    for (const meant of meantBy(one, all, facts)) {
      const before = said.get(meant)
      if (before && before.mode === one.mode)
        throw new NumbersUnknown([`${before.text} and ${one.text} say the same thing twice`])
      said.set(meant, one)
    }
  }
  for (const [meant, one] of said) requireHighEnough(one, meant, nameOf(meant, wanted))
  const open = wanted.filter((one) => !said.has(one))
  if (open.length > 0 && gap === null) throw demand(open, wanted, about)
  return all.flatMap((one) => one.sequences.map((sequence) => goOn(one, sequence, said.get(one), gap ?? 0n)))
}

/** Sorts statements about one mode or one register last, so that they override general ones. */
function byPrecision(a: StatedNumber, b: StatedNumber): number {
  return Number(a.mode !== null) - Number(b.mode !== null) || Number(a.register !== null) - Number(b.register !== null)
}

function goOn(
  { oib }: WantedNumbers,
  { sequence, highest, elsewhere, used }: WantedSequence,
  stated: StatedNumber | undefined,
  gap: bigint,
): RestoredSequence {
  const known = elsewhere > highest ? elsewhere : highest
  const last = stated ? stated.highest : known + gap
  if (last > 0n && !isReceiptNumber(last.toString())) throw new NumbersUnknown([`${last} has more than 20 digits`])
  const usedTo = stated ? stated.highest : used
  const reserve =
    last > highest ? { first: `${highest + 1n}`, last: `${last}`, usedTo: usedTo > highest ? `${usedTo}` : null } : null
  return { oib, sequence, highest, reserve, skips: last - known, why: stated ? 'stated' : 'gap' }
}

/** The wanted numbers that a statement is about, or new ones for a premises that was added after the backup. */
function meantBy(stated: StatedNumber, wanted: WantedNumbers[], facts: NumberFacts): WantedNumbers[] {
  const matches = (value: unknown, said: unknown) => said === null || value === said
  const meant = wanted.filter(
    (one) =>
      one.premisesCode === stated.premisesCode &&
      (stated.oib === null || isCompany({ id: one.companyId, oib: one.oib }, stated.oib)) &&
      matches(one.mode, stated.mode) &&
      matches(one.year, stated.year) &&
      matches(one.register, stated.register),
  )
  const names = [...new Set(meant.map((one) => nameOf(one, wanted)))]
  if (names.length > 1) throw new NumbersUnknown([`${stated.text} can mean ${names.join(' or ')}`])
  if (meant.length > 0) return meant
  const added = addedLater(stated, wanted, facts)
  wanted.push(...added)
  return added
}

/** The numbers of a premises, a year or a register that was added after the backup. */
function addedLater(stated: StatedNumber, all: readonly WantedNumbers[], facts: NumberFacts): WantedNumbers[] {
  const company = companyOf(stated, all, facts)
  const { premisesCode, register } = stated
  if (!company) {
    const names = [...new Set(all.map((one) => nameOf(one, all)))].join(', ') || 'none'
    throw new NumbersUnknown([`${stated.text} names nothing that the backup knows. It knows: ${names}`])
  }
  const [year, ...others] = stated.year === null ? wantedYears(facts) : [stated.year]
  if (year === undefined || others.length > 0) {
    throw new NumbersUnknown([`${stated.text} can mean several years: write @YEAR after the premises`])
  }
  const modes = stated.mode === null ? modesOf(company.mode) : [stated.mode]
  return modes.flatMap((mode) => {
    const premises = { companyId: company.id, oib: company.oib, mode, premisesCode, year }
    if (register === null) return wantedOf(facts, premises)
    const sequence = { companyId: company.id, mode, premisesCode, year, register }
    for (const one of all) {
      // The statement about this one register replaces what is assumed for unknown registers.
      one.sequences = one.sequences.filter((known) => !isDeepStrictEqual(known.sequence, sequence))
    }
    return [{ ...premises, register, sequences: [wantedSequence(facts, sequence)] }]
  })
}

/** A company that the backup lacks gets the id that it will have when it is added again. */
function companyOf({ oib, premisesCode }: StatedNumber, all: readonly WantedNumbers[], { companies }: NumberFacts) {
  if (oib === null) {
    const [id, ...others] = new Set(all.filter((one) => one.premisesCode === premisesCode).map((one) => one.companyId))
    return others.length === 0 ? companies.find((company) => company.id === id) : undefined
  }
  const known = companies.find((company) => isCompany(company, oib))
  return known ?? (isOib(oib) ? { id: companyIdOf(oib), oib, mode: 'test' as const } : undefined)
}

const isCompany = (one: { id: string; oib: string }, oib: string) => one.oib === oib || one.id === companyIdOf(oib)

function requireHighEnough(stated: StatedNumber, { sequences }: WantedNumbers, name: string): void {
  for (const { highest, elsewhere } of sequences) {
    const [where, held] = highest >= elsewhere ? ['the backup', highest] : ['the database that was here', elsewhere]
    if (stated.highest < held)
      throw new NumbersUnknown([`${stated.text} is too low: ${where} holds ${held} of ${name}`], [name])
  }
}

/** The shortest name that is unique among these numbers, as in a statement. */
function nameOf({ oib, premisesCode, register, year }: WantedNumbers, all: readonly WantedNumbers[]): string {
  const shared = all.some((one) => one.premisesCode === premisesCode && one.oib !== oib)
  const premises = shared || register !== null ? `${oib}/${premisesCode}` : premisesCode
  return `${premises}${register === null ? '' : `/${register}`}@${year}`
}

function demand(
  open: readonly WantedNumbers[],
  wanted: readonly WantedNumbers[],
  about: (wanted: WantedNumbers) => string,
): NumbersUnknown {
  const lines = new Map<string, string[]>()
  for (const one of open) {
    const highest = one.sequences.reduce((most, { highest }) => (highest > most ? highest : most), 0n)
    if (highest === 0n && one.mode === 'live' && lines.has(nameOf(one, wanted))) continue
    const holds = highest === 0n ? 'the backup holds none' : `the backup ends at ${highest}${about(one)}`
    const name = nameOf(one, wanted)
    lines.set(name, [...(lines.get(name) ?? []), holds])
  }
  const said = [
    'numbers that were given out after this backup must not be given out again',
    'Say the highest number of each that is known elsewhere, from paper or the central server:',
    ...[...lines].map(([name, holds]) => `  --highest ${name}=NUMBER   (${holds.join('; ')})`),
    'or let a gap be left where nothing is known: --gap 1000',
  ]
  return new NumbersUnknown(said, [...lines.keys()])
}
