import type { FiscalMessage, Outcome } from '../fiscal/ports.ts'
import { outcomeOf, unavailable, unbelievable } from './outcome.ts'
import type { SignedAnswer } from './signed-answer.ts'
import type { Signers } from './signers.ts'
import { isFault, soapContent } from './soap.ts'
import type { Reply } from './transport.ts'
import { takeAnswer, verifyAnswer } from './verify.ts'
import { condition } from './xml-path.ts'
import { MalformedXml, readXml, XmlRefusal } from './xml-reader.ts'

/**
 * What became of a message. The body is read before the status is judged: rejections come with HTTP 500
 * (spec/cis.md, Messages). A body that is no answer says nothing about the sale, so it is sent again; one that claims to
 * be an answer and is not to be believed is a fault for people to look at, and never a JIR.
 */
export async function judge(reply: Reply, sent: Pick<FiscalMessage, 'mode' | 'messageId'>, signers: Signers) {
  if (!reply.arrived) return unavailable(`The tax authority did not answer: ${reply.reason}.`)
  try {
    const signed = takeIfAnswer(reply)
    if (signed === undefined)
      return unavailable(`The tax authority did not answer, but HTTP ${reply.status} came back.`)
    return outcomeOf(await verifyAnswer(signed, sent, signers))
  } catch (error) {
    return refusal(error)
  }
}

/** The element itself, not a page or a fault that names it. */
const START_TAG = /<(?:[\w.-]+:)?RacunOdgovor[\s/>]/

const holdsAnswer = condition('//*[local-name()="RacunOdgovor"]')

/** @returns undefined when the body is something else than an answer: a SOAP fault, a page of a proxy, nothing. */
function takeIfAnswer({ status, body, framed }: Reply & { arrived: true }): SignedAnswer | undefined {
  if (!START_TAG.test(body.toString('latin1'))) return undefined
  try {
    return readXml(body, (document) => {
      const content = soapContent(document)
      if ((content && isFault(content)) || !holdsAnswer(document.root)) return undefined
      return takeAnswer(content)
    })
  } catch (error) {
    // The service answers with 200 or 500 only; and where nothing announced the end of the body, what cannot be parsed
    // was cut off on its way.
    const fromService = framed && (status === 200 || status === 500)
    if (error instanceof MalformedXml && !fromService) return undefined
    throw error
  }
}

function refusal(error: unknown): Outcome {
  // What is thrown by a parser or by OpenSSL may quote the document; whatever it was, nothing here is believed.
  return unbelievable(error instanceof XmlRefusal ? error.message : 'it cannot be checked')
}
