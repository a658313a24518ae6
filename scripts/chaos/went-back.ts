import { cpSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { zagrebYear } from '../../src/domain/zagreb.ts'
import type { Chance } from './chance.ts'
import { type Life, startDaemon } from './daemon.ts'
import { readDatabase } from './database.ts'
import { fisk } from './fisk.ts'
import { ask } from './http.ts'
import { openPosts } from './posts.ts'
import { createTill, type Sale } from './sale.ts'
import type { Scratch } from './scratch.ts'
import { OIB, type Shop } from './shop.ts'
import type { Line } from './verdict.ts'

export interface WentBackOrder {
  dist: string
  /** Of a daemon that has ended; it sells a little more, and is killed. */
  dataDir: string
  /** Variables of a daemon with this data directory. */
  env: (dataDir: string) => Record<string, string>
  shop: Shop
  /** What was sold so far. */
  sales: readonly Sale[]
  chance: Chance
}

/** What is done to a copy of the data directory that a kill left. @param kept copies of the database from before some sales */
type Harm = (database: string, kept: { file: string; backup: string }) => void

/** How a database goes back in time; the log holds what was sold since the last stop. */
const HARMS: Record<string, Harm> = {
  'all of it as the kill left it': () => {},
  'its log removed': (database) => rmSync(`${database}-wal`),
  'its log emptied': (database) => truncateSync(`${database}-wal`),
  'its log without its first 32 bytes': (database) => {
    const log = readFileSync(`${database}-wal`)
    writeFileSync(`${database}-wal`, log.fill(0, 0, 32))
  },
  'its log cut': (database) => truncateSync(`${database}-wal`, Math.floor(statSync(`${database}-wal`).size / 2)),
  'its file of before, without the log': (database, { file }) => replace(database, file),
}

/** As on a new card: no record of issued sales tells what the copy lacks, only its mark. */
const copyOfBackup: Harm = (database, { backup }) => {
  replace(database, backup)
  for (const name of ['issued.log', 'issued.log.made']) rmSync(join(database, '..', name))
}

function replace(database: string, by: string): void {
  rmSync(`${database}-wal`)
  cpSync(by, database)
}

/** More than was sold since the backup. */
const GAP = '100'

/** Puts the database back in time in each way, and judges what the daemon sells on it, and how it finds its way back. */
export async function goBack(order: WentBackOrder, scratch: Scratch): Promise<Line[]> {
  const { dist, dataDir, env, shop, chance } = order
  const [machine] = shop.machines
  if (!machine) throw new Error('nobody sells')
  const till = createTill(machine, chance, null)
  const { post } = openPosts(shop)
  const start = async (dir: string): Promise<Life> => {
    const life = startDaemon(dist, env(dir), scratch, 'went-back.log')
    if ((await life.ready) === null) throw new Error(`the daemon did not start:\n${(await life.ended).lastWords}`)
    return life
  }

  const answered = order.sales.filter(({ machine: of, seen }) => of.premisesCode === machine.premisesCode && seen[0])
  const sell = async () => {
    const sale = till()
    await post(sale)
    if (!sale.seen[0]) throw new Error(`a sale was refused before anything went back: ${sale.refusals}`)
    answered.push(sale)
  }
  const kept = { file: join(scratch.dir, 'before.db'), backup: join(scratch.dir, 'backup.db') }
  cpSync(join(dataDir, 'fiskd.db'), kept.file)
  const life = await start(dataDir)
  for (let i = 0; i < 2; i++) await sell()
  await fisk(dist, env(dataDir), 'backup', kept.backup)
  for (let i = 0; i < 3; i++) await sell()
  await life.kill()
  const given = new Set(answered.map(numberOf))
  const highest = answered.at(-1)?.seen[0]?.number
  const ids = new Set(answered.map(({ seen }) => seen[0]?.id))

  /** Posts a sale; where it is refused, takes the way back and posts it again. */
  async function tryForm(name: string, harm: Harm): Promise<{ problems: string[]; isRefused: boolean }> {
    const dir = join(scratch.dir, name.replaceAll(/\W+/g, '-'))
    const database = join(dir, 'fiskd.db')
    cpSync(dataDir, dir, { recursive: true, filter: (path) => !/fiskd\.(sock|pid|db-shm)$/.test(path) })
    harm(database, kept)
    let life = await start(dir)
    const sale = till()
    await post(sale)
    if (sale.seen[0]) {
      await life.terminate()
      const held = readDatabase(dir).invoices.filter(({ id }) => ids.has(id)).length
      const lacks = held < ids.size ? [`sold on without ${ids.size - held} sales that were answered`] : []
      return { isRefused: false, problems: [...lacks, ...numberProblems(sale, String(Number(highest) + 1))] }
    }
    const status = await ask({ socketPath: join(dir, 'fiskd.sock') }, { path: '/admin/status' })
    const isCopy = harm === copyOfBackup
    const reason = isCopy ? `fisk restore ${database}` : 'lacks sales that were issued'
    const untold = status?.text.includes(reason) ? [] : [`the status does not say "${reason}"`]
    const others = sale.refusals[0] === '500 internal_error' ? [] : [`refused with ${sale.refusals[0] ?? 'no answer'}`]
    if (isCopy) await life.terminate()
    const way = isCopy ? ['restore', database, '--gap', GAP] : ['numbers', 'skip-lost', OIB, sale.machine.premisesCode]
    const printed = await fisk(dist, env(dir), ...way, '--yes')
    if (isCopy) life = await start(dir)
    await post(sale)
    await life.terminate()
    const back = sale.seen[0] ? numberProblems(sale) : [`still refused after fisk ${way.join(' ')}: ${printed}`]
    return { isRefused: true, problems: [...untold, ...others, ...back] }
  }

  function numberProblems(sale: Sale, wanted?: string): string[] {
    const number = sale.seen[0]?.number
    if (given.has(numberOf(sale))) return [`number ${number} was given out again`]
    return wanted === undefined || number === wanted ? [] : [`sold with number ${number} instead of ${wanted}`]
  }

  const problems: string[] = []
  let refused = 0
  for (const [name, harm] of Object.entries(HARMS)) {
    const tried = await tryForm(name, harm)
    if (tried.isRefused) refused++
    problems.push(...tried.problems.map((problem) => `${name}: ${problem}`))
  }
  const copy = await tryForm('a copy of fisk backup', copyOfBackup)
  return [
    {
      check: 'went-back',
      looked: Object.keys(HARMS).length,
      promise: `databases after a kill: ${refused} went back and sold nothing until fisk numbers skip-lost, and no number came twice`,
      problems,
    },
    {
      check: 'backup-copy',
      looked: 1,
      promise: 'copy of a backup in the place of the database sold nothing until fisk restore',
      problems: copy.problems,
    },
  ]
}

/** With its year, in which it is given out once. */
const numberOf = ({ seen, occurredAt }: Sale) => `${seen[0]?.number}/${zagrebYear(Date.parse(occurredAt))}`
