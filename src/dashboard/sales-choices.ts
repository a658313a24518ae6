import type { Mode } from '../domain/sale/sale.ts'
import type { Principal } from '../fiscal/access/principal.ts'
import type { Company, Device } from '../fiscal/ports/model.ts'
import type { UseCases } from '../fiscal/use-cases.ts'

export interface Option {
  value: string
  text: string
}

/** A longer menu would be of no use. */
const MOST = 200

/** What a list of sales can be narrowed down to. @param chosen a device that can be chosen however many there are */
export async function salesChoices(v1: UseCases, principal: Principal, chosen?: string) {
  const all = { allTenants: false }
  const companies = await v1.listCompanies(principal, all, { limit: MOST })
  const listed = await v1.listDevices(principal, all, { limit: MOST })
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
const deviceOption = ({ id, label, premisesCode }: Device): Option => ({
  value: id,
  text: `${label} (${premisesCode})`,
})

const collator = new Intl.Collator('hr', { numeric: true })
export const byText = (a: Option, b: Option) => collator.compare(a.text, b.text)
