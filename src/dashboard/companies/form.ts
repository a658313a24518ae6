import { isOib } from '../../domain/oib.ts'
import { isXmlText } from '../../domain/xml-text.ts'
import type { Company, JsonObject } from '../../fiscal/ports/model.ts'
import { DASHBOARD_BOUNDS } from '../bounds.ts'
import type { texts } from './texts.ts'

type Texts = (typeof texts)['hr']

/** The parts of an address: their names in the form and in the stored address. */
export const SEAT = [
  ['street', 'street'],
  ['postal', 'postal_code'],
  ['city', 'city'],
  ['country', 'country'],
] as const

const isShort = (text: string, most: number) => [...text].length <= most && isXmlText(text)

/** The company as the form has it, and what is wrong with it, by field. */
export function readCompany(form: Record<string, string>, before: JsonObject, t: Texts) {
  const name = form.name?.trim() ?? ''
  const errors: Record<string, string> = {}
  if (name === '') errors.name = t.nameMissing
  else if (!isShort(name, DASHBOARD_BOUNDS.companyName.most)) errors.name = t.nameWrong
  const address: Record<string, unknown> = { ...before }
  for (const [field, member] of SEAT) {
    const text = form[field]?.trim() ?? ''
    if (!isShort(text, DASHBOARD_BOUNDS.seat.most)) errors[field] = t.seatWrong
    if (text === '') delete address[member]
    else address[member] = text
  }
  return { company: { name, vatRegistered: form.vat === 'yes', address: address as JsonObject }, errors }
}

/** Without the spaces that people put between the digits. */
export function readOib(text: string | undefined): { oib: string; isRight: boolean } {
  const oib = (text ?? '').replace(/\s/g, '')
  return { oib, isRight: isOib(oib) }
}

/** A company as the form shows it. */
export function valuesOf({ name, vatRegistered, address }: Pick<Company, 'name' | 'vatRegistered' | 'address'>) {
  const seat = SEAT.map(([field, member]) => [field, textOf(address[member])] as const)
  return { name, vat: vatRegistered ? 'yes' : '', ...Object.fromEntries(seat) } as Record<string, string>
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')
