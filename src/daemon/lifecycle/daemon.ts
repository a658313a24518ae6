import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { SystemClock } from '../../fiscal/ports/clock.ts'
import { DatabaseAway } from '../../fiscal/ports/database-reach.ts'
import { timeOrderedId } from '../../fiscal/time-ordered-id.ts'
import { startClock } from '../compose/clocks.ts'
import { composeService, type Service } from '../compose/service.ts'
import type { Config } from '../config.ts'
import { type Machine, thisMachine } from '../host/machine.ts'
import { type Applications, createApplications } from '../http/applications.ts'
import { refusingService } from '../http/refuse-all.ts'
import type { ServeClock } from '../http/serve.ts'
import { createMetrics } from '../metrics/metrics.ts'
import { VERSION } from '../version.ts'
import { claimDataDir, openDataDir } from './data-dir.ts'
import { type NoDatabase, noDatabaseOf, reportDamage } from './open-database.ts'
import { systemClock } from './system-clock.ts'

export interface Daemon {
  /** Base addresses, e.g. `https://127.0.0.1:8443`; `/v1` follows. */
  urls: string[]
  /** The sweep, now. */
  sweep(): Promise<void>
  /** What people should know is looked for and mailed, now. */
  watch(): Promise<void>
  /** Stores how late it is. @throws when the database takes no writes */
  beat(): Promise<void>
  /** Asks whether the clock is synchronised, and stores how late it is: what happens each minute. */
  checkClock(): Promise<void>
  /** Resolves when the daemon can do its work no longer and has to be started again, with the reason. */
  failed: Promise<Error>
  /** Takes nothing new, finishes what is under way, and lets go of the data directory. */
  close(): Promise<void>
}

/**
 * Starts everything, in the order in which it can fail harmlessly: sales are taken only when all else stands. Where
 * there is no database to sell on it starts, too, and says so to everybody.
 * @throws Error that says what to do when something cannot be had; nothing is left running then
 */
export async function startDaemon(
  config: Config,
  log: Logger,
  system: SystemClock = systemClock(),
  machine: Machine = thisMachine,
): Promise<Daemon> {
  const startedAt = system.elapsed()
  const uptimeMs = () => system.elapsed() - startedAt
  const metrics = createMetrics({ version: VERSION, role: config.role })
  const opened: (() => unknown)[] = []
  const close = async (downTo = 0) => {
    while (opened.length > downTo) await opened.pop()?.()
  }
  const damage = watchForDamage(config)
  let listened: Applications['listened'] = () => []

  async function begin({ service, clock, beat, checkClock }: Beginning): Promise<Daemon> {
    opened.push(() => service.close())
    const front = await createApplications({ config, log, service, clock, metrics, uptimeMs })
    opened.push(() => front.close())
    listened = front.listened
    await service.recover()
    const urls = await front.open()
    // First of all at the end: no new message is sent while the sales under way are being answered.
    opened.push(() => service.stop())
    service.start()
    return {
      urls,
      sweep: service.sweep,
      watch: service.watch,
      beat,
      checkClock,
      failed: damage.reported(),
      close: () => close(),
    }
  }

  async function beginToSell(): Promise<Daemon> {
    const { store, vault, checked, close } = await openDataDir(config, system.now(), damage.note)
    opened.push(close)
    const watch = await startClock(system, store, log, config.deploymentMode)
    opened.push(() => watch.close())
    const clock = { now: watch.now, since: () => watch.state().provenAt ?? watch.now() }
    const { elapsed, now: shown } = system
    const deps = {
      config,
      store,
      vault,
      clock: watch,
      elapsed,
      shown,
      log,
      newUuid: randomUUID,
      newInvoiceId,
      metrics,
      machine,
      listened: () => listened(),
    }
    const service = composeService(deps)
    const recover = async () => {
      const error = await checked
      if (error) log.error({ err: error }, 'the database could not be checked')
      await service.recover()
    }
    const checkClock = async () => {
      await watch.check()
      await service.ask()
    }
    // A process whose database is away lives, and waits for it.
    const beat = () => watch.beat().catch(unlessAway)
    return begin({ service: { ...service, recover }, clock, beat, checkClock })
  }

  function beginToRefuse(reason: NoDatabase): Promise<Daemon> {
    log.fatal(`${reason.message}: nothing can be sold; ${reason.fix}`)
    // Without a database that knows how late it was, the system's clock is all there is.
    const clock = { now: system.now, since: system.now }
    return begin({ service: refusingService(reason, clock), clock, beat: async () => {}, checkClock: async () => {} })
  }

  try {
    for (const name of config.unknownVariables) log.warn(`${name} is not a variable of fiskd: it has no effect`)
    const lock = await claimDataDir(config.dataDir)
    opened.push(() => lock.release())
    return await beginToSell().catch(async (error: unknown) => {
      await close(1)
      return beginToRefuse(noDatabaseOf(error, config.dataDir, system.now()))
    })
  } catch (error) {
    await close()
    throw error
  }
}

/**
 * Watches for damage of the database. Damage found during the start makes the start fail; damage found later ends the
 * daemon, and with SQLite it is recorded so that the next start sets the file aside.
 */
function watchForDamage({ dataDir, databaseUrl }: Config) {
  let found: string | undefined
  let tell: ((problem: string) => void) | undefined
  return {
    note(problem: string): void {
      if (found) return
      found = problem
      tell?.(problem)
    },
    /** Records damage from now on. Resolves with the error once it is recorded. */
    reported: () =>
      new Promise<Error>((resolve) => {
        tell = (problem) => {
          if (databaseUrl !== null) return resolve(new Error(problem))
          const done = () => resolve(new Error(`the database is damaged: ${problem}`))
          reportDamage(dataDir, problem).then(done, done)
        }
        if (found) tell(found)
      }),
  }
}

interface Beginning {
  service: Service
  clock: ServeClock
  beat: Daemon['beat']
  checkClock: Daemon['checkClock']
}

function unlessAway(error: unknown): void {
  if (!(error instanceof DatabaseAway)) throw error
}

function newInvoiceId(): string {
  return `inv_${timeOrderedId(Date.now())}`
}
