import { expect } from 'vitest'
import { createChainValidator } from '../../../src/certificates/chain.ts'
import { type Judgement, judge } from '../../../src/cis/answer/judge-answer.ts'
import { SERVICE_NAMES } from '../../../src/cis/answer/service-names.ts'
import { createSigners } from '../../../src/cis/answer/trusted-signers.ts'
import type { Sha1Answers } from '../../../src/cis/answer/verify-answer.ts'
import type { Reply } from '../../../src/cis/transport/transport.ts'
import type { Present } from '../../../src/domain/instant.ts'
import type { Outcome } from '../../../src/fiscal/ports/tax-authority.ts'
import { presentAt } from '../../support/clocks.ts'
import { pki } from '../../support/pki.ts'
import { JIR } from './answers.ts'
import { MESSAGE_ID } from './messages.ts'

const signers = createSigners({
  trust: { certificates: () => pki.bundleDer },
  chains: createChainValidator(),
  names: SERVICE_NAMES,
})

export interface Circumstances extends Partial<Reply & { arrived: true }> {
  sha1Answers?: Sha1Answers
  /** What the mode goes by; now, and relied on. */
  present?: Present
}

/** What is found out about the message with `MESSAGE_ID` when this comes back. */
export function judgement(body: string | Buffer, circumstances: Circumstances = {}): Promise<Judgement> {
  const { sha1Answers = 'accept', present = presentAt(Date.now()), ...reply } = circumstances
  const facts = { status: 200, body: Buffer.from(body), framed: true, date: null }
  const arrived = { arrived: true, ...facts, ...reply } as const
  return judge(arrived, { mode: 'test', messageId: MESSAGE_ID }, { signers, sha1Answers, present: () => present })
}

/** What becomes of that message. */
export async function judged(body: string | Buffer, circumstances?: Circumstances): Promise<Outcome> {
  return (await judgement(body, circumstances)).outcome
}

export const CONFIRMED = { kind: 'confirmed', jir: JIR }
/** A JIR that cannot be believed. */
export const UNBELIEVABLE = {
  kind: 'failed',
  errorClass: 'validation',
  code: 'upstream_signature_invalid',
  upstream: [],
  hearsay: [],
  restrictiveCodes: [],
}
export const UNAVAILABLE = { kind: 'failed', errorClass: 'transient', code: 'upstream_unavailable', upstream: [] }
/** Something came that cannot be believed, and it brings no JIR. */
export const UNPROVEN = { ...UNAVAILABLE, message: expect.stringContaining('An answer came that cannot be believed: ') }
