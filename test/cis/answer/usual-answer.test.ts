import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { createChance } from '../../../scripts/chaos/chance.ts'
import { textOf } from '../../../src/cis/answer/answer-text.ts'
import { readReply } from '../../../src/cis/answer/reply.ts'
import { ANSWER_TO_SALE, readSigned } from '../../../src/cis/answer/signed-answer.ts'
import { readUsual } from '../../../src/cis/answer/usual-answer.ts'
import { answer, greske, JIR, SOAP } from '../support/answers.ts'
import { FORGED, FORGERIES } from '../support/forgeries.ts'
import { JIR_FORGERIES } from '../support/jir-forgeries.ts'
import { CONFIRMED, judged, UNBELIEVABLE } from '../support/judged.ts'
import { mutated } from '../support/mutations.ts'
import { anyServiceAnswer, serviceAnswer, signedAnew } from '../support/service-answer.ts'

/** What libxml2 finds in a body, or undefined where it refuses. */
function byLibxml2(body: Buffer) {
  try {
    const signed = readSigned(body, ANSWER_TO_SALE)
    return signed && { signed, said: readReply(signed.content) }
  } catch {
    return undefined
  }
}

/** Whether the quick reader reads a body; both have to read the same then. */
function isReadAlike(body: string | Buffer): boolean {
  const bytes = Buffer.from(body)
  const usual = readUsual(bytes)
  if (!usual) return false
  const { text, ...read } = usual
  expect(read, bytes.toString()).toEqual(byLibxml2(bytes))
  expect(text).toBe(textOf(bytes))
  return true
}

test('an answer that is written as the service writes it is read without a parser, and says what libxml2 reads', async () => {
  for (const hash of ['sha256', 'sha1'] as const) {
    expect(isReadAlike(serviceAnswer(hash))).toBe(true)
    expect(await judged(serviceAnswer(hash))).toEqual(CONFIRMED)
  }
})

const GENUINE = resolve(import.meta.dirname, '../../../../shared/spec/samples/answer-2023-10-18.xml')

test.skipIf(!existsSync(GENUINE))(
  "so is the service's own answer of 2023, with its final line break and without",
  () => {
    const body = readFileSync(GENUINE)
    expect(isReadAlike(body)).toBe(true)
    expect(isReadAlike(body.toString().trimEnd())).toBe(true)
  },
)

test.each([
  ['errors', serviceAnswer().replace(/<tns:Jir>.*<\/tns:Jir>/, greske(['s001', 'x']))],
  ['an envelope with another name space', serviceAnswer().replace(' xmlns:soap', ' xmlns:a="urn:a" xmlns:soap')],
  ['an envelope with a header', serviceAnswer().replace('<soap:Body>', '<soap:Header/><soap:Body>')],
  ['another prefix', serviceAnswer().replaceAll('soap:', 'SOAP:').replace(`xmlns:soap`, `xmlns:SOAP`)],
  ['SOAP 1.2', serviceAnswer().replace(SOAP, 'http://www.w3.org/2003/05/soap-envelope')],
  ['exclusive canonicalization', serviceAnswer().replaceAll('TR/2001/REC-xml-c14n-20010315', '2001/10/xml-exc-c14n#')],
  ['a mixed pair of algorithms', serviceAnswer().replace('xmlenc#sha256', '2000/09/xmldsig#sha1')],
  ['a reference to another Id', serviceAnswer().replace('URI="#', 'URI="#x')],
  ['a JIR in capitals', signedAnew(serviceAnswer('sha256', JIR.toUpperCase()))],
  ['a byte order mark', `\ufeff${serviceAnswer()}`],
  ['a byte behind its end', `${serviceAnswer()} `],
  ['carriage returns', serviceAnswer().replaceAll('\n', '\r\n')],
])('an answer with %s is left to libxml2', (_, xml) => {
  expect(readUsual(Buffer.from(xml))).toBeUndefined()
})

test('no forgery is read otherwise than by libxml2, nor in an envelope of the service', async () => {
  for (const [, , forge] of FORGERIES) {
    const body = await forge(`<tns:Jir>${JIR}</tns:Jir>`)
    isReadAlike(body)
    if (typeof body === 'string') isReadAlike(inServiceEnvelope(body))
  }
  for (const { body } of JIR_FORGERIES) {
    isReadAlike(body)
    isReadAlike(inServiceEnvelope(body))
  }
})

/** With the head of an answer of the service around what a forgery consists of. */
function inServiceEnvelope(xml: string): string {
  const head = serviceAnswer().split('<tns:RacunOdgovor')[0] ?? ''
  const found = /<soap:Body>(?<body>.*)/s.exec(xml)?.groups?.body ?? xml
  return head + found.replace(/(<tns:RacunOdgovor) (xmlns:tns="[^"]*") (Id="[^"]*")/, '$1 $3 $2')
}

test('what was changed after it was signed is refused wherever the change is, and not confirmed', async () => {
  const xml = serviceAnswer()
  const [from, until] = [xml.indexOf('<tns:RacunOdgovor'), xml.indexOf('<KeyInfo>')]
  for (let at = from; at < until; at += 11) {
    if (/\s/.test(xml[at] ?? '')) continue
    const changed = xml.slice(0, at) + String.fromCharCode(xml.charCodeAt(at) ^ 1) + xml.slice(at + 1)
    expect(await judged(changed), `${at}: ${xml.slice(at - 20, at + 20)}`).toMatchObject({ kind: 'failed' })
  }
  expect(await judged(xml.replace(JIR, FORGED))).toMatchObject(UNBELIEVABLE)
  expect(await judged(anyServiceAnswer())).toMatchObject(UNBELIEVABLE)
})

test('10,000 changes to answers are read alike, signed anew and as they are', { timeout: 300_000 }, () => {
  const chance = createChance(27)
  const [one, other, third] = [serviceAnswer(), anyServiceAnswer(), answer()]
  let read = 0
  let alike = 0
  for (let i = 0; i < 10_000; i++) {
    let xml = mutated(chance.pick([one, one, other, third]), chance)
    if (chance.happens(0.2)) xml = mutated(xml, chance)
    // Only what kept the shape is worth signing anew: it is what the quick reader would read.
    const again = chance.happens(0.3) || /^.{0,60}<soap:Envelope xmlns:regexp/s.test(xml) ? signedAnew(xml) : xml
    if (isReadAlike(xml)) alike++
    if (isReadAlike(again)) read++
  }
  // Otherwise the changes would try nothing.
  expect(alike).toBeGreaterThan(200)
  expect(read).toBeGreaterThan(1000)
})
