import { execFile } from 'node:child_process'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import Database from 'better-sqlite3'
import type { Chance } from '../chaos/chance.ts'
import { startLoad } from '../chaos/load.ts'
import type { Told } from '../chaos/report.ts'
import type { Shop } from '../chaos/shop.ts'
import type { KillableProcess } from './machine.ts'
import type { Kiosk } from './trouble.ts'

const run = promisify(execFile)
const FINISH_MS = 60_000
/** What `fisk restore` advises. */
const GAP = '1000'

interface Order {
  dist: string
  kiosk: Kiosk
  shop: Shop
  server: KillableProcess
  /** A machine that nothing was done to yet. */
  fresh: KillableProcess
  chance: Chance
  /** Of the replacement; left out for what it takes by itself. */
  gap?: number
}

/** Where a sequence ends on a card that was restored, and where it begins on the one that replaces it. */
export interface Replaced {
  name: string
  issued: bigint
  after: bigint
}

/** Restores a gateway that sells while its server is away, and breaks; another machine takes its place the same day. */
export async function replaceRestored(order: Order): Promise<Replaced> {
  const { dist, kiosk, shop, server, fresh, chance, gap } = order
  const [database, backup] = [join(kiosk.dataDir, 'fiskd.db'), join(kiosk.dataDir, 'backup.db')]
  await kiosk.stop()
  copyFileSync(database, backup)
  const args = [join(dist, 'daemon/main.js'), '--restore', '--gap', GAP, '--', backup]
  await run(process.execPath, args, { env: { PATH: process.env.PATH, FISKD_DATA_DIR: kiosk.dataDir } })
  kiosk.link.cut()
  await kiosk.rise()
  const load = startLoad({ shop, chance, oldAgeMs: null, passes: () => true })
  await load.moreAnswers(4, FINISH_MS)
  await load.finish(FINISH_MS)
  await kiosk.stop()
  kiosk.link.mend()

  const { token } = await server.admin('POST', '/admin/gateways', { name: kiosk.name, again: true })
  await fresh.rise()
  await fresh.admin('POST', '/admin/sync/enroll', { url: `https://127.0.0.1:${kiosk.link.port}`, token })
  const numbers = { highest: [], ...(gap !== undefined && { gap }) }
  const taken = (await fresh.admin('POST', '/admin/sync/replacement', numbers)) as { numbers: Sequence[] }
  await fresh.stop()
  const known = taken.numbers.filter(({ mode, seen }) => mode === 'test' && seen !== null)
  const after = known.map((one) => BigInt(one.after)).reduce((least, one) => (one < least ? one : least))
  return { name: kiosk.name, issued: highestIn(database), after }
}

type Sequence = { mode: string; seen: string | null; after: string }

function highestIn(path: string): bigint {
  const database = new Database(path, { readonly: true })
  try {
    return BigInt(database.prepare<[], number>('SELECT max(CAST(number AS INTEGER)) FROM invoices').pluck().get() ?? 0)
  } finally {
    database.close()
  }
}

/** @param planted replacements that skip no more than a restore does: each must be found */
export function promisesOfReplaced(replaced: readonly Replaced[], planted: readonly Replaced[]): Told[] {
  const isTwice = ({ issued, after }: Replaced) => issued > after
  return [
    {
      looked: replaced.length,
      promise: 'gateways were restored, sold without their server and were replaced, and no number is given out twice',
      problems: replaced
        .filter(isTwice)
        .map(({ name, issued, after }) => `${name}: ${issued} was given out, its replacement goes on after ${after}`),
    },
    {
      looked: planted.length,
      promise: 'replacements were given the gap of a restore, and each was found',
      problems: planted.filter((one) => !isTwice(one)).map(({ name }) => `${name} was not found`),
    },
  ]
}
