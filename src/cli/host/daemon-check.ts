import { accessSync, constants } from 'node:fs'
import type { StatusView } from '../../contract/admin/status.ts'
import { type Check, failure, fine } from '../../domain/check.ts'
import type { Failure } from '../failure.ts'
import { waitsForDisk } from './disk-wait.ts'
import { explanation } from './journal.ts'
import { unmountedDisk } from './service-files.ts'
import { startObstacles } from './start-obstacles.ts'
import type { Around } from './system.ts'
import { forUnit, type Unit } from './units.ts'

/**
 * Whether the daemon answers and, where it does not, why: what can be seen of its machine, else what systemd and the log
 * say, and what to type.
 * @param configuration what was found of its environment file
 */
export async function daemonCheck(
  io: Around,
  answer: StatusView | Failure,
  socketPath: string,
  service: Unit | null,
  unit: string,
  configuration: readonly Check[],
): Promise<Check> {
  const name = 'daemon'
  if (!('body' in answer)) return fine(name, `fiskd ${answer.version} answers on ${socketPath}`)
  if (await waitsForDisk(io)) {
    return failure(name, `${answer.body.error.message} It waits for the memory card or disk.`, SLOW_CARD)
  }
  const down = service === null || isClosed(socketPath) ? null : whyDown(service)
  if (down === null) return failure(name, answer.body.error.message, service === null ? RUN : (answer.fix ?? LOG))
  const stays = `${answer.body.error.message} ${down.detail}`
  if (down.isLogged && configuration.some(({ status }) => status === 'fail')) {
    return failure(name, `${stays} Its environment file is wrong.`, 'what is said below of the environment file')
  }
  const unmounted = unmountedDisk(io)
  const isSearched = down.isLogged && unmounted.length === 0
  const obstacles = isSearched ? await startObstacles(io, service?.User ?? '') : unmounted
  if (obstacles.length > 0) {
    const reasons = obstacles.map(({ detail }) => detail).join('; ')
    const fix = `${obstacles.map((one) => one.fix).join('; ')}; then: ${RESTART}`
    return failure(name, `${stays} The reason: ${reasons}`, forUnit(fix, unit))
  }
  const said = down.isLogged ? await explanation(io, unit) : []
  const because = said.length === 0 ? '' : `. Its log says: ${said.join(' / ')}`
  return failure(name, `${stays}${because}`, forUnit(down.fix, unit))
}

/** A socket that may not be opened says nothing about the daemon. */
function isClosed(socketPath: string): boolean {
  try {
    accessSync(socketPath, constants.R_OK | constants.W_OK)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES'
  }
}

interface Down {
  detail: string
  fix: string
  /** The log may tell more. */
  isLogged: boolean
}

const SLOW_CARD = 'look for errors of the disk (dmesg), and replace an old SD card: fisk backup FILE first'
const RUN = 'start it: fiskd; where it listens on another socket, name that with --socket or FISKD_SOCKET'
const START = 'sudo systemctl start fiskd'
const RESTART = 'sudo systemctl restart fiskd'
const LOG = 'all of its log: journalctl -u fiskd'
const REINSTALL = 'install the package of fiskd again: sudo apt install ./fiskd_VERSION_ARCH.deb'

function whyDown(unit: Unit): Down {
  const { LoadState, ActiveState, SubState } = unit
  if (LoadState === 'not-found') {
    return { detail: 'The service fiskd is not installed.', fix: `${REINSTALL}; or run fiskd`, isLogged: false }
  }
  if (LoadState === 'masked') {
    const fix = 'sudo systemctl unmask fiskd && sudo systemctl enable --now fiskd'
    return { detail: 'The service fiskd is masked: it may not start.', fix, isLogged: false }
  }
  if (LoadState !== 'loaded') {
    const fix = `sudo systemd-analyze verify fiskd.service names what is wrong with it; or ${REINSTALL}`
    return { detail: `Its unit cannot be read (${LoadState}).`, fix, isLogged: false }
  }
  if (SubState.startsWith('auto-restart')) {
    const isFirst = Number(unit.NRestarts) === 0
    const again = `It ends again and again: ${endOf(unit)}; started ${unit.NRestarts} times.`
    return { detail: isFirst ? `It ends soon after its start: ${endOf(unit)}.` : again, ...mending(unit) }
  }
  if (ActiveState === 'failed') return { detail: `It has failed: ${endOf(unit)}.`, ...mending(unit) }
  if (ActiveState === 'activating' && Number(unit.NRestarts) > 0) {
    const detail = `It is starting again; before that it ended, and was started ${unit.NRestarts} times.`
    return { detail, fix: `mend what the log names; ${LOG}`, isLogged: true }
  }
  if (ActiveState === 'activating') {
    return { detail: 'It is still starting.', fix: `wait a minute and ask again; ${LOG}`, isLogged: false }
  }
  if (ActiveState === 'active') {
    const fix = `name its socket with --socket if it is another one; if it hangs: ${RESTART}`
    return { detail: 'The service runs.', fix, isLogged: true }
  }
  return { detail: 'The service is stopped.', fix: START, isLogged: false }
}

const KILLED = new Set(['2', '3'])

/** How the last run ended, in the words of systemd (`Result` of org.freedesktop.systemd1(5)). */
function endOf({ Result, ExecMainCode, ExecMainStatus }: Unit): string {
  if (Result === 'exit-code') return `exit code ${ExecMainStatus}`
  if (Result === 'signal' || Result === 'core-dump') return `killed by signal ${ExecMainStatus}`
  if (Result === 'oom-kill') return 'the machine was out of memory'
  if (Result === 'watchdog') return 'it gave no sign of life, and was ended'
  if (Result === 'timeout') return 'it took too long to start or stop'
  if (Result === 'start-limit-hit') return 'it was started too often in a short time'
  const how = KILLED.has(ExecMainCode) ? 'signal' : 'exit code'
  return Result === 'success' ? `${how} ${ExecMainStatus}` : `${Result}, ${how} ${ExecMainStatus}`
}

/** Exit codes of systemd itself (systemd.exec(5), Process Exit Codes) and of fiskd: 2 is a wrong configuration. */
const BY_EXIT_CODE: Record<string, string> = {
  2: `correct what it names in /etc/fiskd/fiskd.env, then: ${RESTART}`,
  203: REINSTALL,
  216: `sudo systemd-sysusers && ${RESTART}`,
  217: `sudo systemd-sysusers && ${RESTART}`,
  243: `the sealed vault key does not open on this machine: put vault.key of the backup in its place, then: ${RESTART}`,
}

function mending({ Result, ExecMainStatus }: Unit): Pick<Down, 'fix' | 'isLogged'> {
  const byCode = Result === 'exit-code' ? BY_EXIT_CODE[ExecMainStatus] : undefined
  const usual = `mend what the log names, then: ${RESTART}; ${LOG}`
  if (Result === 'start-limit-hit') {
    return { fix: `mend what the log names, then: sudo systemctl reset-failed fiskd && ${START}`, isLogged: true }
  }
  return { fix: byCode ?? usual, isLogged: true }
}
