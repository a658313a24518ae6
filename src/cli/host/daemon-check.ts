import { constants } from 'node:fs'
import type { StatusView } from '../../contract/admin/status.ts'
import { type Check, failure, fine } from '../../domain/check.ts'
import { alike, type Both, joined, together } from '../../domain/texts/both.ts'
import { isRunning } from '../daemon/client.ts'
import { startByHand } from '../daemon/socket-failure.ts'
import type { Failure } from '../failure.ts'
import { inOwnWords } from '../words/translate.ts'
import { waitsForDisk } from './disk-wait.ts'
import { explanation } from './journal.ts'
import { type Obstacle, unmountedDisk } from './service-files.ts'
import { obstaclesByHand, startObstacles } from './start-obstacles.ts'
import { type Around, refusalOf } from './system.ts'
import { forUnit, type Unit } from './units.ts'

/** Whether the daemon answers; where not, why and what to type. @param configuration the checks of its variables */
export async function daemonCheck(
  io: Around,
  answer: StatusView | Failure,
  socketPath: string,
  service: Unit | null,
  unit: string,
  configuration: readonly Check[],
): Promise<Check> {
  const name = { en: 'daemon', hr: 'fiskd' }
  if (!('body' in answer))
    return fine(name, {
      en: `fiskd ${answer.version} answers on ${socketPath}`,
      hr: `fiskd ${answer.version} odgovara na ${socketPath}`,
    })
  const { message } = answer.body.error
  // It is `fisk` itself that says why nothing answers.
  const unanswered = inOwnWords(message)
  if (await waitsForDisk(io)) {
    const detail = {
      en: `${unanswered.en} It waits for the memory card or disk.`,
      hr: `${unanswered.hr} Čeka memorijsku karticu ili disk.`,
    }
    return failure(name, detail, SLOW_CARD)
  }
  if (service === null || service.LoadState === 'not-found') {
    const isDown = !(isClosed(socketPath) || (await isRunning(socketPath)))
    const obstacles = isDown ? await obstaclesByHand(io) : []
    if (obstacles.length > 0) return obstructed(name, unanswered, obstacles, 'fiskd')
    if (service === null) return failure(name, unanswered, isDown ? inOwnWords(startByHand(socketPath)) : fixOf(answer))
  }
  if (isClosed(socketPath)) return failure(name, unanswered, fixOf(answer))
  const { detail: found, fix: mend, isLogged } = whyDown(service)
  const stays = together`${unanswered} ${found}`
  if (isLogged && configuration.some(({ status }) => status === 'fail')) {
    const detail = {
      en: `${stays.en} Its environment file is wrong.`,
      hr: `${stays.hr} Datoteka s varijablama okoline nije ispravna.`,
    }
    return failure(name, detail, {
      en: 'what is said below of the environment file',
      hr: 'pogledajte niže: datoteka s varijablama okoline',
    })
  }
  const unmounted = unmountedDisk(io)
  const isSearched = isLogged && unmounted.length === 0
  const obstacles = isSearched ? await startObstacles(io, service?.User ?? '') : unmounted
  if (obstacles.length > 0) {
    const check = obstructed(name, stays, obstacles, RESTART)
    return { ...check, fix: check.fix && forUnit(check.fix, unit) }
  }
  const said = isLogged ? await explanation(io, unit) : []
  const because =
    said.length === 0
      ? alike('')
      : { en: `. Its log says: ${said.join(' / ')}`, hr: `. U zapisniku piše: ${said.join(' / ')}` }
  return failure(name, together`${stays}${because}`, forUnit(mend, unit))
}

const fixOf = ({ fix }: Failure) => (fix === null ? LOG : inOwnWords(fix))

/** @param then what starts it */
function obstructed(name: Both, stays: Both, obstacles: readonly Obstacle[], then: string): Check {
  const reasons = joined(obstacles.map(({ detail }) => detail))
  const first = joined(obstacles.map(({ fix }) => fix))
  const detail = { en: `${stays.en} The reason: ${reasons.en}`, hr: `${stays.hr} Razlog: ${reasons.hr}` }
  return failure(name, detail, { en: `${first.en}; then: ${then}`, hr: `${first.hr}; a zatim: ${then}` })
}

/** A socket that may not be opened says nothing about the daemon. */
const isClosed = (socketPath: string) => refusalOf(socketPath, constants.R_OK | constants.W_OK) === 'EACCES'

const SLOW_CARD = {
  en: 'look for errors of the disk (dmesg), and replace an old SD card: fisk backup FILE first',
  hr: 'provjerite pogreške diska (dmesg) i zamijenite staru SD karticu: najprije fisk backup FILE',
}
const START = 'sudo systemctl start fiskd'
const RESTART = 'sudo systemctl restart fiskd'
const LOG = { en: 'all of its log: journalctl -u fiskd', hr: 'cijeli zapisnik: journalctl -u fiskd' }
const REINSTALL = {
  en: 'install the package of fiskd again: sudo apt install ./fiskd_VERSION_ARCH.deb',
  hr: 'ponovno instalirajte paket fiskd: sudo apt install ./fiskd_VERSION_ARCH.deb',
}

/** @param isLogged the log may tell more */
const down = (detail: Both, fix: Both, isLogged = false) => ({ detail, fix, isLogged })
type Down = ReturnType<typeof down>

function whyDown(unit: Unit): Down {
  const { LoadState, ActiveState, SubState, NRestarts } = unit
  const end = endOf(unit)
  if (LoadState === 'not-found')
    return down(
      { en: 'The service fiskd is not installed.', hr: 'Usluga fiskd nije instalirana.' },
      { en: `${REINSTALL.en}; or run fiskd`, hr: `${REINSTALL.hr}; ili pokrenite fiskd` },
    )
  if (LoadState === 'masked')
    return down(
      {
        en: 'The service fiskd is masked: it may not start.',
        hr: 'Usluga fiskd je maskirana, pa se ne može pokrenuti.',
      },
      alike('sudo systemctl unmask fiskd && sudo systemctl enable --now fiskd'),
    )
  if (LoadState !== 'loaded') {
    const verify = 'sudo systemd-analyze verify fiskd.service'
    return down(
      { en: `Its unit cannot be read (${LoadState}).`, hr: `Datoteka usluge ne može se pročitati (${LoadState}).` },
      {
        en: `${verify} names what is wrong with it; or ${REINSTALL.en}`,
        hr: `što nije u redu, pokazuje: ${verify}; ili ${REINSTALL.hr}`,
      },
    )
  }
  if (SubState.startsWith('auto-restart')) {
    const first = {
      en: `It ends soon after its start: ${end.en}.`,
      hr: `Usluga prestaje s radom ubrzo nakon pokretanja: ${end.hr}.`,
    }
    const again = {
      en: `It ends again and again: ${end.en}; started ${NRestarts} times.`,
      hr: `Usluga stalno prekida rad: ${end.hr}; ponovnih pokretanja: ${NRestarts}.`,
    }
    return { detail: Number(NRestarts) === 0 ? first : again, ...mending(unit) }
  }
  if (ActiveState === 'failed')
    return { detail: { en: `It has failed: ${end.en}.`, hr: `Usluga se srušila: ${end.hr}.` }, ...mending(unit) }
  if (ActiveState === 'activating' && Number(NRestarts) > 0)
    return down(
      {
        en: `It is starting again; before that it ended, and was started ${NRestarts} times.`,
        hr: `Usluga se ponovno pokreće nakon prekida; dosadašnjih pokretanja: ${NRestarts}.`,
      },
      { en: `mend what the log names; ${LOG.en}`, hr: `otklonite ono što piše u zapisniku; ${LOG.hr}` },
      true,
    )
  if (ActiveState === 'activating')
    return down(
      { en: 'It is still starting.', hr: 'Usluga se još pokreće.' },
      { en: `wait a minute and ask again; ${LOG.en}`, hr: `pričekajte minutu i ponovno provjerite; ${LOG.hr}` },
    )
  if (ActiveState === 'active')
    return down(
      { en: 'The service runs.', hr: 'Usluga radi.' },
      {
        en: `name its socket with --socket if it is another one; if it hangs: ${RESTART}`,
        hr: `ako koristi drugu priključnicu, navedite je uz --socket; ako ne odgovara: ${RESTART}`,
      },
      true,
    )
  return down({ en: 'The service is stopped.', hr: 'Usluga je zaustavljena.' }, alike(START))
}

const KILLED = new Set(['2', '3'])

/** How the last run ended, in the words of systemd (`Result` of org.freedesktop.systemd1(5)). */
function endOf({ Result, ExecMainCode, ExecMainStatus }: Unit): Both {
  if (Result === 'exit-code') return { en: `exit code ${ExecMainStatus}`, hr: `izlazni kod ${ExecMainStatus}` }
  if (Result === 'signal' || Result === 'core-dump')
    return { en: `killed by signal ${ExecMainStatus}`, hr: `prekinut signalom ${ExecMainStatus}` }
  if (Result === 'oom-kill') return { en: 'the machine was out of memory', hr: 'računalo je ostalo bez memorije' }
  if (Result === 'watchdog')
    return { en: 'it gave no sign of life, and was ended', hr: 'nije se javljala, pa je prekinuta' }
  if (Result === 'timeout')
    return { en: 'it took too long to start or stop', hr: 'pokretanje ili zaustavljanje trajalo je predugo' }
  if (Result === 'start-limit-hit')
    return { en: 'it was started too often in a short time', hr: 'pokrenuta je prečesto u kratkom vremenu' }
  const how = KILLED.has(ExecMainCode)
    ? { en: `signal ${ExecMainStatus}`, hr: `signal ${ExecMainStatus}` }
    : { en: `exit code ${ExecMainStatus}`, hr: `izlazni kod ${ExecMainStatus}` }
  return Result === 'success' ? how : together`${Result}, ${how}`
}

/** Exit codes of systemd itself (systemd.exec(5), Process Exit Codes) and of fiskd: 2 is a wrong configuration. */
const BY_EXIT_CODE: Record<string, Both> = {
  2: {
    en: `correct what it names in /etc/fiskd/fiskd.env, then: ${RESTART}`,
    hr: `ispravite navedeno u /etc/fiskd/fiskd.env, a zatim: ${RESTART}`,
  },
  203: REINSTALL,
  216: alike(`sudo systemd-sysusers && ${RESTART}`),
  217: alike(`sudo systemd-sysusers && ${RESTART}`),
  243: {
    en: `the sealed vault key does not open on this machine: put vault.key of the backup in its place, then: ${RESTART}`,
    hr:
      'šifrirani ključ trezora ne može se otvoriti na ovom računalu: vratite vault.key iz sigurnosne ' +
      `kopije, a zatim: ${RESTART}`,
  },
}

function mending({ Result, ExecMainStatus }: Unit): Pick<Down, 'fix' | 'isLogged'> {
  const byCode = Result === 'exit-code' ? BY_EXIT_CODE[ExecMainStatus] : undefined
  const mended = (then: string): Both => ({
    en: `mend what the log names, then: ${then}`,
    hr: `otklonite ono što piše u zapisniku, a zatim: ${then}`,
  })
  if (Result === 'start-limit-hit')
    return { fix: mended(`sudo systemctl reset-failed fiskd && ${START}`), isLogged: true }
  return { fix: byCode ?? together`${mended(RESTART)}; ${LOG}`, isLogged: true }
}
