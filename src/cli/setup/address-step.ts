import { CompanySchema } from '../../contract/v1/fleet.ts'
import { companyNamed } from '../daemon/companies.ts'
import { clash } from '../failure.ts'
import { addressFields } from '../options.ts'
import type { Prompter } from '../prompts.ts'
import type { Setup, SetupCompany, Step } from './setup.ts'

/** The seat of a company, as `/v1` has it. */
export type Seat = Record<string, unknown>

const QUESTIONS = [
  ['street', 'Seat of the company, for its receipts: street and number (empty: later)'],
  ['postal_code', 'Postal code'],
  ['city', 'City'],
] as const

/** @returns null when it is left for later */
export async function askedAddress(prompter: Prompter): Promise<Seat | null> {
  const address: Seat = {}
  for (const [field, question] of QUESTIONS) {
    const answer = await prompter.text(question)
    if (answer !== '') address[field] = answer
    else if (field === 'street') return null
  }
  return address
}

/** Sees to it that receipts can say where a company, registered before, has its seat. */
export async function addressStep(setup: Setup, { id, oib, name }: SetupCompany): Promise<void> {
  const { client, options, prompter, steps } = setup
  if (steps.some(({ step }) => step === 'address')) return
  const { address: known } = await companyNamed(client, id)
  const given = addressFields(options) ?? null
  if (Object.entries(given ?? {}).some(([field, value]) => known[field] !== undefined && known[field] !== value)) {
    throw clash(
      'street',
      `The seat of ${name} is registered otherwise: ${spoken(known)}.`,
      `To change it: fisk company set ${oib} --street TEXT --postal-code CODE --city NAME`,
    )
  }
  const isKnown = Boolean(known.street || known.city)
  const wanted = given ?? (isKnown || prompter === null ? null : await askedAddress(prompter))
  const isNew = Object.keys(wanted ?? {}).some((field) => known[field] === undefined)
  const address = { ...known, ...wanted }
  if (isNew) await client.patch(`/v1/companies/${id}`, CompanySchema, { address })
  noteAddress(setup, oib, isKnown || isNew ? address : null, isNew ? 'done' : 'already')
}

export function noteAddress({ steps }: Setup, oib: string, address: Seat | null, state: Step['state']): void {
  const left = `fisk company set ${oib} --street "..." --postal-code ... --city "..."; receipts need it`
  if (address) steps.push({ step: 'address', state, detail: spoken(address) })
  else steps.push({ step: 'address', state: 'left', detail: left, optional: true })
}

function spoken({ street = '', postal_code = '', city = '' }: Seat): string {
  return [street, `${postal_code} ${city}`.trim()].filter(Boolean).join(', ')
}
