import { createChainValidator } from '../../certificates/chain.ts'
import { createTaxAuthority } from '../../cis/client.ts'
import { isClosedAt } from '../../cis/service-windows.ts'
import { createTrustBundles } from '../../cis/trust/trust-bundles.ts'
import { TRUST_LISTS } from '../../domain/certificate.ts'
import { MODES, type Mode } from '../../domain/sale/sale.ts'
import { sharedRun } from '../../domain/shared-run.ts'
import { createSightings } from '../../fiscal/alerts/authority-rule.ts'
import { createAuthorityTime } from '../../fiscal/clock/authority-time.ts'
import { createAnswerTrust, createAnswerTrustCheck } from '../../fiscal/sales/answer-trust.ts'
import { createFiscalProbe } from '../../fiscal/sales/authority-probe.ts'
import { noteReach } from '../../fiscal/sales/legal-deadline.ts'
import { VERSION } from '../version.ts'
import type { Base } from './base.ts'
import { createEvent } from './event.ts'

const ASK_EVERY_MS = 60_000

export type Authority = ReturnType<typeof composeAuthority>

/** The tax authority, what is known of it, and whom it is recognised by. */
export function composeAuthority({ config, store, clock, elapsed, shown, log }: Base) {
  const { deploymentMode } = config
  const chains = createChainValidator()
  const trust = createTrustBundles(config.trustPaths, clock.now, config.trustGiven)
  for (const mode of MODES)
    for (const list of TRUST_LISTS) {
      const problem = trust.fileProblem(mode, list)
      if (problem !== null) log.error({ mode, list, problem }, 'CA certificates are not in force')
    }
  const note = sharedRun(() => noteReach({ store, clock, elapsed, sightings }))
  const noteSafely = () =>
    note().catch((error: unknown) =>
      log.error({ err: error }, 'whether the tax authority was reached could not be stored'),
    )
  const sightings = createSightings(elapsed, () => void noteSafely())
  const believed = createEvent<Mode>()
  const beliefs = createAnswerTrust(believed.tell)
  const client = createTaxAuthority({
    urls: config.cisUrls,
    proxy: config.cisProxy,
    sha1Answers: config.sha1Answers,
    serviceNames: config.serviceNames,
    userAgent: `fiskd/${VERSION}`,
    trust,
    chains,
    shown,
    present: (mode) => clock.of(mode).present(),
    heard: (mode, word) => void clock.of(mode).heard(word),
  })
  const authority = sightings.watching(beliefs.watching(client))
  const askForTime = sharedRun(createAuthorityTime({ store, authority, clock, elapsed, deploymentMode }))
  const checkBeliefs = createAnswerTrustCheck(store, authority, beliefs)
  async function ask(): Promise<void> {
    await askForTime()
    await checkBeliefs()
  }
  const askSafely = () =>
    ask().catch((error: unknown) => log.error({ err: error }, 'the tax authority could not be asked'))
  let timer: NodeJS.Timeout | undefined
  return {
    authority,
    /** Signs, and checks earlier answers; neither sends anything. */
    sign: client.sign,
    rehearse: client.rehearse,
    /** What is no sale. */
    request: client.request,
    chains,
    trust,
    sightings,
    beliefs,
    probe: createFiscalProbe(authority, deploymentMode, clock),
    isClosed: (mode: Mode, at: number) => isClosedAt(config.cisUrls[mode], mode, at),
    onBelieved: believed.on,
    /** Asks the tax authority for the time, where nobody else tells it. */
    askForTime,
    ask,
    start() {
      void askSafely()
      timer = setInterval(() => {
        void askSafely()
        void noteSafely()
      }, ASK_EVERY_MS)
    },
    stop: () => clearInterval(timer),
    close: () => authority.close(),
  }
}
