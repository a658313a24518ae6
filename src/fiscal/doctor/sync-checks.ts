import { type Check, failure, fine, warning } from '../../domain/check.ts'
import { DAY_MS, HOUR_MS } from '../../domain/instant.ts'
import { POSITIONS_DOUBTFUL } from '../../domain/sync-bounds.ts'
import { alike, together } from '../../domain/texts/both.ts'
import type { SyncAdmin } from '../gateways/sync-admin.ts'
import type { SyncStatus } from '../gateways/sync-status.ts'
import type { Clock } from '../ports/clock.ts'
import { OUT_OF_REACH } from '../ports/enrolment.ts'
import type { StoreTransaction } from '../ports/store.ts'
import { few, type HealthCheck, skippedAfter } from './doctor.ts'

interface Deps {
  store: { alerts: Pick<StoreTransaction['alerts'], 'open'> }
  sync: Pick<SyncAdmin, 'status' | 'refusals'>
  clock: Clock
}

/** A gateway normally contacts its server within a second. */
const ASKING_MS = 5 * 60_000
/** More than a slow connection can distort the time. */
const CLOCKS_MS = 2 * 60_000
const SERVER = { en: 'central server', hr: 'središnji poslužitelj' }
const HELD = {
  en:
    'another one numbers receipts at these premises, see fisk sync status; where this one is wrong: fisk device set ' +
    'DEVICE --status archived; where it has taken the place of the holder, on the server: fisk gateway revoke HOLDER --release',
  hr:
    'brojeve računa u tom poslovnom prostoru dodjeljuje drugi pristupnik, vidi fisk sync status; ako ' +
    'je pogrešan ovaj: fisk device set DEVICE --status archived; ako je ovaj zamijenio dosadašnji, na ' +
    'poslužitelju: fisk gateway revoke HOLDER --release',
}
const FAR = {
  en:
    'the number of an invoice is out of reach of what the server knows; where it is right, on the server: ' +
    'fisk gateway accept NAME INVOICE; then here: fisk sync now',
  hr:
    'broj računa previše odstupa od brojeva koje poslužitelj zna; ako je točan, na poslužitelju: fisk ' +
    'gateway accept NAME INVOICE; zatim ovdje: fisk sync now',
}
const ANEW = {
  en: 'on the server: fisk gateway add NAME --again; then here: fisk sync enroll URL TOKEN',
  hr: 'na poslužitelju: fisk gateway add NAME --again; zatim ovdje: fisk sync enroll URL TOKEN',
}
const REPLACED_OR_ANEW = {
  en:
    'where another machine has taken its place (fisk replace), switch this one off; ' +
    'else on the server: fisk gateway add NAME --again; then here: fisk sync enroll URL TOKEN',
  hr:
    'ako ga je zamijenilo drugo računalo (fisk replace), isključite ovo; inače na poslužitelju: fisk ' +
    'gateway add NAME --again; zatim ovdje: fisk sync enroll URL TOKEN',
}
const LEAVE = { en: `fisk sync leave --yes; ${ANEW.en}`, hr: `fisk sync leave --yes; ${ANEW.hr}` }

export function syncChecks({ store, sync, clock }: Deps): HealthCheck[] {
  return [{ name: SERVER, run: examine }]

  async function examine(): Promise<Check[]> {
    const status = await sync.status()
    if (status === null)
      return [fine(SERVER, { en: 'this gateway has none', hr: 'ovaj pristupnik nema središnji poslužitelj' })]
    return [
      ...[serverCheck(status), clockCheck(status), waitingCheck(status), await refusedCheck(status)],
      ...[numbersCheck(status), await lostCheck()],
    ]
  }

  function serverCheck({ state, since, server, lastError }: SyncStatus): Check {
    const why = lastError === null ? '' : `: ${lastError.message}`
    if (lastError?.code === POSITIONS_DOUBTFUL) return failure(SERVER, alike(lastError.message), LEAVE)
    const minutes = Math.floor((clock.now() - since) / 60_000)
    switch (state) {
      case 'connecting':
        if (clock.now() - since < ASKING_MS)
          return fine(SERVER, { en: `${server} is being asked`, hr: `uspostavlja se veza s ${server}` })
        return warning(
          SERVER,
          {
            en: `${server} has not been asked for ${minutes} minutes`,
            hr: `poslužitelju ${server} ništa nije poslano već ${minutes} min`,
          },
          {
            en: 'see why in the log: journalctl -u fiskd; or start it anew: systemctl restart fiskd',
            hr: 'uzrok je u zapisniku: journalctl -u fiskd; ili ponovno pokrenite fiskd: systemctl restart fiskd',
          },
        )
      case 'connected':
        return fine(SERVER, { en: `${server} answers`, hr: `${server} odgovara` })
      case 'unreachable': {
        const detail = { en: `${server} does not answer${why}`, hr: `${server} ne odgovara${why}` }
        if (clock.now() - since < HOUR_MS)
          return fine(SERVER, {
            en: `${detail.en}; it is tried again by itself`,
            hr: `${detail.hr}; pokušava se ponovno, automatski`,
          })
        return warning(SERVER, detail, {
          en: 'check the line and the address; FISKD_SYNC_URL names a server that has moved',
          hr: 'provjerite mrežnu vezu i adresu; ako je poslužitelj premješten, adresu postavite u FISKD_SYNC_URL',
        })
      }
      case 'revoked':
        return failure(
          SERVER,
          { en: `it does not take this gateway${why}`, hr: `poslužitelj ne prihvaća ovaj pristupnik${why}` },
          REPLACED_OR_ANEW,
        )
      case 'duplicated':
        return failure(
          SERVER,
          {
            en: `two machines say that they are this gateway${why}`,
            hr: `dva se računala predstavljaju kao ovaj pristupnik${why}`,
          },
          { en: `switch the wrong one off; ${ANEW.en}`, hr: `isključite pogrešno; ${ANEW.hr}` },
        )
      case 'replaced':
        return warning(
          SERVER,
          {
            en: 'it hears another process of this gateway',
            hr: 'poslužitelju se javlja drugi proces ovog pristupnika',
          },
          {
            en: 'switch off the card or copy that was replaced',
            hr: 'isključite karticu ili kopiju koja je zamijenjena',
          },
        )
      case 'unreadable':
        return failure(
          SERVER,
          { en: `${server} cannot be asked${why}`, hr: `s poslužiteljem ${server} veza nije moguća${why}` },
          ANEW,
        )
      case 'incompatible':
        return failure(
          SERVER,
          { en: `it speaks another version${why}`, hr: `poslužitelj koristi drugu inačicu protokola${why}` },
          {
            en: 'bring gateway and server to the same version of fiskd',
            hr: 'na pristupniku i poslužitelju instalirajte istu inačicu programa fiskd',
          },
        )
    }
  }

  function clockCheck({ clockAheadMs }: SyncStatus): Check {
    const name = { en: 'clock of the central server', hr: 'sat središnjeg poslužitelja' }
    if (clockAheadMs === null) return skippedAfter(name, SERVER)
    const seconds = Math.round(Math.abs(clockAheadMs) / 1000)
    if (Math.abs(clockAheadMs) < CLOCKS_MS)
      return fine(name, { en: `${seconds} s from this one`, hr: `razlika prema ovom satu: ${seconds} s` })
    const isAhead = clockAheadMs > 0
    const detail = {
      en: `it is ${seconds} s ${isAhead ? 'ahead of' : 'behind'} this one; nothing is lost by it`,
      hr: `${isAhead ? `ide ${seconds} s ispred ovog sata` : `kasni ${seconds} s za ovim satom`}; zbog toga se ništa ne gubi`,
    }
    return warning(name, detail, {
      en: 'see which of the two is wrong: timedatectl, here and on the server',
      hr: 'provjerite koji je od njih pogrešan: timedatectl, ovdje i na poslužitelju',
    })
  }

  function waitingCheck({ waiting, refused, lastPushAt, enrolledAt }: SyncStatus): Check {
    const name = { en: 'rows for the central server', hr: 'zapisi za središnji poslužitelj' }
    if (waiting === 0) return fine(name, { en: 'it has everything', hr: 'poslužitelj ima sve' })
    const hours = Math.floor((clock.now() - (lastPushAt ?? enrolledAt)) / HOUR_MS)
    const detail = {
      en: `${waiting} wait, and none was taken for ${hours} hours`,
      hr: `čeka zapisa: ${waiting}; nijedan nije preuzet već ${hours} h`,
    }
    if (waiting === refused || hours * HOUR_MS < DAY_MS)
      return fine(name, { en: `${waiting} wait to be told`, hr: `čeka slanje, zapisa: ${waiting}` })
    return warning(name, detail, {
      en: 'see what keeps them: fisk sync status',
      hr: 'uzrok pokazuje: fisk sync status',
    })
  }

  function numbersCheck({ doubtful }: SyncStatus): Check {
    const name = { en: 'numbers the central server told', hr: 'brojevi koje je javio središnji poslužitelj' }
    if (doubtful === 0) return fine(name, { en: 'all are believed', hr: 'svim se brojevima vjeruje' })
    const detail = {
      en: `${doubtful} are far above what is known here, or not signed: sales go on without them`,
      hr: `brojeva koji su daleko iznad ovdje poznatih ili nisu potpisani: ${doubtful}. Prodaja se nastavlja bez njih`,
    }
    return warning(name, detail, {
      en: 'compare them with the last receipts on paper: fisk sync confirm-numbers',
      hr: 'usporedite ih s posljednjim ispisanim računima: fisk sync confirm-numbers',
    })
  }

  async function lostCheck(): Promise<Check> {
    const name = { en: 'records the central server has', hr: 'zapisi koje ima središnji poslužitelj' }
    const alert = (await store.alerts.open(null)).find(
      (one) => one.kind === 'records_lost' && one.acknowledgedAt === null,
    )
    if (!alert)
      return fine(name, { en: 'this machine has lost none of them', hr: 'na ovom računalu nijedan nije izgubljen' })
    const [premises, first, last] = [alert.detail.premises, alert.detail.first, alert.detail.last].map(String)
    const twice =
      alert.detail.count === 0
        ? alike('')
        : {
            en: `; numbers given out twice at ${premises}: ${first} to ${last}`,
            hr: `; brojevi izdani dvaput u poslovnom prostoru ${premises}: ${first} do ${last}`,
          }
    const detail = {
      en: `this machine has lost some of them; the memory card did not keep what it had confirmed, or is an old copy${twice.en}`,
      hr:
        'na ovom su računalu neki od njih izgubljeni; memorijska kartica nije sačuvala ono što je potvrdila ili je ' +
        `stara kopija${twice.hr}`,
    }
    return failure(name, detail, {
      en: `replace the card: fisk replace; compare the last receipts on paper with fisk numbers list; then: fisk alert ack ${alert.id}`,
      hr:
        'zamijenite karticu: fisk replace; usporedite posljednje ispisane račune s popisom fisk numbers ' +
        `list; zatim: fisk alert ack ${alert.id}`,
    })
  }

  async function refusedCheck({ refused }: SyncStatus): Promise<Check> {
    const name = { en: 'rows the central server has not taken', hr: 'zapisi koje središnji poslužitelj nije preuzeo' }
    if (refused === 0) return fine(name, { en: 'there is none', hr: 'nema ih' })
    const latest = await sync.refusals(50)
    const found = latest.slice(0, 3).map(({ kind, id, code }) => `${kind} ${id} (${code})`)
    const isHeld = latest.some(({ code }) => code === 'premises_owned_by_gateway')
    const isFar = latest.some(({ code }) => code === OUT_OF_REACH)
    const fix = isHeld
      ? HELD
      : isFar
        ? FAR
        : {
            en: 'see why: fisk sync status; send them again: fisk sync now',
            hr: 'uzrok pokazuje: fisk sync status; ponovno slanje: fisk sync now',
          }
    return warning(name, together`${refused}: ${few(found)}`, fix)
  }
}
