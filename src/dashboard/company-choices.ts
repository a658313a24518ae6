import type { Principal } from '../fiscal/access/principal.ts'
import type { UseCases } from '../fiscal/use-cases.ts'
import { UUID } from './ids.ts'

/** A longer list of check boxes would be of no use; the command line takes any company. */
const MOST = 500

export interface CompanyChoice {
  value: string
  text: string
  checked: boolean
}

/** The companies that somebody may be given, or may choose, by name. */
export async function companyChoices(
  v1: Pick<UseCases, 'listCompanies'>,
  principal: Principal,
  chosen: readonly string[],
): Promise<CompanyChoice[]> {
  const { items } = await v1.listCompanies(principal, { allTenants: false }, { limit: MOST })
  const named = items.map(({ id, name, oib }) => ({
    value: id,
    text: `${name} (${oib})`,
    checked: chosen.includes(id),
  }))
  return named.sort((one, other) => collator.compare(one.text, other.text))
}

const collator = new Intl.Collator('hr', { numeric: true })

/** What was ticked; null where all companies were chosen. */
export function readCompanies(form: Record<string, string>): string[] | null {
  if (form.reach !== 'some') return null
  return [...new Set((form.companies ?? '').split(',').filter((id) => UUID.test(id)))].sort()
}
