/**
 * What tells one machine from another, the strongest first: what the operator says (`FISKD_MACHINE_ID`), the serial
 * number of the board, the addresses of built-in network adapters, and `machine-id`, which is copied with a card.
 */
const KINDS = ['given', 'board', 'adapter', 'system'] as const

/** A kind and a value, e.g. `board 10000000a1b2c3d4`; a machine may have several of a kind. */
export type MachineFact = `${(typeof KINDS)[number]} ${string}`

/** The values by which two machines differ. */
export interface MachineChange {
  before: string
  now: string
}

/**
 * Compares by the strongest kind that is known of both machines; they are the same when they share a value of it.
 * @returns null when they are the same, or when nothing can be compared
 */
export function machineChange(before: readonly string[], now: readonly MachineFact[]): MachineChange | null {
  const decisive = KINDS.map((kind) => ({ before: valuesOf(kind, before), now: valuesOf(kind, now) })).find(
    (values) => values.before.length > 0 && values.now.length > 0,
  )
  if (!decisive || decisive.now.some((value) => decisive.before.includes(value))) return null
  return { before: decisive.before.join(', '), now: decisive.now.join(', ') }
}

const valuesOf = (kind: string, facts: readonly string[]) =>
  facts.flatMap((fact) => (fact.startsWith(`${kind} `) ? fact.slice(kind.length + 1) : []))

/** What is to be kept of the same machine: what it says now, and of other kinds what it said before. */
export function keptFacts(before: readonly string[], now: readonly MachineFact[]): string[] {
  const kindOf = (fact: string) => fact.split(' ', 1)[0]
  const known = new Set(now.map(kindOf))
  return [...now, ...before.filter((fact) => !known.has(kindOf(fact)))]
}

/** Whether a copy of the card in another machine is noticed. */
export const isTellingMachine = (facts: readonly MachineFact[]) => facts.some((fact) => !fact.startsWith('system '))
