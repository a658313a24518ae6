import { type Check, failure, fine, warning } from '../../domain/check.ts'
import type { AnswerSignature } from '../../domain/sale/answer-signature.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import { alike, type Both, MODE_HR } from '../../domain/texts/both.ts'
import { type ClockState, span } from '../clock/describe-clock.ts'
import type { StoreTransaction } from '../ports/store.ts'
import type { Reach, ServiceReach } from '../ports/tax-authority.ts'
import { modesInUse } from '../registry/modes-in-use.ts'
import type { AnswerTrust } from '../sales/answer-trust.ts'
import { type HealthCheck, skippedAfter } from './doctor.ts'
import { trustName } from './trust-checks.ts'

interface Deps {
  store: StoreTransaction
  authority: ServiceReach
  clock: { of(mode: Mode): { state(): ClockState } }
  beliefs: Pick<AnswerTrust, 'lastSignature'>
  deploymentMode: Mode
}

const STEPS = [
  ['name', 'ime poslužitelja'],
  ['port', 'priključak'],
  ['TLS', 'TLS'],
  ['echo', 'probna poruka'],
  ['signature', 'potpis odgovora'],
] as const

/** An error of the clock that no customer notices on a receipt; the date of an answer is only exact to some seconds. */
const TOLERATED_MS = 60_000
/** Beyond this, the clock watch trusts the tax authority instead of the clock. */
const WRONG_MS = 10 * 60_000

/** Tests the connection to the tax authority step by step, so that the first failed step shows the cause. */
export function authorityChecks({ store, authority, clock, beliefs, deploymentMode }: Deps): HealthCheck[] {
  return [{ name: alike('CIS'), run: examine }]

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
  let inTheWay = trustName(mode)
  const checks = STEPS.map(([step, inCroatian]): Check => {
    const name = { en: `CIS ${mode} ${step}`, hr: `${MODE_HR[mode]} CIS, ${inCroatian}` }
    const made = steps.find((one) => one.step === step)
    if (!made) return skippedAfter(name, inTheWay)
    if (made.fix === null) {
      const isTold = step === 'signature' && before !== undefined
      return fine(
        name,
        isTold
          ? {
              en: `${made.detail.en}; the last answer that was believed is signed ${before}`,
              hr: `${made.detail.hr}; posljednji odgovor kojem se vjerovalo potpisan je algoritmom ${before}`,
            }
          : made.detail,
      )
    }
    inTheWay = name
    if (closed)
      return warning(
        name,
        {
          en: `${made.detail.en}; the test service is closed now by its timetable`,
          hr: `${made.detail.hr}; testna usluga prema rasporedu sada nije otvorena`,
        },
        WAIT,
      )
    return failure(name, made.detail, made.fix)
  })
  const echoed = steps.some(({ step, fix }) => step === 'echo' && fix === null)
  const clock = { en: `CIS ${mode} clock`, hr: `${MODE_HR[mode]} CIS, sat` }
  return [...checks, echoed ? clockCheck(clock, way, known.clock) : skippedAfter(clock, inTheWay)]
}

const WAIT = {
  en: 'look again when it is open: it is closed on weekdays 16:00-17:00 and on Sundays 08:00-12:00',
  hr:
    'provjerite ponovno kad bude otvorena: zatvorena je radnim danom od 16:00 do 17:00 i nedjeljom od ' +
    '08:00 do 12:00',
}
const FOLLOW_SERVER = {
  en: 'let this machine follow a time server: sudo timedatectl set-ntp true',
  hr: 'uključite usklađivanje s poslužiteljem točnog vremena: sudo timedatectl set-ntp true',
}
const COMPARE = {
  en: 'compare the time of this machine with a clock that is right; where it is, nothing is to be done',
  hr: 'usporedite vrijeme ovog računala s točnim vremenom; ako je točno, ne treba ništa učiniti',
}
const SET_CLOCK = {
  en: 'let this machine follow a time server: sudo timedatectl set-ntp true; without one: sudo timedatectl set-time "YYYY-MM-DD HH:MM:SS"',
  hr:
    'uključite usklađivanje s poslužiteljem točnog vremena: sudo timedatectl set-ntp true; bez njega: ' +
    'sudo timedatectl set-time "YYYY-MM-DD HH:MM:SS"',
}

function clockCheck(name: Both, { aheadMs, dateAheadOfSignedMs: ofSigned }: Reach, state: ClockState): Check {
  if (aheadMs === null)
    return fine(name, {
      en: 'the service says no time that can be right',
      hr: 'usluga ne navodi vrijeme koje bi moglo biti točno',
    })
  if (ofSigned !== null && Math.abs(ofSigned) > WRONG_MS) {
    const off = span(ofSigned)
    const [where, inCroatian] = ofSigned > 0 ? ['ahead of', 'ispred je vremena'] : ['behind', 'kasni za vremenom']
    const detail = {
      en: `the time in the headers of the service is ${off.en} ${where} the one that it signs: it is not believed`,
      hr: `vrijeme u zaglavljima usluge ${inCroatian} koje usluga potpisuje (${off.hr}) i ne uzima se u obzir`,
    }
    return warning(name, detail, FOLLOW_SERVER)
  }
  if (Math.abs(aheadMs) > WRONG_MS && state.synchronised && state.trusted) {
    const off = span(aheadMs)
    const [where, inCroatian] =
      aheadMs > 0 ? ['behind', 'kasni za poslužiteljem'] : ['ahead of', 'ispred je poslužitelja']
    const server = 'the time server that this machine follows: it is not believed'
    const detail = {
      en: `the time in the headers of the service is ${off.en} ${where} ${server}`,
      hr: `vrijeme u zaglavljima usluge ${inCroatian} točnog vremena (${off.hr}) i ne uzima se u obzir`,
    }
    return warning(name, detail, COMPARE)
  }
  const seconds = Math.abs(Math.round(aheadMs / 1000))
  const isBehind = Math.round(aheadMs / 1000) < 0
  const offset = {
    en: `the clock of this machine is ${seconds} s ${isBehind ? 'behind' : 'ahead of'} that of CIS`,
    hr: `sat ovog računala ${isBehind ? `kasni ${seconds} s za satom` : `ide ${seconds} s ispred sata`} CIS-a`,
  }
  if (Math.abs(aheadMs) > WRONG_MS) return failure(name, offset, SET_CLOCK)
  return Math.abs(aheadMs) > TOLERATED_MS ? warning(name, offset, SET_CLOCK) : fine(name, offset)
}
