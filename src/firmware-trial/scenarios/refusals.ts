import { randomBytes } from 'node:crypto'
import { clockBehind } from '../front/actions.ts'
import { oneSale, type Scenario } from './scenario.ts'

/** Longer than a firmware waits before its second attempt, at first. */
const LOOK_ON_MS = 3000
const DAY_MS = 86_400_000

export const REFUSALS: Scenario[] = [
  {
    name: 'refused',
    title: 'a sale over the limit for cash is refused with 400; the next one is fine',
    seconds: 6,
    programOnly: true,
    lookOnMs: LOOK_ON_MS,
    async play({ press, finished }) {
      await finished(await press('G', '10000.01'))
      await finished(await press('G'))
    },
  },
  {
    name: 'unknown-key',
    title: 'fiskd does not know the API key (401)',
    seconds: 5,
    identity: { key: `fisk_test_${randomBytes(24).toString('base64url')}` },
    lookOnMs: LOOK_ON_MS,
    play: oneSale(),
  },
  {
    name: 'unknown-device',
    title: 'fiskd does not have this device (404)',
    seconds: 5,
    identity: { deviceId: '00000000-0000-4000-8000-000000000000' },
    lookOnMs: LOOK_ON_MS,
    play: oneSale(),
  },
  {
    name: 'clock-moved',
    title: 'the clock of the gateway is a day behind: a sale from its future is refused with 400',
    seconds: 5,
    lookOnMs: LOOK_ON_MS,
    play: oneSale(clockBehind(DAY_MS)),
  },
]
