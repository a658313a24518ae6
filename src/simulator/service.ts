import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Answer, signedAnswer, statusOf } from './answer.ts'
import { deliver, type Reply, send, sendOutage } from './delivery.ts'
import { forgedAnswer } from './forgeries.ts'
import type { JudgeContext } from './judge.ts'
import type { Ledger, ReceivedMessage } from './ledger.ts'
import { isOutage, type Misbehaviour } from './misbehaviours.ts'
import { forgeryOf, imposedError, type Plans } from './plans.ts'
import type { Signers } from './signers.ts'
import { echoEnvelope, faultEnvelope, operationOf, SoapFault, withRequest } from './soap.ts'
import { wrappedAnswer } from './wrapping.ts'

export interface ServiceParts {
  ledger: Ledger
  plans: Plans
  signers: Signers
  context(): JudgeContext
  onMessage(message: ReceivedMessage): void
}

/** Answers one SOAP request. A request that is no request of this service gets a SOAP fault. */
export async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  body: string,
  parts: ServiceParts,
): Promise<void> {
  try {
    const operation = operationOf(request.headers.soapaction?.toString())
    if (operation === 'echo') serveEcho(response, body, parts)
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

  const context = parts.context()
  const message = withRequest(body, 'racuni', (request) =>
    parts.ledger.process(request, body, context, imposedError(behaviour)),
  )
  parts.onMessage(message)
  const { messageId, jir, errors } = message
  const reply = await replyTo({ messageId, processedAt: context.now, jir, errors }, behaviour, parts.signers)
  await deliver(response, reply, behaviour)
}

async function replyTo(answer: Answer, behaviour: Misbehaviour | null, signers: Signers): Promise<Reply> {
  const forgery = forgeryOf(behaviour)
  if (forgery === null) return { status: statusOf(answer), body: signedAnswer(answer, signers.good) }
  if (forgery === 'unsigned-error') return { status: 500, body: await forgedAnswer(forgery, answer, signers) }
  const body =
    typeof forgery === 'object'
      ? wrappedAnswer(answer, signers.good, forgery.wrapped)
      : await forgedAnswer(forgery, answer, signers)
  return { status: statusOf(answer), body }
}
