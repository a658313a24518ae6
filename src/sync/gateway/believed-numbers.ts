import type { Enrolment } from '../../fiscal/ports/enrolment.ts'
import type { WireNumber } from '../wire/messages.ts'
import { areSigned } from '../wire/signed-numbers.ts'

/** Whether what a server tells of numbers is its own word: signed for this question. */
export function areBelievable(
  { numbers, numbers_signature: signature }: { numbers: readonly WireNumber[]; numbers_signature: string },
  { gatewayId, serverKey }: Pick<Enrolment, 'gatewayId' | 'serverKey'>,
  nonce: string,
): boolean {
  return serverKey !== null && areSigned({ gatewayId, nonce, numbers }, signature, serverKey)
}
