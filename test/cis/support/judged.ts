import { createChainValidator } from '../../../src/certificates/chain.ts'
import { judge } from '../../../src/cis/answer.ts'
import { createSigners } from '../../../src/cis/signers.ts'
import type { Reply } from '../../../src/cis/transport.ts'
import type { Outcome } from '../../../src/fiscal/ports.ts'
import { pki } from '../../support/pki.ts'
import { JIR } from './answers.ts'
import { MESSAGE_ID } from './messages.ts'

const signers = createSigners({
  trust: { certificates: () => pki.bundleDer },
  chains: createChainValidator(),
  commonNames: { test: 'fiskalcistest', live: 'fiskalcis' },
  now: Date.now,
})

/** What becomes of the message with `MESSAGE_ID` when this comes back. */
export function judged(body: string | Buffer, reply: Partial<Reply & { arrived: true }> = {}): Promise<Outcome> {
  const arrived = { arrived: true, status: 200, body: Buffer.from(body), framed: true, date: null, ...reply } as const
  return judge(arrived, { mode: 'test', messageId: MESSAGE_ID }, signers)
}

export const CONFIRMED = { kind: 'confirmed', jir: JIR }
export const UNBELIEVABLE = {
  kind: 'failed',
  errorClass: 'validation',
  code: 'upstream_signature_invalid',
  upstream: [],
  restrictiveCodes: [],
}
export const UNAVAILABLE = { kind: 'failed', errorClass: 'transient', code: 'upstream_unavailable', upstream: [] }
