import type { Mode } from '../domain/sale.ts'
import { span } from './clock-state.ts'
import { type Check, type Examination, failure, fine, skipped, warning } from './doctor.ts'
import { modesInUse } from './modes-in-use.ts'
import type { Reach, ServiceReach } from './ports.ts'
import type { Store } from './store-port.ts'

interface Deps {
  store: Store
  authority: ServiceReach
  deploymentMode: Mode
}

const STEPS = ['name', 'port', 'TLS', 'echo', 'signature'] as const

/** What a receipt may be wrong by without anybody noticing; an answer's date tells no better than to some seconds. */
const TOLERATED_MS = 60_000
/** Beyond this the clock watch believes the tax authority. */
const WRONG_MS = 10 * 60_000

/** Whether the tax authority is reached, step by step, so that the first one that is not made names its own cause. */
export function authorityExaminations({ store, authority, deploymentMode }: Deps): Examination[] {
  return [{ name: 'CIS', examine }]

  async function examine(): Promise<Check[]> {
    const modes = await modesInUse(store, deploymentMode)
    const found = await Promise.all(modes.map(async (mode) => checksOf(mode, await authority.reach(mode))))
    return found.flat()
  }
}

function checksOf(mode: Mode, { steps, aheadMs, closed, aheadOfSignedMs }: Reach): Check[] {
  // What is not reached without a bundle is not reached for want of it.
  let inTheWay = `trust ${mode}`
  const checks = STEPS.map((step): Check => {
    const name = `CIS ${mode} ${step}`
    const made = steps.find((one) => one.step === step)
    if (!made) return skipped(name, inTheWay)
    if (made.fix === null) return fine(name, made.detail)
    inTheWay = name
    if (closed) return warning(name, `${made.detail}; the test service is closed now by its timetable`, WAIT)
    return failure(name, made.detail, made.fix)
  })
  const echoed = steps.some(({ step, fix }) => step === 'echo' && fix === null)
  const clock = `CIS ${mode} clock`
  return [...checks, echoed ? clockCheck(clock, aheadMs, aheadOfSignedMs) : skipped(clock, inTheWay)]
}

const WAIT = 'look again when it is open: it is closed on weekdays 16:00-17:00 and on Sundays 08:00-12:00'
const FOLLOW_SERVER = 'let this machine follow a time server: timedatectl set-ntp true'
const SET_CLOCK = 'set the time of this machine, or let it follow a time server: timedatectl set-ntp true'

function clockCheck(name: string, aheadMs: number | null, aheadOfSignedMs: number | null): Check {
  if (aheadMs === null) return fine(name, 'the service does not say what time it is')
  if (aheadOfSignedMs !== null && Math.abs(aheadOfSignedMs) > WRONG_MS) {
    const off = `${span(aheadOfSignedMs)} ${aheadOfSignedMs > 0 ? 'ahead of' : 'behind'} the one that it signs`
    return warning(name, `the time in the headers of the service is ${off}: it is not believed`, FOLLOW_SERVER)
  }
  const seconds = Math.round(aheadMs / 1000)
  const offset = `the clock of this machine is ${Math.abs(seconds)} s ${seconds < 0 ? 'behind' : 'ahead of'} that of CIS`
  if (Math.abs(aheadMs) > WRONG_MS) return failure(name, offset, SET_CLOCK)
  return Math.abs(aheadMs) > TOLERATED_MS ? warning(name, offset, SET_CLOCK) : fine(name, offset)
}
