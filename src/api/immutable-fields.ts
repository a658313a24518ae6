import { invalidRequest } from '../domain/errors.ts'

/** Refuses a change of what never changes, and says what to do instead. @throws FiskError `invalid_request` */
export function refuseFields(body: unknown, fields: readonly string[], instead: string): void {
  if (typeof body !== 'object' || body === null) return
  const field = fields.find((name) => Object.hasOwn(body, name))
  if (field !== undefined) throw invalidRequest(field, `${field} cannot be changed: ${instead}`)
}
