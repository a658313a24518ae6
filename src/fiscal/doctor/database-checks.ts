import { type Check, failure, fine, warning } from '../../domain/check.ts'
import { written } from '../../domain/sale/number-run.ts'
import { alike, type Both, together } from '../../domain/texts/both.ts'
import type { ClockState } from '../clock/describe-clock.ts'
import type { DatabaseCare } from '../ports/database-maintenance.ts'
import type { Store } from '../ports/store.ts'
import type { LookAtDisk } from '../sales/disk-space.ts'
import { checkJournals } from '../sales/journal-check.ts'
import { elsewhere, few, type HealthCheck, premisesName, sequenceName } from './doctor.ts'
import { durabilityChecks } from './durability-checks.ts'

export interface DatabaseCheckDeps {
  store: Store
  care: DatabaseCare
  lookAtDisk: LookAtDisk
  clock: { state(): ClockState }
}

const RESTORE = {
  en: 'stop fiskd and restore the last backup that was whole: fisk restore FILE',
  hr: 'zaustavite fiskd i vratite posljednju ispravnu sigurnosnu kopiju: fisk restore FILE',
}
const CHANGED = {
  en: 'something changed the database behind fiskd: keep a copy of it as evidence, then ',
  hr: 'bazu podataka izmijenilo je nešto mimo programa fiskd: sačuvajte njezinu kopiju kao dokaz, a zatim: ',
}
const evidenceOf = ({ server }: DatabaseCare) =>
  together`${CHANGED}${server === null ? RESTORE : { en: 'restore the last dump that was whole with pg_restore, then fisk restore', hr: 'vratite posljednji ispravan dump naredbom pg_restore, a zatim fisk restore' }}`

/** Whether the database and its disk are reliable enough for sales. */
export function databaseChecks({ store, care, lookAtDisk, clock }: DatabaseCheckDeps): HealthCheck[] {
  const checkOf = (name: Both, problems: () => Promise<string[]>, well: Both, fix: Both): HealthCheck => ({
    name,
    run: async () => [noneOf(name, await problems(), '', { well, fix })],
  })
  const evidence = evidenceOf(care)
  return [
    care.server === null
      ? checkOf(
          FILE,
          care.fileProblems,
          { en: 'every page is sound', hr: 'sve su stranice ispravne' },
          {
            en: `restart fiskd, which checks it again; ${RESTORE.en}`,
            hr: `ponovno pokrenite fiskd, koji je tada opet provjerava; ${RESTORE.hr}`,
          },
        )
      : elsewhere(FILE, {
          en: `the database is PostgreSQL (${care.server}): pg_amcheck looks at its files`,
          hr: `baza podataka je PostgreSQL (${care.server}): njezine datoteke provjerava pg_amcheck`,
        }),
    checkOf(
      { en: 'schema', hr: 'struktura baze podataka' },
      care.schemaProblems,
      { en: 'tables, indexes and triggers are as fiskd made them', hr: 'tablice, indeksi i okidači nisu mijenjani' },
      evidence,
    ),
    ...durabilityChecks(care),
    { name: JOURNAL, run: async () => journalChecks(store, evidence) },
    { name: RECORDS, run: async () => recordChecks(care, evidence) },
    { name: DISK, run: async () => [await diskCheck(lookAtDisk)] },
    { name: CLOCK, run: async () => [clockCheck(clock.state())] },
  ]
}

/** @param ill goes before what was found */
function noneOf(
  name: Both,
  found: readonly (Both | string)[],
  ill: Both | string,
  { well, fix }: { well: Both; fix: Both },
): Check {
  return found.length === 0 ? fine(name, well) : failure(name, together`${ill}${few(found)}`, fix)
}

async function journalChecks(store: Store, evidence: Both): Promise<Check[]> {
  const { entries, journals, broken, wrongNumbers, passedOver, reserved } = await checkJournals(store)
  const sealed = {
    en: `${entries} ${entries === 1 ? 'sale' : 'sales'} of ${journals} premises, each sealed to the one before it`,
    hr: `računa: ${entries}, poslovnih prostora: ${journals}; svaki je račun vezan uz prethodni`,
  }
  const faults = broken.map(({ journal, position, invoiceId, why }) => {
    const what = `${position}${invoiceId === null ? '' : ` (${invoiceId})`}: ${why}`
    return { en: `${premisesName(journal)}, position ${what}`, hr: `${premisesName(journal)}, mjesto ${what}` }
  })
  const wrong = wrongNumbers.map(({ sequence, why }) => `${sequenceName(sequence)}: ${why}`)
  const skipped = passedOver.map(
    ({ sequence, numbers }) => together`${sequenceName(sequence)}: ${few(numbers.map(written))}`,
  )
  const none =
    reserved === 0
      ? { en: 'no number is missing', hr: 'nijedan broj ne nedostaje' }
      : {
          en: 'no number is missing, but for those reserved when a backup was restored',
          hr: 'nijedan broj ne nedostaje, osim onih koji su rezervirani pri vraćanju sigurnosne kopije',
        }
  return [
    noneOf(JOURNAL, faults, '', { well: sealed, fix: evidence }),
    wrong.length > 0
      ? failure(NUMBERS, few(wrong), evidence)
      : skipped.length > 0
        ? warning(
            NUMBERS,
            {
              en: `a sale that named its own number passed over ${few(skipped).en}`,
              hr: `račun s vlastitim brojem preskočio je ${few(skipped).hr}`,
            },
            EXPLAIN,
          )
        : fine(NUMBERS, none),
  ]
}

const FILE = { en: 'database file', hr: 'datoteka baze podataka' }
const JOURNAL = { en: 'journal', hr: 'dnevnik računa' }
const NUMBERS = { en: 'numbers', hr: 'brojevi računa' }
const RECORDS = { en: 'records', hr: 'zapisi računa' }
const JIRS = { en: 'JIRs', hr: 'JIR-ovi' }
const SUMS = { en: 'sums', hr: 'zbrojevi prodaje' }
const WELL = {
  records: {
    en: 'what is searched by says what was issued',
    hr: 'podaci za pretraživanje odgovaraju izdanim računima',
  },
  jirs: { en: 'no two sales have the same', hr: 'svaki račun ima vlastiti JIR' },
  sums: {
    en: 'the sums of each day and month are those of its sales',
    hr: 'zbrojevi svakog dana i mjeseca jednaki su prodaji',
  },
}
const ILL = {
  records: { en: 'columns and document differ in ', hr: 'podaci za pretraživanje razlikuju se od računa: ' },
  jirs: { en: 'more than one sale has ', hr: 'isti JIR na više računa: ' },
  sums: { en: 'they are not those of the sales on ', hr: 'ne odgovaraju prodaji za ' },
}
export const DISK = { en: 'disk', hr: 'prostor na disku' }
const CLOCK = { en: 'clock', hr: 'sat' }
const EXPLAIN = {
  en: 'write down in the records of the premises why these numbers were never issued',
  hr: 'u evidenciji poslovnog prostora zapišite zašto ti brojevi nisu izdani',
}

async function recordChecks(care: DatabaseCare, fix: Both): Promise<Check[]> {
  const { strays, repeated, sums } = await care.contradictions()
  return [
    noneOf(RECORDS, strays, ILL.records, { well: WELL.records, fix }),
    noneOf(JIRS, repeated, ILL.jirs, { well: WELL.jirs, fix }),
    noneOf(SUMS, sums, ILL.sums, { well: WELL.sums, fix }),
  ]
}

async function diskCheck(lookAtDisk: LookAtDisk): Promise<Check> {
  const { freeBytes, room } = await lookAtDisk()
  if (freeBytes === null) {
    const detail = { en: 'the free space is not known', hr: 'slobodan prostor nije poznat' }
    return warning(DISK, detail, {
      en: 'look at the log: journalctl -u fiskd',
      hr: 'pogledajte zapisnik: journalctl -u fiskd',
    })
  }
  const mb = Math.floor(freeBytes / 1024 / 1024)
  const free = { en: `${mb} MB are free`, hr: `slobodno: ${mb} MB` }
  if (room === 'everything') return fine(DISK, free)
  const fix = {
    en: 'free some space on the disk of the data directory; what takes it: sudo du -xah /var/lib/fiskd / | sort -h | tail -20',
    hr:
      'oslobodite prostor na disku na kojem je podatkovna mapa; što ga zauzima: sudo du -xah ' +
      '/var/lib/fiskd / | sort -h | tail -20',
  }
  if (room === 'no_sales') {
    const detail = { en: `${free.en}: nothing can be sold`, hr: `${free.hr}: prodaja nije moguća` }
    return failure(DISK, detail, fix)
  }
  return warning(
    DISK,
    room === 'no_archive'
      ? { en: `${free.en}: messages are not kept`, hr: `${free.hr}: poruke se ne arhiviraju` }
      : {
          en: `${free.en}: ordinary log lines are not kept`,
          hr: `${free.hr}: uobičajeni zapisi o radu ne spremaju se`,
        },
    fix,
  )
}

function clockCheck({ status, detail }: ClockState): Check {
  if (status === 'ok')
    return fine(CLOCK, { en: 'nothing speaks against it', hr: 'ništa ne upućuje na pogrešno vrijeme' })
  return warning(CLOCK, detail ?? alike(status), {
    en: 'let this machine follow a time server: sudo timedatectl set-ntp true',
    hr: 'uključite usklađivanje s poslužiteljem točnog vremena: sudo timedatectl set-ntp true',
  })
}
