import { expect, test } from 'vitest'
import { JIR } from '../support/answers.ts'
import { FORGED } from '../support/forgeries.ts'
import { CONFIRMED, judged, UNBELIEVABLE } from '../support/judged.ts'
import { anyServiceAnswer, serviceAnswer, signedAnew } from '../support/service-answer.ts'

/** The second form in which the service writes its envelope (spec/cis.md, Answers). */
function inSecondForm(xml: string): string {
  const xsi = ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
  const moved = xml
    .replace(/ xmlns:regexp="[^"]*"/, '')
    .replace(xsi, '')
    .replace(/(<tns:RacunOdgovor Id="[^"]*")(.*?)( xmlns:tns="[^"]*")/, `$1$2$3${xsi}`)
  return signedAnew(moved)
}

test('an answer is confirmed in both forms in which the service writes it, and with both hashes', async () => {
  for (const hash of ['sha256', 'sha1'] as const) expect(await judged(serviceAnswer(hash))).toEqual(CONFIRMED)
  const second = inSecondForm(serviceAnswer())
  expect(second).toMatch(
    /<soap:Envelope xmlns:xsd="[^"]*" xmlns:soap="[^"]*"><soap:Body><tns:RacunOdgovor [^>]* xmlns:xsi=/,
  )
  expect(await judged(second)).toEqual(CONFIRMED)
  expect(await judged(`${second}\n`)).toEqual(CONFIRMED)
  expect(await judged(second.replace(JIR, FORGED))).toMatchObject(UNBELIEVABLE)
})

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
