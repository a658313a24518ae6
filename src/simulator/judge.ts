import { X509Certificate } from 'node:crypto'
import { XmlDocument, type XmlElement, XsdValidator } from 'libxml2-wasm'
import { type CisError, cisError } from './errors.ts'
import { judgeReceipt, type RegisteredDevice } from './judge-receipt.ts'
import { judgeSignature } from './judge-signature.ts'
import type { Pki } from './pki.ts'
import { RACUN_XSD } from './schema.ts'
import { childNamed, F73_NS, textAt } from './xml.ts'
import { momentsOf } from './zagreb.ts'

export interface JudgeContext {
  pki: Pki
  /** Epoch milliseconds. */
  now: number
  /** The devices in the portal; null to skip the check. */
  registry: readonly RegisteredDevice[] | null
}

/** The first fault of schema, signature, certificate, then receipt; null without one. Removes the signature. */
export function judge(request: XmlElement, context: JudgeContext): CisError | null {
  const formError = judgeForm(request, context)
  if (formError !== null) return formError
  const receipt = childNamed(request, F73_NS, 'Racun')
  return receipt === null ? null : judgeReceipt(receipt, context.now, context.registry)
}

/** What holds for every message: schema, signature, certificate. @param isSigned a check may come without a signature */
export function judgeForm(request: XmlElement, { pki, now }: JudgeContext, isSigned = true): CisError | null {
  const schemaError = judgeSchema(request)
  if (schemaError !== null || !isSigned) return schemaError

  const signature = judgeSignature(request)
  if ('error' in signature) return signature.error

  const oib = textAt(request, 'Racun', 'Oib') ?? textAt(request, 'PoslovniProstor', 'Oib') ?? textAt(request, 'Oib')
  return judgeCertificate(signature.certificate, oib ?? '', pki, now)
}

let validator: XsdValidator | null = null

/** `s001` when the request does not match the schema, or contains a date that does not exist. */
function judgeSchema(request: XmlElement): CisError | null {
  validator ??= compile()
  try {
    validator.validate(request)
  } catch (error) {
    return cisError('s001', (error as Error).message.split('\n')[0])
  }
  for (const path of [
    ['Zaglavlje', 'DatumVrijeme'],
    ['Racun', 'DatVrijeme'],
  ]) {
    const text = textAt(request, ...path)
    // Hours hold no sale.
    if (text === null) continue
    if (momentsOf(text) === null) return cisError('s001', `${path.join('/')}: ${text}`)
  }
  for (const { content } of request.find('.//f:DatumOd | .//f:DatumDo | .//f:Datum', { f: F73_NS })) {
    if (momentsOf(`${content}T12:00:00`) === null) return cisError('s001', content)
  }
  return null
}

function compile(): XsdValidator {
  using schema = XmlDocument.fromString(RACUN_XSD)
  return XsdValidator.fromDoc(schema)
}

/** `s002`: no chain to the PKI, or not valid now; `s003`: no OIB; `s005`: one of its OIBs is not the message's. */
function judgeCertificate(certificate: X509Certificate, oib: string, pki: Pki, now: number): CisError | null {
  if (!chains(certificate, pki, now)) return cisError('s002')
  const oibs = oibsIn(certificate)
  if (oibs.length === 0) return cisError('s003')
  return oibs.every((one) => one === oib) ? null : cisError('s005')
}

function chains(leaf: X509Certificate, pki: Pki, now: number): boolean {
  const [root, issuing] = pki.bundleDer.map((der) => new X509Certificate(der))
  if (root === undefined || issuing === undefined) return false
  const inTime = [leaf, issuing, root].every((c) => Date.parse(c.validFrom) <= now && now <= Date.parse(c.validTo))
  return inTime && !leaf.ca && leaf.checkIssued(issuing) && leaf.verify(issuing.publicKey)
}

/** The OIBs in both places of the subject: at the end of `O`, and in `organizationIdentifier` (docs/spec/cis.md). */
function oibsIn(certificate: X509Certificate): string[] {
  const parts = certificate.subject.split('\n')
  const valuesOf = (name: string) =>
    parts.filter((part) => part.startsWith(`${name}=`)).map((part) => part.slice(name.length + 1))
  const found = [
    ...valuesOf('O').map((text) => /(?:^|\s)HR(\d{11})$/.exec(text)?.[1]),
    ...valuesOf('organizationIdentifier').map((text) => /^(?:HR|VATHR-)(\d{11})$/.exec(text)?.[1]),
  ]
  return found.filter((oib) => oib !== undefined)
}
