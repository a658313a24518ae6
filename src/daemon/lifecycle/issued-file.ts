import { existsSync, writeSync } from 'node:fs'
import { type FileHandle, open, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { highestWithinReach } from '../../domain/sale/receipt-number.ts'
import type { Both } from '../../domain/texts/both.ts'
import { LatestIssued } from '../../fiscal/numbering/latest-issued.ts'
import { sequenceKey, sequenceOf } from '../../fiscal/ports/model.ts'
import type { IssuedRecord, IssuedSale } from '../../fiscal/ports/rows/issued.ts'
import { type KnownNumbers, knowingNothing } from '../../store/shared/sync/known-numbers.ts'
import { DATABASE } from '../../store/shared/tables.ts'
import type { OpenStore } from '../../store/store.ts'
import { writeFileAtomic } from './atomic-file.ts'

export const ISSUED = 'issued.log'

/** Says that there was a record here: a process with a new data directory on an old database of PostgreSQL has none. */
const MARKER = 'issued.log.made'

export const issuedPath = (dataDir: string) => join(dataDir, ISSUED)

/** About 400 sales: when so much was appended, and as much as the file was long, it is written anew, and flushed. */
const LONG_BYTES = 128 * 1024

/** So many lines are made in one turn of the event loop. */
const LINES_AT_ONCE = 1_000

const line = (content: unknown) => {
  const text = JSON.stringify(content)
  return `${crc32(text).toString(16)} ${text}\n`
}

interface ReadFile {
  /** Of the database that it is about; null where the file does not say it. */
  database: string | null
  sales: IssuedSale[]
  /** Why not all of it could be read; null for what a power cut leaves, an end that was not written. */
  problem: Both | null
}

/** @returns undefined when there is no file */
async function readIssued(path: string): Promise<ReadFile | undefined> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    return error
  })
  if (bytes === undefined) return undefined
  if (bytes instanceof Error)
    return {
      database: null,
      sales: [],
      problem: { en: `it cannot be read (${bytes.code})`, hr: `ne može se pročitati (${bytes.code})` },
    }
  const lines = bytes.toString('utf8').split('\n').map(contentOf)
  const lastGood = lines.findLastIndex((one) => one !== undefined)
  const [first, ...others] = lines.slice(0, lastGood + 1)
  const database = (first as { database?: string } | undefined)?.database ?? null
  const sales = others.filter((one) => one !== undefined) as IssuedSale[]
  const isTorn = database === null || sales.length < others.length
  return {
    database,
    sales,
    problem: isTorn ? { en: 'a part of it is not as it was written', hr: 'dio nije onakav kakav je zapisan' } : null,
  }
}

/** @returns undefined for a line that is not as it was written */
function contentOf(text: string): unknown {
  const [sum, content = ''] = [text.slice(0, text.indexOf(' ')), text.slice(text.indexOf(' ') + 1)]
  return content !== '' && sum === crc32(content).toString(16) ? JSON.parse(content) : undefined
}

/**
 * @param name for a database that has none yet. A restored one keeps its own: where the one that it replaced is put back,
 *   the record still knows what was sold meanwhile
 */
export async function nameDatabase(meta: OpenStore['meta'], name: string): Promise<string> {
  return (await meta.keep(DATABASE, Buffer.from(name))).toString()
}

export async function beginIssued(dataDir: string, database: string): Promise<void> {
  await writeFileAtomic(issuedPath(dataDir), line({ database }), 0o640)
}

/** The numbers that the record knows as given out; none without a record. */
export async function numbersIssued(dataDir: string): Promise<KnownNumbers[]> {
  const path = issuedPath(dataDir)
  const read = await readIssued(path)
  if (!read) return []
  const levels = read.sales.map((sale) => ({ ...sale, level: sale.register === '' ? ('P' as const) : ('N' as const) }))
  const known: KnownNumbers = { ...knowingNothing(path), problem: read.problem?.en ?? null, levels }
  for (const key of new Set(read.sales.map(sequenceKey))) {
    const sales = read.sales.filter((sale) => sequenceKey(sale) === key)
    const highest = highestWithinReach(sales.map(({ number }) => number))
    const counted = BigInt(highest ?? 0)
    known.ahead.push(...sales.filter(({ number }) => BigInt(number) > counted))
    const sequence = sequenceOf(sales[0] as IssuedSale)
    if (highest !== undefined) known.sequences.push({ ...sequence, highest, used: highest })
  }
  return [known]
}

const notWritten = (error: unknown) => {
  const { code } = error as NodeJS.ErrnoException
  return { en: `it cannot be written (${code})`, hr: `ne može se zapisati (${code})` }
}

/**
 * A line for each sale, which is appended and not flushed. What cannot be read, and the record of another database, is
 * told as a problem, and made anew from the database.
 * @param id names a database that has no name yet
 */
export async function openIssued(
  dataDir: string,
  store: Pick<OpenStore, 'meta' | 'invoices' | 'issued'>,
  id: string,
): Promise<IssuedRecord & { close(): Promise<void> }> {
  const path = issuedPath(dataDir)
  const read = await readIssued(path)
  const named = (await store.meta.get(DATABASE))?.toString()
  // A database without a name beside a record that has one is older than its own name: it went back in time.
  const database = named ?? (await store.meta.keep(DATABASE, Buffer.from(read?.database ?? id))).toString()
  const latest = new LatestIssued()
  const isOther = read !== undefined && read.database !== null && read.database !== database
  if (!isOther) for (const sale of read?.sales ?? []) latest.add(sale)
  const unknown = (await store.invoices.journals()).filter((journal) => !latest.knows(journal))
  const fromDatabase = await store.issued.latest(unknown)
  for (const sale of fromDatabase) latest.add(sale)
  const marker = join(dataDir, MARKER)
  const isNew = !existsSync(marker)
  const atStart =
    read === undefined
      ? !isNew && fromDatabase.length > 0 && { en: 'it is missing', hr: 'nema ga' }
      : isOther
        ? { en: 'it is about another database', hr: 'pripada drugoj bazi podataka' }
        : read.problem
  let cannotWrite: Both | null = null
  let file: FileHandle | undefined
  /** After half a line the next one could not be read: the file is written anew. */
  let isSpoiled = false
  let appended = 0
  let most = LONG_BYTES
  let rewriting: Promise<void> | undefined
  let meanwhile: string[] = []

  /** A line that a crash takes meanwhile does no harm: then the database is ahead of the record. */
  async function rewrite(): Promise<void> {
    meanwhile = []
    let content = line({ database })
    for (const [i, sale] of latest.all().entries()) {
      content += line(sale)
      if (i % LINES_AT_ONCE === LINES_AT_ONCE - 1) await setImmediate()
    }
    await writeFileAtomic(path, content, 0o640)
    const old = file
    file = await open(path, 'a')
    const noted = Buffer.from(meanwhile.join(''))
    isSpoiled = noted.length > 0 && writeSync(file.fd, noted) < noted.length
    appended = 0
    most = Math.max(LONG_BYTES, content.length)
    await old?.close()
  }

  const written = (): Promise<void> => {
    rewriting ??= rewrite().then(
      () => {
        cannotWrite = null
        rewriting = undefined
      },
      (error: NodeJS.ErrnoException) => {
        isSpoiled = true
        cannotWrite = notWritten(error)
        rewriting = undefined
      },
    )
    return rewriting
  }

  async function note(sale: IssuedSale): Promise<void> {
    latest.add(sale)
    const text = line(sale)
    if (rewriting) meanwhile.push(text)
    try {
      if (!file || (await file.write(text)).bytesWritten < Buffer.byteLength(text)) isSpoiled = true
    } catch (error) {
      cannotWrite = notWritten(error)
      isSpoiled = true
    }
    appended += text.length
    if (appended > most || isSpoiled) void written()
  }

  // What a kill left of a record that was being written anew.
  const torn = (await readdir(dataDir)).filter((name) => name.startsWith(`.${ISSUED}.`))
  for (const name of torn) await rm(join(dataDir, name), { force: true }).catch(() => {})
  await written()
  // Nothing depends on it but an alert.
  if (isNew) await writeFileAtomic(marker, 'fiskd made a record of issued sales here\n', 0o640).catch(() => {})
  return {
    sales: () => latest.all(),
    note,
    problem: () => cannotWrite ?? (atStart || null),
    async close() {
      await rewriting
      await written()
      await file?.close()
    },
  }
}
