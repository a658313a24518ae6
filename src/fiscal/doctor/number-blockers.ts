import { zagrebYear } from '../../domain/zagreb.ts'
import { sequencesEnding } from '../numbering/current-sequences.ts'
import type { Issued } from '../numbering/lost-sales.ts'
import type { ModeClocks } from '../ports/clock.ts'
import type { Company, Device, Journal, Sequence } from '../ports/model.ts'
import type { Behind } from '../ports/rows/issued.ts'
import type { StoreTransaction } from '../ports/store.ts'
import { type Blocker, forTenant } from './blocker.ts'

/** Premises without receipt numbers left this year, and those whose latest issued sales the database lacks. */
export interface NumberBlockers {
  problems: Blocker[]
  /** @param register the register mark of the device's sales, if configured */
  concerns(device: Device, register: string | null): boolean
}

export interface NumberDeps {
  store: Pick<StoreTransaction, 'numbering'>
  clock: ModeClocks
  issued: Pick<Issued, 'lost'>
}

/** @param only check only this device */
export async function numberBlockers(
  { store, clock, issued }: NumberDeps,
  companies: readonly Company[],
  only: Device | undefined,
): Promise<NumberBlockers> {
  const isAsked = ({ premisesCode }: Journal) => only === undefined || only.premisesCode === premisesCode
  const companyOf = ({ companyId, mode }: Journal) =>
    companies.find((company) => company.id === companyId && company.mode === mode)
  const lost = issued.lost().filter((one) => companyOf(one) && isAsked(one))
  const found: { sequence: Sequence; company: Company }[] = []
  for (const { sequence, left } of await sequencesEnding(store, clock.of('live').now())) {
    const company = companyOf(sequence)
    if (!company || left > 0n || sequence.year !== zagrebYear(clock.of(company.mode).now())) continue
    if (isAsked(sequence)) found.push({ sequence, company })
  }
  return {
    problems: [...found.map(problemOf), ...lost.map((one) => lostProblem(one, companyOf(one)))],
    concerns: ({ companyId, premisesCode }, register) =>
      lost.some((one) => one.companyId === companyId && one.premisesCode === premisesCode) ||
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

const RESTORE = 'restore a newer copy of the database: fisk restore FILE'

/** @param company of the lost sales; undefined where the database lacks it, too */
export function lostProblem({ premisesCode, sales }: Behind, company?: Company): Blocker {
  const skip = company && `; or go on above these numbers: fisk numbers skip-lost ${company.oib} ${premisesCode}`
  return {
    cause: 'sales_lost',
    ...(company && { companyId: company.id, premises: { code: premisesCode, register: null } }),
    subject: `premises ${premisesCode}`,
    problem: `the database lacks sales that were issued, up to number ${sales.at(-1)?.number}: nothing is sold there`,
    fix: company ? forTenant(company.tenantId, `${RESTORE}${skip}`) : RESTORE,
  }
}
