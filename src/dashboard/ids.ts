import { notFound } from '../domain/errors.ts'

type Address = { params: Record<string, string> }

export const INVOICE_ID = /^inv_[0-9A-Za-z_-]{1,80}$/
/** As we write them. */
export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Of the address. @throws FiskError 404 */
export function invoiceIdOf({ params }: Address): string {
  const id = params.id ?? ''
  if (!INVOICE_ID.test(id)) throw notFound('id', 'there is no such invoice')
  return id
}

/** Of the address. @throws FiskError 404 */
export function messageIdOf({ params }: Address): string {
  const id = (params.message ?? '').toLowerCase()
  if (!UUID.test(id)) throw notFound('message', 'there is no such message')
  return id
}

/** An id from a filter; `-`, which no row has, for a malformed one. */
export function chosenId(text: string): string | undefined {
  if (text === '') return undefined
  const id = text.toLowerCase()
  return UUID.test(id) ? id : '-'
}
