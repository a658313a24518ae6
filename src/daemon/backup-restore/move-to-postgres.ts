import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import type { StoreMoved } from '../../contract/reports/one-off.ts'
import { describeDatabaseUrl } from '../../domain/database-url.ts'
import type { Store } from '../../fiscal/ports/store.ts'
import { checkJournals } from '../../fiscal/sales/journal-check.ts'
import { readOrigin } from '../../store/shared/database-origin.ts'
import { requireOurDatabase } from '../../store/sqlite/quick-check.ts'
import { openStore } from '../../store/store.ts'
import type { Config } from '../config.ts'
import { claimDataDir } from '../lifecycle/data-dir.ts'
import { copyOfBackup, databasePath } from '../lifecycle/open-database.ts'

type Numbers = Pick<Store, 'numbering'>
type Journals = Parameters<typeof checkJournals>[0]

/** @throws Error that says what to do; both databases are then as they were */
export async function migrateStore({ dataDir, databaseUrl }: Config, now: number): Promise<StoreMoved> {
  if (databaseUrl === null) throw new Error('FISKD_DATABASE_URL does not say where to: fisk migrate-store URL')
  const path = databasePath(dataDir)
  using _lock = await claimDataDir(dataDir)
  if (!existsSync(path)) throw new Error(`there is no database ${path} to move`)
  const to = describeDatabaseUrl(databaseUrl)
  const { moveToServer, finishMove } = await import('../../store/postgres/move.ts')
  const { movedTo, move, isBackup } = readOrigin(path)
  if (movedTo !== null) {
    if (move === null) throw new Error(`${path} was moved to ${movedTo} before`)
    await finishMove(databaseUrl, move)
    return { from: path, to, invoices: 0, rows: null }
  }
  if (isBackup) throw copyOfBackup(path)
  await requireOurDatabase(path)
  await using source = await openStore(path, now)
  if (await source.enrolment.get()) {
    throw new Error('this is a gateway that tells a central server: fisk sync leave, or move another database')
  }
  const before = await contentsOf(source)
  const rows = await moveToServer({
    path,
    url: databaseUrl,
    id: randomUUID(),
    verify: async (copy) =>
      isDeepStrictEqual(await contentsOf(copy as Journals & Numbers), before) ? [] : ['numbers or seals differ'],
  })
  return { from: path, to, invoices: rows.invoices ?? 0, rows }
}

/** The seals of all journals made again, and where each sequence goes on. @throws Error when a seal does not hold */
async function contentsOf(store: Journals & Numbers) {
  const { entries, journals, broken, wrongNumbers } = await checkJournals(store)
  const [first] = [...broken, ...wrongNumbers]
  if (first) throw new Error(`${first.why}: nothing is moved before that is explained; see fisk doctor`)
  return { entries, journals, sequences: await store.numbering.sequences(), levels: await store.numbering.levels() }
}
