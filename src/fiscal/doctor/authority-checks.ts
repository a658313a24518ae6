import { type Check, failure, fine, warning } from '../../domain/check.ts'
import type { AnswerSignature } from '../../domain/sale/answer-signature.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import { type ClockState, span } from '../clock/clock-state.ts'
import type { StoreTransaction } from '../ports/store.ts'
import type { Reach, ServiceReach } from '../ports/tax-authority.ts'
import { modesInUse } from '../registry/modes-in-use.ts'
import type { AnswerTrust } from '../sales/answer-trust.ts'
import { type HealthCheck, skippedAfter } from './doctor.ts'

interface Deps {
  store: Pick<StoreTransaction, 'companies'>
  authority: ServiceReach
  clock: { of(mode: Mode): { state(): ClockState } }
  beliefs: Pick<AnswerTrust, 'lastSignature'>
  deploymentMode: Mode
}

const STEPS = ['name', 'port', 'TLS', 'echo', 'signature'] as const

/** An error of the clock that no customer notices on a receipt; the date of an answer is only exact to some seconds. */
const TOLERATED_MS = 60_000
/** Beyond this, the clock watch trusts the tax authority instead of the clock. */
const WRONG_MS = 10 * 60_000

/** Tests the connection to the tax authority step by step, so that the first failed step shows the cause. */
export function authorityChecks({ store, authority, clock, beliefs, deploymentMode }: Deps): HealthCheck[] {
  return [{ name: 'CIS', run: examine }]

  async function examine(): Promise<Check[]> {
    const modes = await modesInUse(store, deploymentMode)
    const look = async (mode: Mode) => {
      const way = await authority.reach(mode)
      return checksOf(mode, way, { clock: clock.of(mode).state(), lastSignature: beliefs.lastSignature(mode) })
    }
    const found = await Promise.all(modes.map(look))
    return found.flat()
  }
}

/** State that is known without a request to the service. */
interface Known {
  clock: ClockState
  lastSignature: AnswerSignature | undefined
}

function checksOf(mode: Mode, way: Reach, known: Known): Check[] {
  const { steps, closed } = way
  // The service may sign only its answers to sales.
  const before = way.signature === null ? known.lastSignature : undefined
  // Without a bundle, the missing bundle is the reason for steps that were not reached.
  let inTheWay = `trust ${mode}`
  const checks = STEPS.map((step): Check => {
    const name = `CIS ${mode} ${step}`
    const made = steps.find((one) => one.step === step)
    if (!made) return skippedAfter(name, inTheWay)
    if (made.fix === null) {
      const isTold = step === 'signature' && before !== undefined
      return fine(name, isTold ? `${made.detail}; the last answer that was believed is signed ${before}` : made.detail)
    }
    inTheWay = name
    if (closed) return warning(name, `${made.detail}; the test service is closed now by its timetable`, WAIT)
    return failure(name, made.detail, made.fix)
  })
  const echoed = steps.some(({ step, fix }) => step === 'echo' && fix === null)
  const clock = `CIS ${mode} clock`
  return [...checks, echoed ? clockCheck(clock, way, known.clock) : skippedAfter(clock, inTheWay)]
}

const WAIT = 'look again when it is open: it is closed on weekdays 16:00-17:00 and on Sundays 08:00-12:00'
const FOLLOW_SERVER = 'let this machine follow a time server: sudo timedatectl set-ntp true'
const COMPARE = 'compare the time of this machine with a clock that is right; where it is, nothing is to be done'
const SET_CLOCK =
  'let this machine follow a time server: sudo timedatectl set-ntp true; without one: sudo timedatectl set-time "YYYY-MM-DD HH:MM:SS"'

function clockCheck(name: string, { aheadMs, dateAheadOfSignedMs: ofSigned }: Reach, state: ClockState): Check {
  if (aheadMs === null) return fine(name, 'the service says no time that can be right')
  if (ofSigned !== null && Math.abs(ofSigned) > WRONG_MS) {
    const off = `${span(ofSigned)} ${ofSigned > 0 ? 'ahead of' : 'behind'} the one that it signs`
    return warning(name, `the time in the headers of the service is ${off}: it is not believed`, FOLLOW_SERVER)
  }
  if (Math.abs(aheadMs) > WRONG_MS && state.synchronised && state.trusted) {
    const off = `${span(aheadMs)} ${aheadMs > 0 ? 'behind' : 'ahead of'} the time server that this machine follows`
    return warning(name, `the time in the headers of the service is ${off}: it is not believed`, COMPARE)
  }
  const seconds = Math.round(aheadMs / 1000)
  const offset = `the clock of this machine is ${Math.abs(seconds)} s ${seconds < 0 ? 'behind' : 'ahead of'} that of CIS`
  if (Math.abs(aheadMs) > WRONG_MS) return failure(name, offset, SET_CLOCK)
  return Math.abs(aheadMs) > TOLERATED_MS ? warning(name, offset, SET_CLOCK) : fine(name, offset)
}
