import { FiskError } from '../errors.ts'

/** @param holder for people, e.g. `the gateway Split` */
export const premisesBelongTo = (premisesCode: string, holder: string) =>
  `premises ${premisesCode} belongs to ${holder}`

/** Why nobody else may number receipts at a premises. @param param the field of the request that names it */
export function premisesHeld(premisesCode: string, holder: string, param = 'premises_code'): FiskError {
  const message = `${premisesBelongTo(premisesCode, holder)}: two that number receipts there would issue a number twice`
  return new FiskError('premises_owned_by_gateway', message, { param })
}
