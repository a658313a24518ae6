import { CompanySchema, type CompanyView } from '../../contract/v1/fleet.ts'
import { missing } from '../failure.ts'
import type { Client } from './client.ts'
import { pages } from './lists.ts'
import { companyId } from './references.ts'

/** The company that an OIB or id names, as it is now. */
export async function companyNamed(client: Client, reference: string): Promise<CompanyView> {
  const id = companyId(reference)
  for await (const { data } of pages(client, '/v1/companies', CompanySchema)) {
    const found = data.find((company) => company.id === id)
    if (found) return found
  }
  throw missing('company', `There is no company ${reference}.`, 'See them all: fisk company list')
}
