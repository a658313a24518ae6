import { type Check, failure, fine, warning } from '../../domain/check.ts'
import { POSITIONS_DOUBTFUL } from '../../domain/sync-bounds.ts'
import type { SyncAdmin, SyncStatus } from '../gateways/sync-status.ts'
import type { Clock } from '../ports/clock.ts'
import { OUT_OF_REACH } from '../ports/enrolment.ts'
import type { StoreTransaction } from '../ports/store.ts'
import { few, type HealthCheck, skippedAfter } from './doctor.ts'

interface Deps {
  store: { alerts: Pick<StoreTransaction['alerts'], 'open'> }
  sync: Pick<SyncAdmin, 'status' | 'refusals'>
  clock: Clock
}

const HOUR_MS = 3_600_000
/** A gateway normally contacts its server within a second. */
const ASKING_MS = 5 * 60_000
const DAY_MS = 24 * HOUR_MS
/** More than a slow connection can distort the time. */
const CLOCKS_MS = 2 * 60_000
const HELD =
  'another one numbers receipts at these premises, see fisk sync status; where this one is wrong: fisk device set ' +
  'DEVICE --status archived; where it has taken the place of the holder, on the server: fisk gateway revoke HOLDER --release'
const FAR =
  'the number of an invoice is out of reach of what the server knows; where it is right, on the server: ' +
  'fisk gateway accept NAME INVOICE; then here: fisk sync now'
const ANEW = 'on the server: fisk gateway add NAME --again; then here: fisk sync enroll URL TOKEN'
const REPLACED_OR_ANEW =
  'where another machine has taken its place (fisk replace), switch this one off; ' +
  'else on the server: fisk gateway add NAME --again; then here: fisk sync enroll URL TOKEN'
const LEAVE = `fisk sync leave --yes; ${ANEW}`

/** Whether the central server gets all changes, if there is one. */
export function syncChecks({ store, sync, clock }: Deps): HealthCheck[] {
  return [{ name: 'central server', run: examine }]

  async function examine(): Promise<Check[]> {
    const status = await sync.status()
    if (status === null) return [fine('central server', 'this gateway has none')]
    return [
      ...[serverCheck(status), clockCheck(status), waitingCheck(status), await refusedCheck(status)],
      ...[numbersCheck(status), await lostCheck()],
    ]
  }

  function serverCheck({ state, since, server, lastError }: SyncStatus): Check {
    const name = 'central server'
    const why = lastError === null ? '' : `: ${lastError.message}`
    if (lastError?.code === POSITIONS_DOUBTFUL) return failure(name, lastError.message, LEAVE)
    switch (state) {
      case 'connecting':
        if (clock.now() - since < ASKING_MS) return fine(name, `${server} is being asked`)
        return warning(
          name,
          `${server} has not been asked for ${Math.floor((clock.now() - since) / 60_000)} minutes`,
          'see why in the log: journalctl -u fiskd; or start it anew: systemctl restart fiskd',
        )
      case 'connected':
        return fine(name, `${server} answers`)
      case 'unreachable': {
        const detail = `${server} does not answer${why}`
        if (clock.now() - since < HOUR_MS) return fine(name, `${detail}; it is tried again by itself`)
        return warning(name, detail, 'check the line and the address; FISKD_SYNC_URL names a server that has moved')
      }
      case 'revoked':
        return failure(name, `it does not take this gateway${why}`, REPLACED_OR_ANEW)
      case 'duplicated':
        return failure(name, `two machines say that they are this gateway${why}`, `switch the wrong one off; ${ANEW}`)
      case 'replaced':
        return warning(
          name,
          'it hears another process of this gateway',
          'switch off the card or copy that was replaced',
        )
      case 'unreadable':
        return failure(name, `${server} cannot be asked${why}`, ANEW)
      case 'incompatible':
        return failure(name, `it speaks another version${why}`, 'bring gateway and server to the same version of fiskd')
    }
  }

  function clockCheck({ clockAheadMs }: SyncStatus): Check {
    const name = 'clock of the central server'
    if (clockAheadMs === null) return skippedAfter(name, 'central server')
    const seconds = Math.round(Math.abs(clockAheadMs) / 1000)
    if (Math.abs(clockAheadMs) < CLOCKS_MS) return fine(name, `${seconds} s from this one`)
    const detail = `it is ${seconds} s ${clockAheadMs > 0 ? 'ahead of' : 'behind'} this one; nothing is lost by it`
    return warning(name, detail, 'see which of the two is wrong: timedatectl, here and on the server')
  }

  function waitingCheck({ waiting, lastPushAt, enrolledAt }: SyncStatus): Check {
    const name = 'rows for the central server'
    if (waiting === 0) return fine(name, 'it has everything')
    const hours = Math.floor((clock.now() - (lastPushAt ?? enrolledAt)) / HOUR_MS)
    const detail = `${waiting} wait, and none was taken for ${hours} hours`
    if (hours * HOUR_MS < DAY_MS) return fine(name, `${waiting} wait to be told`)
    return warning(name, detail, 'see what keeps them: fisk sync status')
  }

  function numbersCheck({ doubtful }: SyncStatus): Check {
    const name = 'numbers the central server told'
    if (doubtful === 0) return fine(name, 'all are believed')
    const detail = `${doubtful} are far above what is known here, or not signed: sales go on without them`
    return warning(name, detail, 'compare them with the last receipts on paper: fisk sync confirm-numbers')
  }

  async function lostCheck(): Promise<Check> {
    const name = 'records the central server has'
    const alert = (await store.alerts.open(null)).find(
      (one) => one.kind === 'records_lost' && one.acknowledgedAt === null,
    )
    if (!alert) return fine(name, 'this machine has lost none of them')
    const { count, premises, first, last } = alert.detail
    const twice =
      count === 0 ? '' : `; numbers given out twice at ${String(premises)}: ${String(first)} to ${String(last)}`
    return failure(
      name,
      `this machine has lost some of them; the memory card did not keep what it had confirmed, or is an old copy${twice}`,
      `replace the card: fisk replace; compare the last receipts on paper with fisk numbers list; then: fisk alert ack ${alert.id}`,
    )
  }

  async function refusedCheck({ refused }: SyncStatus): Promise<Check> {
    const name = 'rows the central server refused'
    if (refused === 0) return fine(name, 'there is none')
    const latest = await sync.refusals(50)
    const found = latest.slice(0, 3).map(({ kind, id, code }) => `${kind} ${id} (${code})`)
    const isHeld = latest.some(({ code }) => code === 'premises_owned_by_gateway')
    const isFar = latest.some(({ code }) => code === OUT_OF_REACH)
    const fix = isHeld ? HELD : isFar ? FAR : 'see why: fisk sync status; send them again: fisk sync now'
    return warning(name, `${refused}: ${few(found)}`, fix)
  }
}
