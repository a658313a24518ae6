import { attemptsOf, type Evidence, isFoundBy, isRefusal, type Sale, spokenOf, successOf } from '../evidence.ts'
import { type Breach, bySale, type Judge, secondsOf } from './breach.ts'

/** What a slow machine needs from the answer to the motor, or to the coins. */
const IN_TIME_MS = 5000

function judgeSale(evidence: Evidence, sale: Sale): Breach[] {
  const attempts = attemptsOf(evidence, sale)
  const goods = spokenOf(evidence, sale, 'goods')
  const refused = spokenOf(evidence, sale, 'refused')
  const success = successOf(evidence, sale)
  const refusal = attempts.find(isRefusal)
  const breach = (rule: Breach['rule'], seen: string, about = attempts.slice(-1)): Breach => ({
    rule,
    sale,
    seen,
    attempts: about,
  })
  const breaches: Breach[] = []
  const [first] = goods
  const early = first && !attempts.some(({ answer }) => answer?.status === 200 && answer.at <= first.at)
  // Who was refused because the key stands for other bytes looks for the sale, and may find it.
  const isKnown = first && isFoundBy(evidence, sale, first.at)
  if (early && !isKnown && !(evidence.byHand && success)) {
    const was = refusal ? `was answered with ${refusal.answer?.status}` : 'had no answer'
    breaches.push(
      breach('goods-only-on-200', `The goods came out while the sale ${was}.`, refusal ? [refusal] : attempts),
    )
  }
  if (goods.length > 1) {
    breaches.push(breach('goods-once', `The goods came out ${goods.length} times.`, attempts))
  }
  const isStored = !evidence.byHand && evidence.stored.some(({ total }) => total === sale.total)
  if (refused.length > 0 && (!refusal || isStored)) {
    const status = success ? 200 : attempts.at(-1)?.answer?.status
    breaches.push(breach('does-not-give-up', givenUpAfter(status, attempts.length > 0)))
  } else if (success && !first) {
    breaches.push(breach('hands-out', 'The sale was answered with 200, and no goods came out.', [success]))
  } else if (success && first && !early && !evidence.byHand) {
    // The answer that it acted on is the last one before the goods: an earlier one may have died with the firmware.
    const acted = attempts.filter(({ answer }) => answer?.status === 200 && answer.at <= first.at).at(-1)
    const after = first.at - Number(acted?.answer?.at)
    if (after > IN_TIME_MS)
      breaches.push(breach('hands-out-in-time', `The goods came out ${secondsOf(after)} after the answer.`, [success]))
  }
  if (refusal && !success && refused.length === 0 && goods.length === 0) {
    breaches.push(
      breach('refuses', `The sale was answered with ${refusal.answer?.status}, and not given up.`, [refusal]),
    )
  }
  return breaches
}

/** @param status of the last answer; undefined: there was none */
function givenUpAfter(status: number | undefined, wasSent: boolean): string {
  if (!wasSent) return 'The sale was given up, and fiskd never got a request for it.'
  if (status === undefined) return 'The sale was given up without an answer: it may be stored.'
  if (status === 200) return 'The sale was given up although it was answered with 200: it is valid.'
  if (status === 429)
    return 'The sale was given up after 429, which only asks to wait: the same request is accepted later.'
  return `The sale was given up after ${status}: it may be stored.`
}

export const judgeGoods: Judge = bySale(judgeSale)

export const judgeScreens: Judge = bySale((evidence, sale) => {
  const success = successOf(evidence, sale)
  const screens = spokenOf(evidence, sale, 'screen')
  if (!success?.answer) return []
  const right = attemptsOf(evidence, sale).flatMap(({ answer }) => answer?.qrPayload ?? [])
  const wrong = screens.find(({ text }) => !right.includes(text))
  if (!wrong) return []
  const seen = `The screen showed "${wrong.text}" instead of "${success.answer.qrPayload}".`
  return [{ rule: 'screen-exact', sale, seen, attempts: [success] }]
})

/** Only where the receipt does not come out: a machine with a printer need not have a screen otherwise. */
export const judgeScreenShown: Judge = bySale((evidence, sale) => {
  const success = successOf(evidence, sale)
  if (!success || spokenOf(evidence, sale, 'screen').length > 0) return []
  return [{ rule: 'shows-qr-code', sale, seen: 'The screen showed nothing.', attempts: [success] }]
})
