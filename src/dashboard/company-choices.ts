import type { Mode } from '../domain/sale/sale.ts'
import type { Principal } from '../fiscal/access/principal.ts'
import type { Company, Device } from '../fiscal/ports/model.ts'
import type { UseCases } from '../fiscal/use-cases.ts'
import { UUID } from './ids.ts'

/** A longer list of check boxes would be of no use; the command line takes any company. */
const MOST = 500

type Lists = Pick<UseCases, 'listCompanies'>

export const companiesOf = async (v1: Lists, principal: Principal) =>
  (await v1.listCompanies(principal, { allTenants: false }, { limit: MOST })).items

/** The companies that a user may be limited to, or may choose, by name. */
export async function companyChoices(v1: Lists, principal: Principal, chosen: readonly string[]) {
  return (await companiesOf(v1, principal))
    .map((company) => ({ ...companyOption(company), checked: chosen.includes(company.id) }))
    .sort(byText)
}

/** What was ticked; null for all companies, and nothing where a form says both or neither. */
export function readCompanies({ reach, companies = '' }: Record<string, string>): string[] | null | undefined {
  if (reach === 'all') return companies === '' ? null : undefined
  return reach === 'some' ? [...new Set(companies.split(',').filter((id) => UUID.test(id)))].sort() : undefined
}

/** The form that the address asks for; without, that of what is stored. */
export const reachIn = ({ reach }: Record<string, string>, stored: 'some' | 'all') =>
  reach === 'some' || reach === 'all' ? reach : stored

/** A longer menu would be of no use. */
const MOST_IN_MENU = 200

/** What a list of sales can be narrowed down to. @param chosen a device that can be chosen however many there are */
export async function salesChoices(v1: UseCases, principal: Principal, chosen?: string) {
  const all = { allTenants: false }
  const companies = await v1.listCompanies(principal, all, { limit: MOST_IN_MENU })
  const listed = await v1.listDevices(principal, all, { limit: MOST_IN_MENU })
  const devices = listed.next === null ? listed.items : listed.items.filter(({ id }) => id === chosen)
  return {
    companies: companies.items.map(companyOption).sort(byText),
    /** Empty when there are too many to choose from. */
    devices: devices.map(deviceOption).sort(byText),
    /** That of real sales as soon as there can be any. */
    mode: (companies.items.some(({ mode }) => mode === 'live') ? 'live' : 'test') as Mode,
  }
}

export const companyOption = ({ id, name, oib }: Company) => ({ value: id, name, text: `${name} (${oib})` })
const deviceOption = ({ id, label, premisesCode }: Device) => ({ value: id, text: `${label} (${premisesCode})` })
export type Option = ReturnType<typeof deviceOption>

const collator = new Intl.Collator('hr', { numeric: true })
export const byText = (a: Option, b: Option) => collator.compare(a.text, b.text)
