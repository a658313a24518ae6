import { createHash, createPrivateKey, sign as signBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { XmlElement } from 'libxml2-wasm'
import { answerElement } from '../../../src/simulator/answer.ts'
import type { KeyAndCertificate } from '../../../src/simulator/index.ts'
import { SIGNATURE_PLACE, sign } from '../../../src/simulator/sign.ts'
import { envelope } from '../../../src/simulator/soap.ts'
import { canonicalize, DSIG_NS, INCLUSIVE_C14N, withDocument } from '../../../src/simulator/xml.ts'
import { idOf } from './sequence.ts'

/** Confirmations of the messages of the sequence, signed before anybody asks for them. */
export interface Answers {
  /** Signs until so many are there. */
  sign(count: number): Promise<void>
  /** The whole SOAP answer, undefined when it is not signed yet. Its JIR is the message's own id. */
  of(index: number): string | undefined
  /** Signed now, to any message: its JIR is the message's id, too. */
  now(id: string): Promise<string>
}

/** A message id that stands in the sample where each answer has its own. */
const MARK = idOf(0xffff_ffff_ffff)
const ELEMENT_ID = 'Gb0000000-0000-4000-8000-answer'
const AT_ONCE = 64

const signAside = promisify(signBytes)

/**
 * The simulator signs one sample; each answer is the sample with another id, so another digest and another signature
 * value. That it comes out byte for byte as the simulator would sign it is checked first.
 */
export async function createAnswers(signer: KeyAndCertificate, processedAt: number): Promise<Answers> {
  const unsigned = (id: string) =>
    envelope(answerElement({ messageId: id, processedAt, jir: id, errors: [] }, ELEMENT_ID, SIGNATURE_PLACE))
  const sample = sign(unsigned(MARK), ELEMENT_ID, signer)
  const content = canonicalOf(unsigned(MARK), `//*[@Id="${ELEMENT_ID}"]`)
  const signedInfo = canonicalOf(sample, '//ds:SignedInfo')
  const sampleDigest = textOf(sample, 'DigestValue')
  const sampleValue = textOf(sample, 'SignatureValue')
  const key = createPrivateKey(signer.keyPem)
  const signatures: { digest: string; value: Buffer }[] = []

  async function signatureOf(id: string) {
    const digest = createHash('sha256').update(content.replaceAll(MARK, id)).digest('base64')
    const value = await signAside('sha256', Buffer.from(signedInfo.replace(sampleDigest, digest)), key)
    return { digest, value }
  }

  const answerWith = (id: string, { digest, value }: { digest: string; value: Buffer }) =>
    sample.replace(sampleDigest, digest).replace(sampleValue, value.toString('base64')).replaceAll(MARK, id)

  function of(index: number): string | undefined {
    const signature = signatures[index]
    return signature && answerWith(idOf(index), signature)
  }

  async function signMore(count: number) {
    while (signatures.length < count) {
      const next = Array.from({ length: Math.min(AT_ONCE, count - signatures.length) }, (_, i) =>
        idOf(signatures.length + i),
      )
      signatures.push(...(await Promise.all(next.map(signatureOf))))
    }
  }

  await signMore(1)
  if (of(0) !== sign(unsigned(idOf(0)), ELEMENT_ID, signer))
    throw new Error('the answers are not signed as they must be')
  return { sign: signMore, of, now: async (id) => answerWith(id, await signatureOf(id)) }
}

function canonicalOf(document: string, path: string): string {
  return withDocument(document, ({ root }) => {
    const element = root.get(path, { ds: DSIG_NS })
    if (!(element instanceof XmlElement)) throw new Error(`there is no ${path}`)
    return canonicalize(element, INCLUSIVE_C14N)
  })
}

function textOf(document: string, element: string): string {
  const found = new RegExp(`<${element}>([^<]+)</${element}>`).exec(document)?.[1]
  if (found === undefined) throw new Error(`there is no ${element}`)
  return found
}
