import type { Enrolment } from '../../fiscal/ports/enrolment.ts'
import type { KeptFacts } from '../../fiscal/ports/kept-facts.ts'
import type { WireNumber } from '../wire/messages.ts'
import { areSigned } from '../wire/signed-numbers.ts'

/** Key in the keep: the key of a server that has signed numbers once. */
const SIGNS = 'sync_signs_numbers'

/**
 * Whether what a server tells of numbers is its own word: signed for this question. A server of an older version signs
 * nothing, and is believed until it has signed once.
 */
export async function areBelievable(
  { numbers, numbers_signature: signature }: { numbers: readonly WireNumber[]; numbers_signature?: string },
  { gatewayId, serverKey }: Pick<Enrolment, 'gatewayId' | 'serverKey'>,
  nonce: string,
  keep: KeptFacts,
): Promise<boolean> {
  if (serverKey === null) return true
  const before = await keep.get(SIGNS)
  const hasSigned = before?.toString() === serverKey
  if (signature === undefined) return !hasSigned
  if (!areSigned({ gatewayId, nonce, numbers }, signature, serverKey)) return false
  if (hasSigned) return true
  if (before) await keep.remove(SIGNS)
  await keep.keep(SIGNS, Buffer.from(serverKey))
  return true
}
