import type { Logger } from 'pino'
import { createChainValidator } from '../../certificates/chain.ts'
import { createTaxAuthority } from '../../cis/client.ts'
import { isClosedAt } from '../../cis/service-windows.ts'
import { createTrustBundles } from '../../cis/trust/trust-bundles.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import { createSightings } from '../../fiscal/alerts/authority-rule.ts'
import { createAuthorityTime } from '../../fiscal/clock/authority-time.ts'
import { createAnswerTrust, createAnswerTrustCheck } from '../../fiscal/sales/answer-trust.ts'
import { createFiscalProbe } from '../../fiscal/sales/authority-probe.ts'
import type { OpenStore } from '../../store/store.ts'
import type { Config } from '../config.ts'
import { VERSION } from '../version.ts'
import type { RunningClock } from './clocks.ts'
import { createEvent } from './event.ts'

export interface AuthorityDeps {
  config: Config
  store: OpenStore
  clock: RunningClock
  /** Milliseconds that have passed, whatever is done to the clock. */
  elapsed: () => number
  /** What the clock of this machine shows, right or wrong. */
  shown: () => number
  log: () => Pick<Logger, 'error'>
}

const ASK_EVERY_MS = 60_000

export type Authority = ReturnType<typeof composeAuthority>

/** The tax authority, what is known of it, and whom it is recognised by. */
export function composeAuthority({ config, store, clock, elapsed, shown, log }: AuthorityDeps) {
  const { deploymentMode } = config
  const chains = createChainValidator()
  const trust = createTrustBundles(config.trustPaths, clock.now)
  const sightings = createSightings(clock)
  const believed = createEvent<Mode>()
  const beliefs = createAnswerTrust(believed.tell)
  const client = createTaxAuthority({
    urls: config.cisUrls,
    proxy: config.cisProxy,
    sha1Answers: config.sha1Answers,
    userAgent: `fiskd/${VERSION}`,
    trust,
    chains,
    shown,
    present: (mode) => clock.of(mode).present(),
    heard: (mode, word) => void clock.of(mode).heard(word),
  })
  const authority = sightings.watching(beliefs.watching(client))
  const askForTime = createAuthorityTime({ store, authority, clock, elapsed, deploymentMode })
  const checkBeliefs = createAnswerTrustCheck(store, authority, beliefs)
  async function ask(): Promise<void> {
    await askForTime()
    await checkBeliefs()
  }
  const askSafely = () =>
    ask().catch((error: unknown) => log().error({ err: error }, 'the tax authority could not be asked'))
  let timer: NodeJS.Timeout | undefined
  return {
    authority,
    /** Signs, and checks earlier answers; neither sends anything. */
    sign: client.sign,
    rehearse: client.rehearse,
    chains,
    trust,
    sightings,
    beliefs,
    probe: createFiscalProbe(authority, deploymentMode, clock),
    isClosed: (mode: Mode, at: number) => isClosedAt(config.cisUrls[mode], mode, at),
    /** The answers of a mode are believed from now on. */
    onBelieved: believed.on,
    /** Asks the tax authority for the time, and whether its answers can be believed again. */
    ask,
    /** Asks now and each minute. */
    start() {
      void askSafely()
      timer = setInterval(askSafely, ASK_EVERY_MS)
    },
    stop: () => clearInterval(timer),
    close: () => authority.close(),
  }
}
