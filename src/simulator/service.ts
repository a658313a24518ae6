import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Answer, signedAnswer, statusOf } from './answer.ts'
import { deliver, type Reply, send, sendOutage } from './delivery.ts'
import { cisError } from './errors.ts'
import { forgedAnswer, hearsay } from './forgeries.ts'
import type { JudgeContext } from './judge.ts'
import type { Ledger, ReceivedMessage } from './ledger.ts'
import { isOutage, type Misbehaviour } from './misbehaviours.ts'
import { forgeryOf, hearsayOf, imposedError, type Plans } from './plans.ts'
import type { SignatureHash } from './sign.ts'
import type { Signers } from './signers.ts'
import { echoEnvelope, faultEnvelope, isEmpty, operationOf, SoapFault, withRequest } from './soap.ts'
import { wrappedAnswer } from './wrapping.ts'

export interface ServiceParts {
  ledger: Ledger
  plans: Plans
  signers: Signers
  context(): JudgeContext
  onMessage(message: ReceivedMessage): void
  /** The hash of genuine signatures. */
  hash(): SignatureHash
  /** Whether an empty envelope gets a signed answer or a SOAP fault. */
  signsNothing(): boolean
}

/** Answers one SOAP request. Any other request gets a SOAP fault. */
export async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  body: string,
  parts: ServiceParts,
): Promise<void> {
  try {
    const operation = operationOf(request.headers.soapaction?.toString())
    if (operation === 'echo') serveEcho(response, body, parts)
    else if (parts.signsNothing() && isEmpty(body)) serveNothing(response, parts)
    else await serveReceipt(response, body, parts)
  } catch (error) {
    if (!(error instanceof SoapFault)) throw error
    send(response, { status: 500, body: faultEnvelope('Client', error.message) })
  }
}

function serveEcho(response: ServerResponse, body: string, { plans }: ServiceParts): void {
  const standing = plans.standing()
  if (isOutage(standing)) {
    sendOutage(response, standing)
    return
  }
  const text = withRequest(body, 'echo', (request) => request.content)
  send(response, { status: 200, body: echoEnvelope(text) })
}

async function serveReceipt(response: ServerResponse, body: string, parts: ServiceParts): Promise<void> {
  const behaviour = parts.plans.next()
  if (isOutage(behaviour)) return sendOutage(response, behaviour)
  if (behaviour === 'odgovor') return send(response, { status: 500, body: hearsay(behaviour, NOBODY, parts.signers) })

  const context = parts.context()
  const message = withRequest(body, 'racuni', (request) =>
    parts.ledger.process(request, body, context, imposedError(behaviour)),
  )
  parts.onMessage(message)
  const { messageId, jir, errors } = message
  const reply = await replyTo({ messageId, processedAt: context.now, jir, errors }, behaviour, parts)
  if (typeof behaviour === 'object' && behaviour !== null && 'dateAheadMs' in behaviour) {
    response.setHeader('date', new Date(context.now + behaviour.dateAheadMs).toUTCString())
  }
  await deliver(response, reply, behaviour)
}

const NOBODY: Answer = { messageId: '', processedAt: 0, jir: null, errors: [] }

async function replyTo(answer: Answer, behaviour: Misbehaviour | null, parts: ServiceParts): Promise<Reply> {
  const { signers, hash } = parts
  const nothing = hearsayOf(behaviour)
  if (nothing !== null) return { status: 500, body: hearsay(nothing, answer, signers) }
  const forgery = forgeryOf(behaviour)
  if (forgery === null) {
    const change = behaviour === 'spaced' ? spaced : undefined
    const body = signedAnswer(answer, signers.good, behaviour === 'sha1' ? 'sha1' : hash(), change)
    return { status: statusOf(answer), body }
  }
  const body =
    typeof forgery === 'object'
      ? wrappedAnswer(answer, signers.good, forgery.wrapped)
      : await forgedAnswer(forgery, answer, signers)
  return { status: statusOf(answer), body }
}

/** Puts the text of these elements on separate lines. */
function spaced(element: string): string {
  return element.replace(/<tns:(Jir|IdPoruke|SifraGreske)>([^<]*)</g, '<tns:$1>\n  $2\n<')
}

/** The real service reportedly answers an empty envelope with a signed `s006` without a message id. */
function serveNothing(response: ServerResponse, { plans, signers, hash, context }: ServiceParts): void {
  const standing = plans.standing()
  if (isOutage(standing)) {
    sendOutage(response, standing)
    return
  }
  const answer = { messageId: '', processedAt: context().now, jir: null, errors: [cisError('s006')] }
  send(response, { status: 500, body: signedAnswer(answer, signers.good, hash()) })
}
