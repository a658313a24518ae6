import { isUtf8 } from 'node:buffer'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { SyncRecord } from '../../fiscal/ports/outbox.ts'
import { SYNC_BOUNDS } from '../wire/bounds.ts'

const inflate = promisify(gunzip)

const LONGEST_TEXT = SYNC_BOUNDS.archivedText.most
/** So much is unpacked in one go. */
const AT_ONCE = 4 * LONGEST_TEXT

interface Archived {
  record: SyncRecord
  zipped: Buffer
  /** What it says it unpacks to, in bytes. */
  length: number
}

/**
 * Finds the records whose archived XML is not a gzipped text. All are unpacked together outside the main thread, and
 * one by one only to find the wrong record: transferring a single one takes longer than unpacking it.
 */
export async function unreadable(records: readonly SyncRecord[]): Promise<Set<SyncRecord>> {
  const wrong = new Set<SyncRecord>()
  let [group, length]: [Archived[], number] = [[], 0]
  const checkGroup = async () => {
    if (!(await areTexts(group))) {
      for (const one of group) if (!(await areTexts([one]))) wrong.add(one.record)
    }
    ;[group, length] = [[], 0]
  }
  for (const one of records.flatMap(archivedOf)) {
    group.push(one)
    length += one.length
    if (length >= AT_ONCE) await checkGroup()
  }
  await checkGroup()
  return wrong
}

function archivedOf(record: SyncRecord): Archived[] {
  if (record.kind !== 'message') return []
  return [record.row.requestXml, record.row.responseXml].flatMap((zipped) =>
    zipped === null ? [] : [{ record, zipped, length: promisedBy(zipped) }],
  )
}

/** The last four bytes of gzip; the smallest one has twenty. */
const promisedBy = (zipped: Buffer) =>
  zipped.length < 20 ? Number.POSITIVE_INFINITY : zipped.readUInt32LE(zipped.length - 4)

/** gzip is made to be strung together: the texts follow each other, each as long as it says. */
async function areTexts(group: readonly Archived[]): Promise<boolean> {
  if (group.some(({ length }) => length > LONGEST_TEXT)) return false
  const total = group.reduce((sum, { length }) => sum + length, 0)
  try {
    // In one piece: each further one is copied once more.
    const options = { maxOutputLength: Math.max(total, 1), chunkSize: Math.max(64, total + 1) }
    const texts =
      group.length === 0 ? NOTHING : await inflate(Buffer.concat(group.map(({ zipped }) => zipped)), options)
    let start = 0
    for (const { length } of group) {
      if (!isUtf8(texts.subarray(start, start + length))) return false
      start += length
    }
    return texts.length === total
  } catch {
    return false
  }
}

const NOTHING = Buffer.alloc(0)
