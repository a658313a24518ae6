import { clockBehind, loseAnswer, refuse } from '../front/actions.ts'
import { oneSale, pause, type Scenario, type Stage } from './scenario.ts'

const HOUR_MS = 3_600_000
const DAY_HOURS = 24
const POWER_CUT_MS = 500
/** A firmware that tries again meets the same. */
const MANY = 20

/** A sale that fiskd has stored and not answered, and a firmware that has lost its power. */
async function leftOpen({ firmware, plan, press, until, attempts }: Stage) {
  plan(loseAnswer)
  const sale = await press()
  if (!(await until(() => attempts.some((attempt) => attempt.sale === sale && attempt.end === 'cut')))) return null
  await firmware.kill()
  await pause(POWER_CUT_MS)
  return sale
}

/** What becomes of an open sale when its API key or its Idempotency-Key does not help any more. */
export const KEYS: Scenario[] = [
  {
    name: 'key-revoked-between',
    title: 'the sale is stored, its answer is lost, and the next two attempts are answered with 401',
    seconds: 9,
    instead: { 'does-not-give-up': 'keeps-doubtful', 'goods-only-on-200': 'keeps-doubtful' },
    play: oneSale(loseAnswer, refuse(401, 'invalid_api_key'), refuse(401, 'invalid_api_key')),
  },
  {
    name: 'key-changed-over-restart',
    title: 'the firmware is killed with an open sale, and has another API key when it starts again',
    seconds: 6,
    programOnly: true,
    instead: { 'tries-again': 'goes-on-after-restart' },
    async play(stage) {
      const sale = await leftOpen(stage)
      if (!sale) return
      await stage.startAgain({ key: await stage.newKey() })
      await stage.finished(sale)
      await stage.finished(await stage.press())
    },
  },
  {
    name: 'key-reused',
    title: 'the sale is stored, its answer is lost, and its key is answered with 409: it stands for other bytes',
    seconds: 4,
    instead: {
      'does-not-give-up': 'searches-first',
      'goods-only-on-200': 'searches-first',
      refuses: 'searches-first',
      'no-retry-of-refusal': 'searches-first',
    },
    play: oneSale(loseAnswer, ...Array(MANY).fill(refuse(409, 'idempotency_key_reused'))),
  },
  {
    name: 'key-forgotten',
    title: 'the firmware starts again a day later with an open sale, whose key fiskd has forgotten',
    seconds: 8,
    programOnly: true,
    needs: 'faketime',
    instead: { 'does-not-give-up': 'searches-first', 'goods-only-on-200': 'searches-first' },
    // It is found, or left to a person.
    waived: ['tries-again'],
    async play(stage) {
      const { attempts, finished, isDayLater, plan, press, startAgain } = stage
      const sale = await leftOpen(stage)
      if (!sale) return
      await startAgain({ hoursAhead: DAY_HOURS })
      await finished(sale)
      plan(clockBehind(-DAY_HOURS * HOUR_MS))
      const next = await press()
      await finished(next)
      const said = attempts.find((attempt) => attempt.sale === next)?.json?.occurred_at
      if (Date.parse(String(said)) - next.pressedAt < HOUR_MS) return
      next.pressedAt += DAY_HOURS * HOUR_MS
      isDayLater()
    },
  },
]
