import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { Logger } from 'pino'
import { succeeds } from '../../domain/attempt.ts'
import { unprovenHosts } from '../../domain/database-url.ts'
import { unproven } from '../../fiscal/doctor/database-line-check.ts'
import { createIssued } from '../../fiscal/numbering/lost-sales.ts'
import type { SystemClock } from '../../fiscal/ports/clock.ts'
import type { ListenState } from '../../fiscal/ports/machine.ts'
import { DatabaseAway } from '../../fiscal/ports/store.ts'
import { timeOrderedId } from '../../fiscal/time-ordered-id.ts'
import { startClock } from '../compose/clocks.ts'
import { composeService, type Service } from '../compose/service.ts'
import type { Config } from '../config.ts'
import { dataDisk } from '../host/data-disk.ts'
import { type Machine, thisMachine } from '../host/machine.ts'
import { createApplications } from '../http/applications.ts'
import { refusingService } from '../http/refuse-all.ts'
import type { ServeClock } from '../http/serve.ts'
import { unprovenClock } from '../http/server-tls.ts'
import { createMetrics } from '../metrics/metrics.ts'
import { VERSION } from '../version.ts'
import type { Course } from '../warm-up/warm-up.ts'
import { claimDataDir, openDataDir } from './data-dir.ts'
import { openIssued } from './issued-file.ts'
import { NoDatabase, noDatabaseOf, refusedByDisk } from './open-database.ts'
import { systemClock } from './system-clock.ts'
import { watchDatabaseFile } from './watch-database-file.ts'

export interface Daemon {
  /** Base addresses, e.g. `https://127.0.0.1:8443`; `/v1` follows. */
  urls: string[]
  /** Where receipts are shown to customers; empty where they are not. */
  receiptUrls: string[]
  /** How the rehearsal of a sale goes. */
  rehearsal: Course
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
 * In the order in which it can fail harmlessly: sales are taken only when all else stands. Where there is no database
 * to sell on it starts, too, and says so to everybody.
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
  const file = watchDatabaseFile(config)
  let listened = (): ListenState[] => []

  async function begin({ service, clock, beat, checkClock, failed }: Beginning): Promise<Daemon> {
    opened.push(() => service.close())
    const front = await createApplications({ config, log, service, clock, metrics, uptimeMs })
    opened.push(() => front.close())
    listened = front.listened
    await service.recover()
    const urls = await front.open()
    // First of all at the end: no new message is sent while the sales under way are being answered.
    opened.push(() => service.stop())
    return {
      urls,
      receiptUrls: front.receiptUrls(),
      rehearsal: service.start(),
      sweep: service.sweep,
      watch: service.watch,
      beat,
      checkClock,
      failed,
      close: () => close(),
    }
  }

  async function beginToSell(): Promise<Daemon> {
    const { store, vault, checked, close } = await openDataDir(config, system.now(), file)
    opened.push(close)
    const watch = await startClock(system, store, log, config.deploymentMode)
    opened.push(() => watch.close())
    // It has stored how late it is.
    const refused = file.refused()
    if (refused) throw refused
    const record = await openIssued(config.dataDir, store, randomUUID())
    opened.push(() => record.close())
    const issued = createIssued({
      store,
      record,
      onLost: (lost) => log.error(lost, 'sales that were issued are not in the database'),
    })
    await store.witness(issued.compareIn)
    const certificates = () => {
      const unproven = unprovenClock(watch.now())
      return { ...unproven, since: watch.state().provenAt ?? unproven.since, isProven: watch.keyTime() !== null }
    }
    const clock = { now: watch.now, certificates }
    const composed = composeService({
      config,
      store,
      vault,
      clock: watch,
      elapsed: system.elapsed,
      shown: system.now,
      processLog: log,
      newUuid: randomUUID,
      newInvoiceId: () => `inv_${timeOrderedId(Date.now())}`,
      issued,
      metrics,
      host: machine,
      listened: () => listened(),
    })
    const service = {
      ...composed,
      async recover() {
        const error = await checked
        if (error) log.error({ err: error }, 'the database could not be checked')
        await composed.recover()
      },
    }
    const checkClock = async () => {
      await watch.check()
      await service.ask()
    }
    // A process whose database is away lives, and waits for it.
    const beat = () =>
      watch.beat().catch((error: unknown) => {
        if (!(error instanceof DatabaseAway)) throw error
      })
    return begin({ service, clock, beat, checkClock, failed: file.reported() })
  }

  function beginToRefuse(reason: NoDatabase): Promise<Daemon> {
    log.fatal(`${reason.message}: nothing can be sold; ${reason.fix}`)
    // Without a database that knows how late it was, the system's clock is all there is.
    const clock = { now: system.now, certificates: () => unprovenClock(system.now()) }
    const failed = reason.subject === 'disk' ? diskIsBack() : NEVER
    const nothing = async () => {}
    return begin({ service: refusingService(reason, clock), clock, beat: nothing, checkClock: nothing, failed })
  }

  async function diskIsBack(): Promise<Error> {
    const { trialWrite } = dataDisk(config.dataDir, machine)
    let isBack = false
    const ending = new AbortController()
    opened.push(() => ending.abort())
    while (!isBack) {
      await setTimeout(TRY_DISK_MS, undefined, { ref: false, signal: ending.signal }).catch(() => NEVER)
      isBack = await succeeds(trialWrite())
    }
    return new Error('the disk takes writes again: fiskd starts anew')
  }

  try {
    for (const name of config.unknownVariables) log.warn(`${name} is not a variable of fiskd: it has no effect`)
    const hosts = unprovenHosts(config.databaseUrl ?? '')
    if (hosts.length > 0) log.warn(unproven(hosts).en)
    const lock = await claimDataDir(config.dataDir).catch(async (error: unknown) => refusalOf(error, config, machine))
    if (lock instanceof NoDatabase) return await beginToRefuse(lock)
    opened.push(() => lock[Symbol.dispose]())
    return await beginToSell().catch(async (error: unknown) => {
      await close(1)
      const reason = noDatabaseOf(error, config.dataDir, system.now())
      return beginToRefuse(reason ?? (await refusalOf(error, config, machine)))
    })
  } catch (error) {
    await close()
    throw error
  }
}

/** @throws the error itself unless the disk is the reason: a directory that belongs to another user is a mistake */
async function refusalOf(error: unknown, { dataDir }: Config, machine: Machine): Promise<NoDatabase> {
  const { trialWrite } = dataDisk(dataDir, machine)
  const refused =
    refusedByDisk(error, dataDir) ?? refusedByDisk(await trialWrite().catch((cause: unknown) => cause), dataDir)
  if (refused) return refused
  throw error
}

/** A kernel that has made a disk read-only does not take that back: rarely enough not to wear out what is left of it. */
const TRY_DISK_MS = 30_000

const NEVER = new Promise<never>(() => {})

type Beginning = Pick<Daemon, 'beat' | 'checkClock' | 'failed'> & { service: Service; clock: ServeClock }
