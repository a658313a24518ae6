import { X509Certificate } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { createChainValidator } from '../../../src/certificates/chain.ts'
import { judge } from '../../../src/cis/answer/judge-answer.ts'
import { SERVICE_NAMES } from '../../../src/cis/answer/service-names.ts'
import { createSigners } from '../../../src/cis/answer/trusted-signers.ts'
import { presentAt } from '../../support/clocks.ts'
import { UNBELIEVABLE } from '../support/judged.ts'
import { skipWithoutXmlsec, xmlsecBelieves } from '../support/xmlsec.ts'

/** What the authority's own test service answered in 2023; it lies beside the project, as the specification does. */
const SAMPLES = resolve(import.meta.dirname, '../../../../shared/spec/samples')
const read = (name: string) => readFileSync(resolve(SAMPLES, name))
const skip = !existsSync(SAMPLES)
if (skip) console.warn('the genuine answer of 18.10.2023 is not here: its tests are skipped')

/** That afternoon, while the certificate of the signer was valid. */
const THAT_DAY = Date.UTC(2023, 9, 18, 12, 54, 31)
const MESSAGE_ID = 'e8276707-e928-4ea5-aea5-44c42ee402f8'
const JIR = 'f38748d1-d3fb-4b08-ba1b-14118c9de444'

interface Circumstances {
  now?: number
  messageId?: string
  sha1Answers?: 'accept' | 'refuse'
}

function judged(body: Buffer, { now = THAT_DAY, messageId = MESSAGE_ID, sha1Answers = 'accept' }: Circumstances = {}) {
  const bundle = ['demo1.pem', 'demo2.pem'].map((name) => new X509Certificate(read(name)).raw)
  const signers = createSigners({
    ...{ trust: { certificates: () => bundle }, chains: createChainValidator() },
    names: SERVICE_NAMES,
  })
  const reply = { arrived: true, status: 200, body, framed: true, date: null } as const
  return judge(reply, { mode: 'test', messageId }, { signers, sha1Answers, present: () => presentAt(now) })
}

test.skipIf(skip)('the answer of 18.10.2023 is confirmed with its JIR on its own day', async () => {
  expect(await judged(read('answer-2023-10-18.xml'))).toEqual({
    outcome: { kind: 'confirmed', jir: JIR },
    signature: 'rsa-sha1',
    signedAt: Date.UTC(2023, 9, 18, 12, 54, 30),
  })
})

test.skipIf(skip)('it is refused where SHA-1 is, by the name of the algorithm', async () => {
  const { outcome, signature } = await judged(read('answer-2023-10-18.xml'), { sha1Answers: 'refuse' })
  expect(outcome).toMatchObject({ ...UNBELIEVABLE, message: expect.stringContaining('signed with rsa-sha1') })
  expect(signature).toBeNull()
})

test.skipIf(skip)('it is refused after its signer has run out, and about another message', async () => {
  const body = read('answer-2023-10-18.xml')
  for (const circumstances of [{ now: Date.UTC(2026, 10, 23) }, { messageId: 'other' }]) {
    expect((await judged(body, circumstances)).outcome).toMatchObject(UNBELIEVABLE)
  }
})

/** Where a byte says nothing: white space between elements outside of what is signed, or inside of base64. */
function bytesThatCount(body: Buffer): number[] {
  const text = body.toString('latin1')
  const signed = [text.indexOf('<soap:Envelope'), text.indexOf('</tns:RacunOdgovor>')] as const
  return Array.from(body.keys()).filter((at) => at > signed[0] && at < signed[1] && /\S/.test(text[at] ?? ''))
}

test.skipIf(skip)('it is refused when one byte of it is changed, wherever that is', async () => {
  const body = read('answer-2023-10-18.xml')
  // What stands beside the certificate for people is not read.
  const from = body.indexOf('<X509IssuerSerial>')
  const until = body.indexOf('</X509IssuerSerial>')
  const places = bytesThatCount(body).filter((at) => at < from || at > until)
  for (let i = 0; i < places.length; i += 7) {
    const changed = Buffer.from(body)
    const at = places[i] ?? 0
    changed[at] = (changed[at] ?? 0) ^ 1
    const { outcome } = await judged(changed)
    expect(outcome.kind, `byte ${at}: ${body.subarray(at - 20, at + 20)}`).toBe('failed')
  }
})

test.skipIf(skip || skipWithoutXmlsec)('xmlsec1 believes it, and not when one byte is changed', async () => {
  const xml = read('answer-2023-10-18.xml').toString('utf8')
  const authorities = ['demo1.pem', 'demo2.pem'].map((name) => read(name).toString('utf8'))
  const believes = (text: string) => xmlsecBelieves(text, 'RacunOdgovor', authorities, '2023-10-18 12:54:31')
  expect(await believes(xml)).toBe(true)
  expect(await believes(xml.replace(JIR, JIR.replace('f3', 'e3')))).toBe(false)
})
