import { zagrebYear } from '../../domain/zagreb.ts'
import { sequencesEnding } from '../numbering/current-sequences.ts'
import type { ModeClocks } from '../ports/clock.ts'
import type { Company, Device, Sequence } from '../ports/model.ts'
import type { StoreTransaction } from '../ports/store.ts'
import { type Blocker, forTenant } from './blocker.ts'

/** Premises without receipt numbers left this year. */
export interface UsedUp {
  problems: Blocker[]
  /** @param register the register mark of the device's sales, if configured */
  concerns(device: Device, register: string | null): boolean
}

/** @param only check only this device */
export async function numberBlockers(
  { store, clock }: { store: Pick<StoreTransaction, 'numbering'>; clock: ModeClocks },
  companies: readonly Company[],
  only: Device | undefined,
): Promise<UsedUp> {
  const found: { sequence: Sequence; company: Company }[] = []
  for (const { sequence, left } of await sequencesEnding(store, clock.of('live').now())) {
    const company = companies.find(({ id, mode }) => id === sequence.companyId && mode === sequence.mode)
    if (!company || left > 0n || sequence.year !== zagrebYear(clock.of(company.mode).now())) continue
    if (only === undefined || only.premisesCode === sequence.premisesCode) found.push({ sequence, company })
  }
  return {
    problems: found.map(problemOf),
    concerns: ({ companyId, premisesCode }, register) =>
      found.some(
        ({ sequence: one }) =>
          one.companyId === companyId &&
          one.premisesCode === premisesCode &&
          (one.register === '' || one.register === register),
      ),
  }
}

function problemOf({ sequence, company }: { sequence: Sequence; company: Company }): Blocker {
  const { premisesCode, register, year } = sequence
  return {
    cause: 'numbers_used_up',
    companyId: company.id,
    premises: { code: premisesCode, register: register === '' ? null : register },
    subject: `premises ${premisesCode}${register === '' ? '' : `, register ${register}`}`,
    problem: `the receipt numbers of ${year} are used up: nothing can be sold there`,
    fix: forTenant(company.tenantId, `fisk numbers heal ${company.oib} ${premisesCode}`),
  }
}
