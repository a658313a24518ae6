import { createHash, createSign, randomUUID } from 'node:crypto'
import { XmlC14NMode, XmlDocument, type XmlElement } from 'libxml2-wasm'
import { signedAnswer } from '../../../src/simulator/answer.ts'
import { pki } from '../../support/pki.ts'
import { JIR } from './answers.ts'
import { MESSAGE_ID } from './messages.ts'

const SIGNED_AT = Date.UTC(2026, 6, 1, 8, 16, 1)
const NAMESPACES = {
  tns: 'http://www.apis-it.hr/fin/2012/types/f73',
  ds: 'http://www.w3.org/2000/09/xmldsig#',
}

/** A confirmation byte for byte as the service writes it. */
export const serviceAnswer = (hash: 'sha256' | 'sha1' = 'sha256', jir = JIR): string =>
  signedAnswer({ messageId: MESSAGE_ID, processedAt: SIGNED_AT, jir, errors: [] }, pki.signer, hash)

/** The same about any message. */
export const anyServiceAnswer = (): string =>
  signedAnswer({ messageId: randomUUID(), processedAt: SIGNED_AT, jir: randomUUID(), errors: [] }, pki.signer)

/**
 * Signs a changed answer again with the authority's key, as far as libxml2 still finds its parts: what is wrong with it then is the
 * change alone.
 */
export function signedAnew(xml: string): string {
  const answer = canonicalOf(xml.replace(/<Signature .*<\/Signature>/s, ''), '//tns:RacunOdgovor')
  if (answer === undefined) return xml
  const digest = createHash('sha256').update(answer).digest('base64')
  const digested = xml.replace(/(<DigestValue>)[^<]*/, `$1${digest}`)
  const signedInfo = canonicalOf(digested, '//ds:SignedInfo')
  if (signedInfo === undefined) return digested
  const value = createSign('RSA-SHA256').update(signedInfo).sign(pki.signer.keyPem, 'base64')
  return digested.replace(/(<SignatureValue>)[^<]*/, `$1${value}`)
}

function canonicalOf(xml: string, path: string): string | undefined {
  let document: XmlDocument | undefined
  try {
    document = XmlDocument.fromString(xml)
    const element = document.root.get(path, NAMESPACES) as XmlElement | null
    return element?.canonicalizeToString({ mode: XmlC14NMode.XML_C14N_1_0 })
  } catch {
    return undefined
  } finally {
    document?.dispose()
  }
}
