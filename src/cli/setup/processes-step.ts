import { chmodSync, chownSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeDatabaseUrl } from '../../domain/database-url.ts'
import { isRunning } from '../daemon/client.ts'
import { broken, clash, wrongUse } from '../failure.ts'
import { dataDir, type Io } from '../io.ts'
import {
  environmentFilePath,
  readVariables,
  replaceEnvironmentFile,
  startedWith,
  type Variables,
  withVariables,
} from '../machine/environment-file.ts'
import { judgeConfiguration, runFiskd, whyEnded } from '../machine/fiskd-program.ts'
import { type Instance, instanceOf, instancesOf } from '../machine/instances.ts'
import { fiskdService, type Service } from '../machine/service.ts'
import type { Session } from '../session.ts'
import { lockConfiguration } from './configuration-lock.ts'
import { makingOf } from './database-address.ts'
import type { Groundwork } from './setup.ts'

const FIRST_PORT = 8451

export interface Wanted {
  databaseUrl: string
  processes: number
  /** The names and addresses by which gateways and browsers reach the load balancer. */
  names: string[]
}

/** Starts the processes, or restarts them one by one where something has changed. @throws Failure when one fails */
export async function processesStep({ session, steps }: Groundwork, wanted: Wanted): Promise<void> {
  const { io } = session
  const path = environmentFilePath(io.env)
  const unlock = lockConfiguration(path)
  try {
    const old = instancesOf(io.env)
    const before = readFileSync(path, 'utf8')
    const after = withVariables(before, changesTo(readVariables(before), wanted, old.length))
    const env = startedWith(io.env, after)
    const { problems } = await judgeConfiguration(io, env)
    if (problems.length > 0) throw wrongUse('database-url', problems.join('\n'), `${path} is as it was.`)
    const services = await servicesOf(session, wanted)
    await requireSameDatabase(old, readVariables(before).FISKD_DATABASE_URL, wanted.databaseUrl)
    if (old.length === 0 || wanted.databaseUrl !== readVariables(before).FISKD_DATABASE_URL) {
      await prepareDatabase(session, env, wanted)
    }
    const isSame = after === before && old.length === wanted.processes
    steps.push({
      step: 'database',
      state: isSame ? 'already' : 'done',
      detail: describeDatabaseUrl(wanted.databaseUrl),
    })

    if (after !== before) replaceEnvironmentFile(path, after)
    for (const { instance } of services) writeInstance(session, instance, readVariables(after))
    for (const instance of old.filter(({ number }) => number > wanted.processes)) await remove(session, instance)
    let started = 0
    for (const { instance, service } of services) {
      if (await isRunning(instance.socket)) {
        if (after === before) continue
        await must(service.restart(), instance)
      } else await must(service.start(), instance)
      started++
    }
    const detail = `${services.map(({ instance }) => instance.unit).join(', ')}; they start with the machine`
    steps.push({ step: 'processes', state: started > 0 || !isSame ? 'done' : 'already', detail })
  } finally {
    unlock()
  }
}

function changesTo(known: Variables, { databaseUrl, processes, names }: Wanted, before: number): Variables {
  // Other machines may have some, too.
  const elsewhere = known.FISKD_PROCESSES ? Math.max(0, Number(known.FISKD_PROCESSES) - before) : 0
  const wanted: Variables = {
    FISKD_ROLE: 'server',
    FISKD_DATABASE_URL: databaseUrl,
    FISKD_PROCESSES: String(elsewhere + processes),
    FISKD_PROXIES: known.FISKD_PROXIES ?? '127.0.0.1',
    FISKD_TLS_NAMES: names.join(','),
  }
  return Object.fromEntries(Object.entries(wanted).filter(([name, value]) => known[name] !== value))
}

/** Two databases would give out the same numbers while processes sell. @throws Failure; nothing is changed then */
async function requireSameDatabase(old: readonly Instance[], before: string | undefined, databaseUrl: string) {
  if (before === undefined || before === databaseUrl) return
  const running: string[] = []
  for (const { unit, socket } of old) if (await isRunning(socket)) running.push(unit)
  if (running.length === 0) return
  throw clash(
    'database-url',
    `${running.join(', ')} sell on ${describeDatabaseUrl(before)}, not on ${describeDatabaseUrl(databaseUrl)}. Nothing was changed.`,
    `Stop all of them, on every machine (systemctl stop ${running.join(' ')}), and repeat this command.`,
  )
}

async function servicesOf({ io }: Session, { processes }: Wanted) {
  const units: { instance: Instance; service: Service }[] = []
  for (let number = 1; number <= processes; number++) {
    const { unit } = instanceOf(io.env, number)
    const service = await fiskdService(io, () => instanceOf(io.env, number).socket, unit)
    if (service === null) {
      const fix = 'Install the package of fiskd on a machine with systemd; or see docs/postgresql.md'
      throw broken('internal_error', 'systemd does not run this machine, or does not know fiskd@.service.', fix)
    }
    units.push({ instance: instanceOf(io.env, number), service })
  }
  return units
}

/** Makes schema, vault key and CA as the account of the service, while no process runs. */
async function prepareDatabase(session: Session, env: Io['env'], { databaseUrl }: Wanted): Promise<void> {
  const { io } = session
  // What the package has started, as a gateway that has sold nothing yet or as a server on SQLite.
  const alone = await fiskdService(io, session.socketPath)
  const ran = await isRunning(session.socketPath())
  if (alone && ran) await alone.stop()
  const { code, stderr } = await runFiskd({ ...io, env: { ...io.env, ...env } }, ['--prepare'])
  if (code === 0) {
    if (alone && !ran) await alone.stop()
    return
  }
  if (alone && ran) await alone.start()
  const why = whyEnded({ code, stderr }, '--prepare')
  const said = `The database ${describeDatabaseUrl(databaseUrl)} cannot be used: ${why}. Nothing was changed.`
  const make = `If it is not there yet: ${makingOf(databaseUrl)}; then repeat this command.`
  throw broken('internal_error', said, why.includes('migrate-store') ? null : make)
}

/** With owner and mode of the file of all; one that is there stays, for its port may be another one by now. */
function writeInstance({ io }: Session, { number, file }: Instance, common: Variables): void {
  if (existsSync(file)) return
  const shared = dataDir({ ...io.env, ...common })
  const own = join(shared, String(number))
  // What the file of all says counts more than the unit.
  const moved = Boolean(common.FISKD_DATA_DIR || common.FISKD_SOCKET)
  const paths = moved
    ? { FISKD_SHARED_DIR: shared, FISKD_DATA_DIR: own, FISKD_SOCKET: join(own, 'fiskd.sock') }
    : undefined
  const heading = `# Process ${number} of this server, beside fiskd.env; after a change: systemctl restart fiskd@${number}\n`
  const text = withVariables(heading, { FISKD_LISTEN: `127.0.0.1:${FIRST_PORT + number - 1}`, ...paths })
  const { uid, gid, mode } = statSync(environmentFilePath(io.env))
  writeFileSync(file, text, { flag: 'wx', mode: 0o600 })
  chownSync(file, uid, gid)
  chmodSync(file, mode & 0o7777)
}

async function remove({ io }: Session, { unit, file, socket }: Instance): Promise<void> {
  const service = await fiskdService(io, () => socket, unit)
  await service?.stop()
  rmSync(file)
}

async function must(brought: Promise<string | null>, { unit, file }: Instance): Promise<void> {
  const why = await brought
  if (why === null) return
  const fix = `Correct ${file} or what its log names (journalctl -u ${unit}), and repeat this command: the others serve.`
  throw broken('internal_error', `${unit} does not start: ${why}`, fix)
}
