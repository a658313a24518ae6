import { type Check, failure, fine, skipped, warning } from '../../domain/check.ts'
import { DAY_MS, type EpochMs } from '../../domain/instant.ts'
import type { Context } from '../context.ts'
import type { DatabaseCare, Standby } from '../ports/database-maintenance.ts'
import { elsewhere, few, type HealthCheck } from './doctor.ts'

/** Whether what was answered survives a power failure, and on a database server also the loss of its disk. */
export function durabilityChecks(care: DatabaseCare): HealthCheck[] {
  const durability = { name: DURABILITY, run: async () => [await durabilityCheck(care)] }
  if (care.server === null) return [durability]
  const standby = { name: STANDBY, run: async () => [standbyCheck(await care.standby(), await care.hasPatroni())] }
  return [durability, standby]
}

async function durabilityCheck(care: DatabaseCare): Promise<Check> {
  const problems = await care.durabilityProblems()
  const fix = care.server === null ? RESTART : (await care.hasPatroni()) ? SET_ON_PATRONI : SET_ON
  if (problems.length > 0) return failure(DURABILITY, few(problems), fix)
  const defaults = await care.durabilityDefaults()
  if (defaults.length > 0) return warning(DURABILITY, few(defaults), fix)
  return fine(DURABILITY, { en: 'what is answered is on the disk', hr: 'sve što je potvrđeno spremljeno je na disk' })
}

const DURABILITY = { en: 'durability', hr: 'trajnost zapisa' }
const STANDBY = { en: 'standby', hr: 'pričuvna baza podataka' }
const RESTART = {
  en: 'restart fiskd, and report this if it stays',
  hr: 'ponovno pokrenite fiskd, a ako se ponovi, prijavite pogrešku',
}
const SET_ON = { en: 'set it to on in postgresql.conf', hr: 'u postgresql.conf postavite na on' }
const SET_ON_PATRONI = {
  en: 'set it to on with patronictl edit-config',
  hr: 'naredbom patronictl edit-config postavite na on',
}
const SET_UP_PATRONI = {
  en: 'turn on synchronous_mode with patronictl edit-config; where the disk itself is kept twice, this is well as it is',
  hr:
    'naredbom patronictl edit-config uključite synchronous_mode; ako je sam disk udvostručen, ne treba ništa ' +
    'mijenjati',
}
const SET_UP = {
  en:
    'let a streaming standby on another machine follow, name it in synchronous_standby_names in postgresql.conf, and ' +
    'reload PostgreSQL; where the disk itself is kept twice, this is well as it is',
  hr:
    'postavite pričuvnu bazu podataka (streaming standby) na drugo računalo, upišite je u ' +
    'synchronous_standby_names u postgresql.conf i ponovno učitajte PostgreSQL; ako je sam disk ' +
    'udvostručen, ne treba ništa mijenjati',
}

function standbyCheck(standby: Standby, hasPatroni: boolean): Check {
  const setUp = hasPatroni ? SET_UP_PATRONI : SET_UP
  switch (standby) {
    case 'waited for':
      return fine(STANDBY, { en: 'each commit waits for a standby', hr: 'svaki upis čeka pričuvnu bazu podataka' })
    case 'none':
      return warning(
        STANDBY,
        {
          en: 'PostgreSQL has no standby: with its disk everything since the last dump is lost',
          hr: 'PostgreSQL nema pričuvnu bazu podataka: kvarom diska gubi se sve od posljednjeg dumpa',
        },
        setUp,
      )
    case 'asynchronous':
      return warning(
        STANDBY,
        {
          en: 'no commit waits for a standby: a failover loses the latest sales, whose receipts are printed',
          hr: 'upisi ne čekaju pričuvnu bazu podataka: pri preuzimanju se gube najnoviji računi, a već su ispisani',
        },
        setUp,
      )
    case 'not connected':
      return warning(
        STANDBY,
        {
          en: 'synchronous_standby_names wants a standby, and none of that name is connected: commits wait for it',
          hr: 'pričuvna baza podataka iz synchronous_standby_names nije povezana, pa je upisi čekaju',
        },
        {
          en: 'start the standby, or correct its name: SELECT application_name, sync_state FROM pg_stat_replication',
          hr:
            'pokrenite pričuvnu bazu podataka ili ispravite njezin naziv: SELECT application_name, sync_state ' +
            'FROM pg_stat_replication',
        },
      )
    case 'not shown':
      return skipped(
        STANDBY,
        {
          en: 'PostgreSQL does not show fiskd whether a standby is connected',
          hr: 'PostgreSQL ne pokazuje je li pričuvna baza podataka povezana',
        },
        {
          en: 'grant pg_read_all_stats to the role of FISKD_DATABASE_URL',
          hr: 'dodijelite pg_read_all_stats ulozi iz FISKD_DATABASE_URL',
        },
      )
  }
}

export const WARN_AFTER_DAYS = 8
const NAME = { en: 'backup', hr: 'sigurnosna kopija' }
const FIX = {
  en: 'make one now, on another disk: sudo fisk backup FILE',
  hr: 'izradite je odmah, na drugom disku: sudo fisk backup FILE',
}

export function backupChecks({ store, care, clock }: Context & { care: Pick<DatabaseCare, 'server'> }): HealthCheck[] {
  if (care.server !== null) {
    return [
      elsewhere(NAME, {
        en: 'the database is PostgreSQL: fiskd does not see whether pg_dump or WAL archiving saves it',
        hr: 'baza podataka je PostgreSQL: fiskd ne vidi spremaju li je pg_dump ili arhiviranje WAL-a',
      }),
    ]
  }
  return [{ name: NAME, run: async () => [await examine()] }]

  async function examine(): Promise<Check> {
    const sales = await store.invoices.journals()
    if (sales.length === 0) return fine(NAME, { en: 'there are no sales yet', hr: 'još nema prodaje' })
    return check(await store.audit.latest('database.backed_up'))
  }

  function check(at: EpochMs | null): Check {
    if (at === null) return warning(NAME, { en: 'none was ever made', hr: 'nikad nije izrađena' }, FIX)
    const days = Math.floor((clock.now() - at) / DAY_MS)
    const ago =
      days < 1
        ? {
            en: 'the last one was made less than a day ago',
            hr: 'posljednja je izrađena prije manje od jednog dana',
          }
        : { en: `the last one was made ${days} days ago`, hr: `posljednja je izrađena prije ${days} dana` }
    return days >= WARN_AFTER_DAYS ? warning(NAME, ago, FIX) : fine(NAME, ago)
  }
}
