import type { FastifyRequest } from 'fastify'
import { notFound } from '../domain/errors.ts'
import type { Principal } from '../fiscal/access/principal.ts'
import type { Company } from '../fiscal/ports/model.ts'
import type { OfficeUseCases, UseCases } from '../fiscal/use-cases.ts'
import { companiesOf, companyChoices } from './company-choices.ts'

export const COMPANY_COOKIE = 'fiskd_company'

/** Pages of no company, of many at once, or of the one in their address: the switch in the head does not narrow them. */
const NOT_NARROWED = /^\/(account|closings\/schedules|companies|devices\/import|jobs(?!\/confirm))\b/

export const isNarrowed = (path: string) => !NOT_NARROWED.test(path)

/**
 * The company that is chosen in the head; null for all. A form, or a page that updates itself, goes on with the company that it was
 * made for, whatever was chosen in another window since.
 * @throws FiskError 404 where that company is gone; what the browser keeps is all companies then
 */
export async function chosenCompany(
  v1: Pick<UseCases, 'listCompanies'>,
  own: Principal,
  { headers, cookies }: FastifyRequest,
  sent: Record<string, string>,
): Promise<Company | null> {
  const ofPage = sent._company ?? headers['x-company']
  const id = ofPage ?? cookies[COMPANY_COOKIE] ?? ''
  if (id === '') return null
  const company = (await companiesOf(v1, own)).find((one) => one.id === id)
  if (!company && ofPage !== undefined) throw notFound('company', 'there is no such company')
  return company ?? null
}

/** What the head offers, with the number of machines of each, by name; nothing where there is no choice. */
export async function switchChoices(v1: Pick<UseCases, 'listCompanies'>, office: OfficeUseCases, own: Principal) {
  const choices = await companyChoices(v1, own, [])
  if (choices.length < 2) return []
  const machines = await office.machines.perCompany(own)
  return choices.map(({ value, name }) => ({ value, name, machines: machines.get(value) ?? 0 }))
}
