import type { ListPosition } from '../../fiscal/office/invoice-list/list-invoices.ts'
import type { RangePosition } from '../../fiscal/ports/rows/invoice-ranges.ts'
import { INVOICE_ID } from '../ids.ts'

/** A position in the list, for addresses. */
export const writePosition = ({ amount, at, id }: RangePosition) => `${amount}.${at}.${id}`

const POSITION = /^(-?\d{1,18})\.(-?\d{1,16})\.(.+)$/

function parsePosition(text: string | undefined): RangePosition | undefined {
  const [, amount = '', at = '', id = ''] = POSITION.exec(text ?? '') ?? []
  return INVOICE_ID.test(id) ? { amount: BigInt(amount), at: Number(at), id } : undefined
}

/** Which page an address asks for; the first one where it names none. */
export function readPosition({ after, before, page }: Record<string, string>): ListPosition {
  const [behind, ahead] = [parsePosition(after), parsePosition(before)]
  if (behind !== undefined) return { behind }
  if (ahead !== undefined) return { before: ahead }
  return page === 'last' ? 'last' : 'first'
}
