import { type Check, failure, fine } from '../../domain/check.ts'
import { audit } from '../access/audit-log.ts'
import type { Principal } from '../access/principal.ts'
import type { Context } from '../context.ts'
import type { KeptFacts } from '../ports/kept-facts.ts'
import { isTellingMachine, keptFacts, type MachineChange, type MachineFact, machineChange } from './machine-facts.ts'

export interface MachineIdentityDeps extends Context {
  keep: Pick<KeptFacts, 'get'> & { put(key: string, value: Buffer): Promise<void> }
  /** What this machine says of itself; nothing where machines are not compared. */
  facts: readonly MachineFact[]
}

/** The key of what is kept. A restored database forgets it: the operator has said that it belongs to this machine. */
export const MACHINE = 'machine'

const NAME = { en: 'machine', hr: 'računalo' }
const FIX = {
  en:
    'where the card was copied for a second machine: switch this one off, and set up a new card (fisk replace, where it ' +
    'takes the place of a broken machine); where the board was swapped or the card moved, and no copy of it is in use: ' +
    'sudo fisk machine accept',
  hr:
    'ako je kartica kopirana za drugo računalo: isključite ovo i postavite novu karticu (fisk ' +
    'replace, ako preuzima mjesto pokvarenog računala); ako je zamijenjena ploča ili je kartica ' +
    'premještena, a njezina se kopija ne koristi: sudo fisk machine accept',
}

export type MachineIdentity = ReturnType<typeof createMachineIdentity>

/** Whether a database is on the machine that it was on before: a card may be a copy. */
export function createMachineIdentity({ store, keep, clock, facts }: MachineIdentityDeps) {
  let change: MachineChange | null = null

  const put = (kept: readonly string[]) => keep.put(MACHINE, Buffer.from(kept.join('\n')))

  return {
    /** Compares with what is kept, and keeps what is known where it is the same machine; called at a start. */
    async begin(): Promise<void> {
      if (facts.length === 0) return
      const text = (await keep.get(MACHINE))?.toString('utf8') ?? ''
      const before = text.split('\n')
      change = machineChange(before, facts)
      const kept = keptFacts(before, facts)
      if (change === null && kept.join('\n') !== text) await put(kept)
    },
    /** How this machine differs from the one before; null while it does not. */
    changed: (): MachineChange | null => change,
    /** Goes on with this machine. @returns how it differed; null when it did not */
    async accept(principal: Principal): Promise<MachineChange | null> {
      const accepted = change
      if (accepted === null) return null
      // A crash after this leaves the alert, and it is accepted again.
      await audit(store, principal, clock.now(), 'machine.accepted', { ...accepted })
      await put(facts)
      change = null
      return accepted
    },
    checks: facts.length === 0 ? [] : [{ name: NAME, run: async () => [examine()] }],
  }

  function examine(): Check {
    if (change) {
      const detail = {
        en: `the database was on ${change.before} before, and this is ${change.now}`,
        hr: `baza podataka dosad je bila na računalu ${change.before}, a ovo je ${change.now}`,
      }
      return failure(NAME, detail, FIX)
    }
    return fine(
      NAME,
      isTellingMachine(facts)
        ? { en: 'it is the one that the database was on before', hr: 'isto je na kojem je baza podataka bila i prije' }
        : {
            en: 'only its machine-id is known, which a copied card has too: FISKD_MACHINE_ID can name it',
            hr:
              'poznat je samo njegov machine-id, koji ima i kopirana kartica: može se imenovati varijablom ' +
              'FISKD_MACHINE_ID',
          },
    )
  }
}
