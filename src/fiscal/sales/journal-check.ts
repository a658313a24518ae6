import { setImmediate } from 'node:timers/promises'
import { NO_SEAL, sealOf } from '../../domain/sale/journal.ts'
import { createNumberRun, type NumberRange, type NumberRun, written } from '../../domain/sale/number-run.ts'
import { sequenceRegister } from '../../domain/sale/receipt-number.ts'
import {
  type Invoice,
  isSameSequence,
  type Journal,
  type NumberAhead,
  type Sequence,
  sequenceKey,
} from '../ports/model.ts'
import type { Store, StoreTransaction } from '../ports/store.ts'

/** The result of checking the journals of all premises. */
export interface JournalFindings {
  entries: number
  journals: number
  /** The first broken position of each damaged journal. */
  broken: { journal: Journal; position: number; invoiceId: string | null; why: string }[]
  /** Numbers given out twice or never, and sequences whose next number is wrong. */
  wrongNumbers: { sequence: Sequence; why: string }[]
  /** Numbers skipped because callers chose a higher one. */
  passedOver: { sequence: Sequence; numbers: NumberRange[] }[]
  /** The number of ranges that a restored backup took out of use. */
  reserved: number
}

/** Invoices checked without a pause: small enough that no sale waits for it, however long they are. */
const BATCH = 25

/** More findings than this would tell the operator nothing new. */
const MOST_WRONG = 100

/**
 * Reads every journal from its first entry to its last one at the start of the check, recomputes every seal and checks
 * the numbers. Sales continue meanwhile.
 */
export async function checkJournals(store: Store): Promise<JournalFindings> {
  // Read as of one moment: a sale between two reads would look like a fault.
  const known = await store.transaction(async (tx) => {
    await tx.subjects.freeze()
    const journals = await tx.invoices.journals()
    const ends = []
    for (const journal of journals) ends.push((await tx.invoices.lastOf(journal))?.journalPosition ?? 0)
    const { numbering } = tx
    const ahead = await numbering.ahead()
    return { journals, ends, ahead, sequences: await numbering.sequences(), reserved: await numbering.reserved() }
  })
  const findings: JournalFindings = {
    entries: 0,
    journals: known.journals.length,
    broken: [],
    wrongNumbers: [],
    passedOver: [],
    reserved: known.reserved.length,
  }
  const runs = new Map<string, { sequence: Sequence; run: NumberRun }>()
  const ahead = numbersBySequence(known.ahead)
  const runOf = (sequence: Sequence) => {
    const key = sequenceKey(sequence)
    const known = runs.get(key) ?? { sequence, run: createNumberRun(rangesOf(sequence), ahead.get(key)) }
    runs.set(key, known)
    return known.run
  }
  const rangesOf = (sequence: Sequence) =>
    known.reserved
      .filter((one) => isSameSequence(one, sequence))
      .map(({ first, last, usedTo }) => ({
        first: BigInt(first),
        last: BigInt(last),
        usedTo: usedTo === null ? null : BigInt(usedTo),
      }))

  for (const [index, journal] of known.journals.entries()) {
    for await (const entry of entriesOf(store, journal, known.ends[index] ?? 0, findings)) {
      const sequence = { ...journal, year: entry.year, register: sequenceRegister(entry.document) }
      const why = runOf(sequence).take(entry.document.number, entry.numberSupplied)
      if (why && findings.wrongNumbers.length < MOST_WRONG) {
        findings.wrongNumbers.push({ sequence, why: `at number ${entry.document.number} (${entry.id}) ${why}` })
      }
    }
  }

  for (const { highest, ...sequence } of known.sequences) {
    const found = runOf(sequence).highest()
    if (found !== BigInt(highest)) {
      const why = `it goes on after ${highest}, and the highest number that was issued or reserved is ${found}`
      findings.wrongNumbers.push({ sequence, why })
    }
  }
  const counted = new Set(known.sequences.map(sequenceKey))
  for (const [key, { sequence, run }] of runs) {
    // A gateway may have taken over the premises. Our numbers are then known, and the gateway continues the sequence.
    const goesOn = counted.has(key) || (await store.numbering.highest(sequence)) !== undefined
    if (!goesOn) findings.wrongNumbers.push({ sequence, why: 'nothing says where it goes on' })
    const numbers = run.passedOver()
    if (numbers.length > 0) findings.passedOver.push({ sequence, numbers })
  }
  return findings
}

/** Yields the entries of a journal, and records where the chain of seals breaks. */
async function* entriesOf(
  store: StoreTransaction,
  journal: Journal,
  end: number,
  findings: JournalFindings,
): AsyncGenerator<Invoice> {
  let [position, seal, whole] = [0, NO_SEAL, true]
  const broken = (at: number, invoiceId: string | null, why: string) => {
    if (whole) findings.broken.push({ journal, position: at, invoiceId, why })
    whole = false
  }
  while (position < end) {
    const batch = await store.invoices.journal(journal, position, BATCH)
    for (const entry of batch) {
      if (entry.journalPosition > end) return
      if (entry.journalPosition !== position + 1) {
        const missing = { first: BigInt(position + 1), last: BigInt(entry.journalPosition - 1) }
        broken(position + 1, null, `the entries ${written(missing)} are missing`)
      }
      if (sealOf(entry, seal) !== entry.seal) {
        broken(entry.journalPosition, entry.id, 'its seal is not that of what it says after the entry before it')
      }
      ;[position, seal] = [entry.journalPosition, entry.seal]
      findings.entries++
      yield entry
    }
    if (batch.length === 0) return broken(position + 1, null, 'the entries after it are gone')
    await setImmediate()
  }
}

function numbersBySequence(ahead: readonly NumberAhead[]): Map<string, Set<bigint>> {
  const found = new Map<string, Set<bigint>>()
  for (const one of ahead) {
    const numbers = found.get(sequenceKey(one)) ?? new Set()
    found.set(sequenceKey(one), numbers.add(BigInt(one.number)))
  }
  return found
}
