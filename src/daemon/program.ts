import { setTimeout } from 'node:timers/promises'
import closeWithGrace from 'close-with-grace'
import type { Judgement } from '../contract/reports/one-off.ts'
import { migrateStore } from './backup-restore/move-to-postgres.ts'
import { prepareImage } from './backup-restore/prepare-image.ts'
import { rehearseAndTell } from './backup-restore/rehearsal-command.ts'
import { restore } from './backup-restore/restore.ts'
import { readRestoreOrder, WrongUse } from './backup-restore/restore-arguments.ts'
import type { ListenAddress } from './config/parsers.ts'
import { ConfigError, readConfig } from './config.ts'
import { absenceOf, nameOf } from './http/listen-addresses.ts'
import { type Daemon, startDaemon } from './lifecycle/daemon.ts'
import { becomeOwnerOf } from './lifecycle/data-dir.ts'
import { createLog } from './lifecycle/log.ts'
import { Obstacle } from './lifecycle/obstacle.ts'
import { prepare } from './lifecycle/prepare.ts'
import { notByHand } from './lifecycle/started-by-hand.ts'
import { createSupervisor } from './lifecycle/supervisor.ts'
import { VERSION } from './version.ts'

const USAGE = `fiskd ${VERSION}: the fiscalization daemon

  fiskd             runs in the foreground, configured by FISKD_* variables
  fiskd --prepare   makes the data directory, its keys and its database, and ends
  fiskd --restore   puts a backup in the place of the database, or makes a restored dump of PostgreSQL usable, and
                    ends: see fisk restore --help
  fiskd --migrate-store   moves the SQLite database to FISKD_DATABASE_URL, and ends: see fisk migrate-store --help
  fiskd --prepare-image [--remove]   says what has to go before the card is copied for other machines, removes it, and
                    ends: see fisk prepare-image --help
  fiskd --check-config   says as JSON whether the FISKD_* variables are right, and ends
  fiskd --rehearse [DIR] [--keep FILE]   brings a copy of the database up to date, says as JSON whether it can be sold
                    on, and ends; keeps it as it was in a file
  fiskd --version   prints the version
`

/** At the end a message that is being sent may take 8 seconds, and a receipt that is being printed as long again. */
const CLOSE_DELAY_MS = 20_000

/** READY waits no longer for the first rehearsal of a sale: until then there is no watchdog. */
const REHEARSAL_MS = 5000

/** @returns the exit code, or the daemon that runs from now on */
async function main(args: readonly string[]): Promise<number | Daemon> {
  if (args[0] === '--version') return say(`${VERSION}\n`)
  if (args[0] === '--help') return say(USAGE)
  if (args[0] === '--check-config') return checkConfig()
  if (args[0] === '--rehearse') return rehearseAndTell(args.slice(1))
  const restoring = args[0] === '--restore'
  const preparingImage = args[0] === '--prepare-image' && (args[1] ?? '--remove') === '--remove' && args.length <= 2
  const alone = ['--prepare', '--migrate-store']
  if (!restoring && !preparingImage && (args.length > 1 || (args.length === 1 && !alone.includes(args[0] ?? '')))) {
    process.stderr.write(USAGE)
    return 2
  }
  const byHand = args.length === 0 ? notByHand(process.env) : null
  if (byHand !== null) {
    process.stderr.write(`fiskd: ${byHand}\n`)
    return 2
  }
  process.umask(0o027)
  const config = readConfig(process.env)
  if (restoring) return say(`${JSON.stringify(await restore(config, readRestoreOrder(args.slice(1)), Date.now()))}\n`)
  if (args.length > 0) becomeOwnerOf(config.dataDir)
  if (preparingImage) return say(`${JSON.stringify(await prepareImage(config, args.length === 2))}\n`)
  if (args[0] === '--prepare') return say(`${JSON.stringify(await prepare(config, Date.now()))}\n`)

  if (args[0] === '--migrate-store') return say(`${JSON.stringify(await migrateStore(config, Date.now()))}\n`)

  const log = createLog(config.logLevel)
  const daemon = await startDaemon(config, log)
  const supervisor = createSupervisor(process.env, log)
  let isStopping = false
  closeWithGrace({ delay: CLOSE_DELAY_MS, logger: false }, async ({ err, signal }) => {
    isStopping = true
    if (err) log.fatal({ err }, 'stopping because of an error nobody handled')
    else log.info({ signal }, 'stopping')
    await supervisor.stopping()
    await daemon.close()
  })
  void daemon.failed.then((error) => {
    // Thrown as an uncaught exception: the requests under way end, and systemd starts a new daemon.
    setImmediate(() => {
      throw error
    })
  })
  // Sales are taken already. Who waits for READY finds one as quick as it will be.
  await Promise.race([daemon.rehearsal.first, setTimeout(REHEARSAL_MS, undefined, { ref: false })])
  if (isStopping) return daemon
  log.info({ version: VERSION, role: config.role, listen: daemon.urls, socket: config.socketPath }, 'ready')
  await supervisor.ready()
  supervisor.watch(daemon.beat)
  return daemon
}

/** Checks the configuration for `fisk init`, before `fisk init` changes it. Creates nothing and keeps nothing open. */
async function checkConfig(): Promise<number> {
  const tell = (judgement: Judgement) => say(`${JSON.stringify(judgement)}\n`)
  try {
    const { unknownVariables, listen, listenConfigured } = readConfig(process.env)
    const absent = listenConfigured ? await absentOf(listen) : []
    return tell({ ok: true, problems: [], unknown: unknownVariables, absent })
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    tell({ ok: false, problems: [...error.problems], unknown: [], absent: [] })
    return 1
  }
}

/** The addresses that this machine does not have now. @throws ConfigError when it has none of the addresses */
async function absentOf(listen: readonly ListenAddress[]): Promise<string[]> {
  const absences = await Promise.all(listen.map(({ host }) => absenceOf(host)))
  const absent = listen.filter((_, index) => absences[index]).map(nameOf)
  if (absent.length < listen.length) return absent
  throw new ConfigError([`FISKD_LISTEN is "${absent.join(',')}": this machine has none of these addresses now`])
}

function say(text: string): number {
  process.stdout.write(text)
  return 0
}

export const runningDaemon = await main(process.argv.slice(2)).then((end) => {
  if (typeof end !== 'number') return end
  process.exitCode = end
  return undefined
}, tellWhy)

function tellWhy(error: unknown): undefined {
  // The first thing that a technician reads: what is wrong and what to do, no stack.
  process.stderr.write(`fiskd: ${error instanceof Error ? error.message : String(error)}\n`)
  const cause = error instanceof Error && !(error instanceof ConfigError) ? error.cause : undefined
  if (cause instanceof Error) process.stderr.write(`  because: ${cause.message}\n`)
  if (error instanceof Obstacle) process.stderr.write(`  what to do: ${error.fix}\n`)
  process.exitCode = error instanceof ConfigError || error instanceof WrongUse ? 2 : 1
}
