import { PrinterList } from '../../contract/admin/printers.ts'
import { StatusSchema, type StatusView } from '../../contract/admin/status.ts'
import { type Check, fine, warning } from '../../domain/check.ts'
import { alike } from '../../domain/texts/both.ts'
import type { Client } from '../daemon/client.ts'
import { Failure } from '../failure.ts'
import { installedVersion } from '../installation.ts'
import { instancesOf, unitOf } from '../machine/instances.ts'
import { configurationCheck } from './configuration-check.ts'
import { daemonCheck } from './daemon-check.ts'
import { databaseUsersCheck } from './database-users.ts'
import { machineChecks } from './machine-checks.ts'
import { processCheck, serviceChecks } from './service-checks.ts'
import type { Around } from './system.ts'
import { modemManagerCheck, TIME_SERVICES, timeServiceCheck, userCheck } from './unit-checks.ts'
import { showUnits, type Unit } from './units.ts'

/** More than the tax authority is given to answer, on which the status waits. */
const SILENCE_MS = 20_000

/** Without systemd, or without fiskd as a service, what concerns that is left out. `isRunning`: the daemon answers. */
export async function diagnoseHost(io: Around, client: Client, socketPath: string) {
  const answer = await client.get('/admin/status', StatusSchema, { silenceMs: SILENCE_MS }).catch(orFailure)
  const unit = unitOf(io.env, socketPath)
  // What is said of the service is said of each process.
  const others = instancesOf(io.env).filter((one) => one.unit !== unit)
  const units = await showUnits(io, [
    ...[`${unit}.service`, 'fiskd-backup.timer', 'ModemManager.service'],
    ...TIME_SERVICES,
    ...others.map((one) => `${one.unit}.service`),
  ])
  const [service, backupTimer, modemManager, ...more] = units ?? []
  const timeServices = more.slice(0, TIME_SERVICES.length)
  const isRunning = !(answer instanceof Failure)
  const configuration = await configurationCheck(io, isRunning ? answer : null)
  const checks = [await daemonCheck(io, answer, socketPath, service ?? null, unit, configuration)]
  if (!(answer instanceof Failure)) checks.push(versionCheck(answer))
  if (service && backupTimer) checks.push(...serviceChecks(service, backupTimer, unit))
  for (const [index, other] of others.entries()) {
    const found = more[TIME_SERVICES.length + index]
    if (found) checks.push(processCheck(found, other.unit))
  }
  if (service?.LoadState === 'loaded') checks.push(await userCheck(io, service))
  checks.push(...configuration, ...databaseUsersCheck(io))
  if (modemManager && isRunning) checks.push(...(await modemChecks(io, modemManager, client)))
  if (timeServices.length > 0) checks.push(timeServiceCheck(timeServices))
  return { checks: [...checks, ...machineChecks(io)], isRunning }
}

/** What the daemon refuses for a reason of its caller's ends the command. */
function orFailure(error: unknown): Failure {
  if (error instanceof Failure && error.body.error.type === 'api_error') return error
  throw error
}

function versionCheck({ version }: StatusView): Check {
  const name = { en: 'version', hr: 'inačica' }
  const installed = installedVersion()
  if (version === installed)
    return fine(name, { en: `${version} is installed, and runs`, hr: `instalirana i pokrenuta inačica: ${version}` })
  const fix = alike('sudo systemctl restart fiskd')
  const detail = {
    en: `${installed} is installed, but ${version} runs since before that`,
    hr: `instalirana je inačica ${installed}, a još radi ${version}`,
  }
  return warning(name, detail, fix)
}

/** Printers are asked for only where it matters; their own state is the daemon's to tell. */
async function modemChecks(io: Around, modemManager: Unit, client: Client): Promise<Check[]> {
  if (modemManager.ActiveState !== 'active') return []
  const printers = await client.get('/admin/printers', PrinterList).catch(orFailure)
  if (printers instanceof Failure) return []
  return modemManagerCheck(
    io,
    modemManager,
    printers.data.map(({ line }) => line),
  )
}
