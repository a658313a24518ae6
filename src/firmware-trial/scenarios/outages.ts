import { cutRequest, pass } from '../front/actions.ts'
import { pause, type Scenario } from './scenario.ts'

const AWAY_MS = 3500
/** A sale that is stamped when it is sent has to be told from one that is stamped when the button is pressed. */
const LONG_AWAY_MS = 6500
const BETWEEN_PRESSES_MS = 400
const POWER_CUT_MS = 500
/** Time for the firmware to store what it has just said. */
const STORE_MS = 700

export const OUTAGES: Scenario[] = [
  {
    name: 'away',
    title: 'fiskd refuses connections for some seconds',
    seconds: 9,
    programOnly: true,
    async play({ goAway, comeBack, press, finished }) {
      // The moment of a first press is judged less strictly: the firmware may still be starting.
      await finished(await press())
      await goAway()
      const sale = await press()
      await pause(LONG_AWAY_MS)
      await comeBack()
      await finished(sale)
    },
  },
  {
    name: 'queue',
    title: 'three sales while fiskd is away: they come in order, each with its own moment',
    seconds: 10,
    programOnly: true,
    async play({ goAway, comeBack, press, finished }) {
      await goAway()
      const sales = []
      for (let n = 0; n < 3; n++) {
        sales.push(await press())
        await pause(BETWEEN_PRESSES_MS)
      }
      await pause(AWAY_MS)
      await comeBack()
      for (const sale of sales) await finished(sale)
    },
  },
  {
    name: 'gateway-restarted',
    title: 'fiskd loses its power while a sale is at the tax authority, and starts again',
    seconds: 10,
    ownGateway: true,
    programOnly: true,
    instead: { 'hands-out': 'takes-replay' },
    onMessage: (gateway) => void gateway.kill(),
    async play({ gateway, goAway, comeBack, press, finished, until }) {
      gateway.authority.misbehave({ delayMs: 3000 })
      const sale = await press()
      if (!(await until(() => gateway.process() === null))) return
      await goAway()
      await gateway.start()
      await comeBack()
      await finished(sale)
    },
  },
  {
    name: 'killed-before-sending',
    title: 'the firmware loses its power after it has stored the sale and before fiskd has it',
    seconds: 12,
    instead: {
      'tries-again': 'goes-on-after-restart',
      'posts-sale': 'goes-on-after-restart',
    },
    async play({ firmware, plan, press, finished, until, attempts }) {
      plan(cutRequest, pass)
      const sale = await press()
      if (!(await until(() => attempts.some((attempt) => attempt.sale === sale && attempt.end === 'cut')))) return
      await firmware.kill()
      await pause(POWER_CUT_MS)
      await firmware.start()
      await finished(sale)
    },
  },
  {
    name: 'killed-after-goods',
    title: 'the firmware loses its power after it has handed out the goods',
    seconds: 6,
    instead: { 'goods-once': 'goods-once-after-restart' },
    async play({ firmware, press, finished }) {
      await finished(await press())
      await pause(STORE_MS)
      await firmware.kill()
      await firmware.start()
      await finished(await press())
    },
  },
]
