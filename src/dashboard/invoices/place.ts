import type { ListPosition } from '../../fiscal/office/invoice-list/list-invoices.ts'
import type { RangePlace } from '../../fiscal/ports/rows/invoice-ranges.ts'
import { INVOICE_ID } from '../ids.ts'

/** A place in the list, for addresses. */
export const writePlace = ({ amount, at, id }: RangePlace) => `${amount}.${at}.${id}`

const PLACE = /^(-?\d{1,18})\.(-?\d{1,16})\.(.+)$/

function readPlace(text: string | undefined): RangePlace | undefined {
  const [, amount = '', at = '', id = ''] = PLACE.exec(text ?? '') ?? []
  return INVOICE_ID.test(id) ? { amount: BigInt(amount), at: Number(at), id } : undefined
}

/** Which page an address asks for; the first one where it names none. */
export function readPosition({ after, before, page }: Record<string, string>): ListPosition {
  const [behind, ahead] = [readPlace(after), readPlace(before)]
  if (behind !== undefined) return { behind }
  if (ahead !== undefined) return { before: ahead }
  return page === 'last' ? 'last' : 'first'
}
