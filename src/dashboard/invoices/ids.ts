import { notFound } from '../../domain/errors.ts'
import type { Visit } from '../shell.ts'

const INVOICE = /^inv_[0-9A-Za-z_-]{1,80}$/
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Of the address. @throws FiskError 404 */
export function invoiceIdOf({ params }: Visit): string {
  const id = params.id ?? ''
  if (!INVOICE.test(id)) throw notFound('id', 'there is no such invoice')
  return id
}

/** Of the address. @throws FiskError 404 */
export function messageIdOf({ params }: Visit): string {
  const id = params.message ?? ''
  if (!UUID.test(id)) throw notFound('message', 'there is no such message')
  return id
}

/** An id that somebody chose; `-`, which nothing has, for what can be none. */
export function chosenId(text: string): string | undefined {
  if (text === '') return undefined
  return UUID.test(text) ? text.toLowerCase() : '-'
}
