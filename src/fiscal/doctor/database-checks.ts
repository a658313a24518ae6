import { type Check, failure, fine, warning } from '../../domain/check.ts'
import { written } from '../../domain/sale/number-run.ts'
import type { ClockState } from '../clock/clock-state.ts'
import type { DatabaseCare } from '../ports/database-maintenance.ts'
import type { Journal, Sequence } from '../ports/model.ts'
import type { Store } from '../ports/store.ts'
import type { LookAtDisk } from '../sales/disk-space.ts'
import { checkJournals } from '../sales/journal-check.ts'
import { elsewhere, few, type HealthCheck } from './doctor.ts'
import { durabilityChecks } from './durability-checks.ts'

export interface DatabaseCheckDeps {
  store: Pick<Store, 'invoices' | 'numbering' | 'transaction'>
  care: DatabaseCare
  lookAtDisk: LookAtDisk
  clock: { state(): ClockState }
}

const RESTORE = 'stop fiskd and restore the last backup that was whole: fisk restore FILE'
const CHANGED = 'something changed the database behind fiskd: keep a copy of it as evidence, then '
const evidenceOf = ({ server }: DatabaseCare) =>
  CHANGED + (server === null ? RESTORE : 'restore the last dump that was whole with pg_restore, then fisk restore')

/** Whether the database and its disk are reliable enough for sales. */
export function databaseChecks({ store, care, lookAtDisk, clock }: DatabaseCheckDeps): HealthCheck[] {
  const checkOf = (name: string, problems: () => Promise<string[]>, well: string, fix: string): HealthCheck => ({
    name,
    async run() {
      const found = await problems()
      return [found.length === 0 ? fine(name, well) : failure(name, few(found), fix)]
    },
  })
  const evidence = evidenceOf(care)
  return [
    care.server === null
      ? checkOf(
          'database file',
          care.fileProblems,
          'every page is sound',
          `restart fiskd, which checks it again; ${RESTORE}`,
        )
      : elsewhere('database file', `the database is PostgreSQL (${care.server}): pg_amcheck looks at its files`),
    checkOf('schema', care.schemaProblems, 'tables, indexes and triggers are as fiskd made them', evidence),
    ...durabilityChecks(care),
    { name: 'journal', run: async () => journalChecks(store, evidence) },
    { name: 'records', run: async () => recordChecks(care, evidence) },
    { name: 'disk', run: async () => [await diskCheck(lookAtDisk)] },
    { name: 'clock', run: async () => [clockCheck(clock.state())] },
  ]
}

async function journalChecks(
  store: Pick<Store, 'invoices' | 'numbering' | 'transaction'>,
  evidence: string,
): Promise<Check[]> {
  const { entries, journals, broken, wrongNumbers, passedOver, reserved } = await checkJournals(store)
  const sales = `${entries} ${entries === 1 ? 'sale' : 'sales'}`
  const places = broken.map(({ journal, position, invoiceId, why }) => {
    return `${premises(journal)}, position ${position}${invoiceId === null ? '' : ` (${invoiceId})`}: ${why}`
  })
  const wrong = wrongNumbers.map(({ sequence, why }) => `${numbersOf(sequence)}: ${why}`)
  const skipped = passedOver.map(({ sequence, numbers }) => `${numbersOf(sequence)}: ${few(numbers.map(written))}`)
  const because = reserved === 0 ? '' : ', but for those reserved when a backup was restored'
  return [
    broken.length === 0
      ? fine('journal', `${sales} of ${journals} premises, each sealed to the one before it`)
      : failure('journal', few(places), evidence),
    wrong.length > 0
      ? failure('numbers', few(wrong), evidence)
      : skipped.length > 0
        ? warning('numbers', `a sale that named its own number passed over ${few(skipped)}`, EXPLAIN)
        : fine('numbers', `no number is missing${because}`),
  ]
}

const EXPLAIN = 'write down in the records of the premises why these numbers were never issued'

async function recordChecks(care: DatabaseCare, evidence: string): Promise<Check[]> {
  const { strays, repeated, sums } = await care.contradictions()
  return [
    strays.length === 0
      ? fine('records', 'what is searched by says what was issued')
      : failure('records', `columns and document differ in ${few(strays)}`, evidence),
    repeated.length === 0
      ? fine('JIRs', 'no two sales have the same')
      : failure('JIRs', `more than one sale has ${few(repeated)}`, evidence),
    sums.length === 0
      ? fine('sums', 'the sums of each day and month are those of its sales')
      : failure('sums', `they are not those of the sales on ${few(sums)}`, evidence),
  ]
}

async function diskCheck(lookAtDisk: LookAtDisk): Promise<Check> {
  const { freeBytes, room } = await lookAtDisk()
  if (freeBytes === null) return warning('disk', 'the free space is not known', 'look at the log: journalctl -u fiskd')
  const free = `${Math.floor(freeBytes / 1024 / 1024)} MB are free`
  if (room === 'everything') return fine('disk', free)
  const fix =
    'free some space on the disk of the data directory; what takes it: sudo du -xah /var/lib/fiskd / | sort -h | tail -20'
  if (room === 'no_sales') return failure('disk', `${free}: nothing can be sold`, fix)
  return warning('disk', `${free}: ${room === 'no_archive' ? 'messages' : 'ordinary log lines'} are not kept`, fix)
}

function clockCheck({ status, detail }: ClockState): Check {
  if (status === 'ok') return fine('clock', 'nothing speaks against it')
  return warning('clock', detail ?? status, 'let this machine follow a time server: sudo timedatectl set-ntp true')
}

function premises({ premisesCode, mode }: Journal): string {
  return mode === 'live' ? premisesCode : `${premisesCode} (${mode})`
}

function numbersOf(sequence: Sequence): string {
  const register = sequence.register === '' ? '' : `, register ${sequence.register}`
  return `${premises(sequence)} in ${sequence.year}${register}`
}
