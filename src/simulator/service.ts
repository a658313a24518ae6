import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Answer, signedAnswer, statusOf } from './answer.ts'
import { deliver, type Reply, send, sendOutage } from './delivery.ts'
import { cisError } from './errors.ts'
import { forgedAnswer, hearsay, wrappedAnswer } from './forgeries.ts'
import type { JudgeContext } from './judge.ts'
import type { createLedger, ReceivedMessage } from './ledger.ts'
import { type createPlans, forgeryOf, HEARSAYS, imposedError, isOutage, type Misbehaviour } from './misbehaviours.ts'
import type { createRequestLedger } from './requests/request-ledger.ts'
import type { SignatureHash } from './sign.ts'
import type { Signers } from './signers.ts'
import { echoEnvelope, faultEnvelope, isEmpty, type Operation, operationOf, SoapFault, withRequest } from './soap.ts'

export interface ServiceParts {
  ledger: ReturnType<typeof createLedger>
  requests: ReturnType<typeof createRequestLedger>
  plans: ReturnType<typeof createPlans>
  signers: Signers
  context(): JudgeContext
  onMessage(message: ReceivedMessage): void
  hash(): SignatureHash
  signsNothing(): boolean
  /** The service of test mode alone has `provjera`. */
  hasCheck: boolean
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
    const isNothing = operation !== 'echo' && parts.signsNothing() && isEmpty(body)
    if (operation !== 'echo' && !isNothing) return await serveMessage(operation, response, body, parts)
    const standing = parts.plans.standing()
    if (isOutage(standing)) sendOutage(response, standing)
    else if (isNothing) send(response, signedNothing(parts))
    else send(response, { status: 200, body: echoEnvelope(withRequest(body, 'echo', ({ content }) => content)) })
  } catch (error) {
    if (!(error instanceof SoapFault)) throw error
    send(response, { status: 500, body: faultEnvelope('Client', error.message) })
  }
}

async function serveMessage(
  operation: Exclude<Operation, 'echo'>,
  response: ServerResponse,
  body: string,
  parts: ServiceParts,
): Promise<void> {
  if (operation === 'provjera' && !parts.hasCheck) throw new SoapFault('The operation provjera is not known.')
  const behaviour = parts.plans.next()
  if (isOutage(behaviour)) return sendOutage(response, behaviour)
  if (behaviour === 'odgovor') return send(response, { status: 500, body: hearsay(behaviour, NOBODY, parts.signers) })

  const context = parts.context()
  const answer = withRequest(body, operation, (request): Answer => {
    const imposed = imposedError(behaviour)
    if (operation !== 'racuni') {
      const { message, word, other } = parts.requests.process(operation, request, body, context, imposed)
      return { messageId: message.messageId, processedAt: context.now, jir: word, errors: message.errors, other }
    }
    const message = parts.ledger.process(request, body, context, imposed)
    parts.onMessage(message)
    return { messageId: message.messageId, processedAt: context.now, jir: message.jir, errors: message.errors }
  })
  const reply = await replyTo(answer, behaviour, parts)
  if (typeof behaviour === 'object' && behaviour !== null && 'dateAheadMs' in behaviour) {
    response.setHeader('date', new Date(context.now + behaviour.dateAheadMs).toUTCString())
  }
  await deliver(response, reply, behaviour)
}

const NOBODY: Answer = { messageId: '', processedAt: 0, jir: null, errors: [] }

async function replyTo(answer: Answer, behaviour: Misbehaviour | null, parts: ServiceParts): Promise<Reply> {
  const { signers, hash } = parts
  const nothing = HEARSAYS.find((name) => name === behaviour)
  if (nothing !== undefined) return { status: 500, body: hearsay(nothing, answer, signers) }
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

function spaced(element: string): string {
  return element.replace(/<tns:(Jir|IdPoruke|SifraGreske|SifraPoruke|Poruka)>([^<]*)</g, '<tns:$1>\n  $2\n<')
}

/** The real service reportedly answers an empty envelope with a signed `s006` without a message id. */
function signedNothing({ signers, hash, context }: ServiceParts): Reply {
  const answer = { ...NOBODY, processedAt: context().now, errors: [cisError('s006')] }
  return { status: 500, body: signedAnswer(answer, signers.good, hash()) }
}
