import type { XmlElement } from 'libxml2-wasm'
import type { CisError } from './errors.ts'
import { judgeCertificate } from './judge-certificate.ts'
import { judgeReceipt, type RegisteredDevice } from './judge-receipt.ts'
import { judgeSchema } from './judge-schema.ts'
import { judgeSignature } from './judge-signature.ts'
import type { Pki } from './pki.ts'
import { childNamed, F73_NS, textAt } from './xml.ts'

export interface JudgeContext {
  pki: Pki
  /** Epoch milliseconds. */
  now: number
  /** The devices in the portal; null to skip the check. */
  registry: readonly RegisteredDevice[] | null
}

/**
 * The first fault of a `RacunZahtjev`, or null: checks schema, signature, certificate, then the receipt itself. Removes
 * the signature from the document.
 */
export function judge(request: XmlElement, { pki, now, registry }: JudgeContext): CisError | null {
  const schemaError = judgeSchema(request)
  if (schemaError !== null) return schemaError

  const signature = judgeSignature(request)
  if ('error' in signature) return signature.error

  const oib = textAt(request, 'Racun', 'Oib') ?? ''
  const certificateError = judgeCertificate(signature.certificate, oib, pki, now)
  if (certificateError !== null) return certificateError

  const receipt = childNamed(request, F73_NS, 'Racun')
  return receipt === null ? null : judgeReceipt(receipt, now, registry)
}
