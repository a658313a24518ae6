import { promisify } from 'node:util'
import { gunzip, gzipSync } from 'node:zlib'
import type { Insertable } from 'kysely'
import { createKeyedLock } from '../../domain/keyed-lock.ts'
import { MESSAGE_ARCHIVE } from '../../domain/sale/message-reading-limits.ts'
import type { MessageOutline } from '../../fiscal/ports/invoice-lookups.ts'
import type { MessageRecord } from '../../fiscal/ports/model.ts'
import type { AttemptOutcome, MessageTrail } from '../../fiscal/ports/rows/sales.ts'
import type { StoreTransaction } from '../../fiscal/ports/store.ts'
import type { Db } from '../sqlite/connection.ts'
import { countOf } from './queries.ts'
import type { Tables } from './tables.ts'
import { writtenOncePerColumns } from './written-once.ts'

const { textBytes, messages: MOST_MESSAGES, ...ANSWER } = MESSAGE_ARCHIVE
/** How many messages are read at once, without their XML. */
const AT_ONCE = 200

export const insertMessage = writtenOncePerColumns((db, row: Insertable<Tables['messages']>) =>
  db.insertInto('messages').values(row),
)

const OUTLINE_COLUMNS = [
  ...(['id', 'invoiceId', 'messageUuid', 'attemptNo', 'httpStatus', 'errorCode', 'errorMessage'] as const),
  ...(['durationMs', 'createdAt'] as const),
]

export function messages(db: Db): StoreTransaction['messages'] {
  return {
    async insert(message) {
      const requestXml = message.requestXml === null ? null : zip(message.requestXml)
      await insertMessage(db, messageRow({ ...message, requestXml }))
    },
    async trail(invoiceId) {
      const { outlines, leftOut } = await newestOutlines(db, invoiceId)
      const trail: MessageTrail = { messages: [], leftOut: { messages: leftOut, xml: 0 } }
      let left: number = ANSWER.answerXmlBytes
      for (const outline of outlines) {
        const { message, bytes, missing } = await withXml(db, outline, left)
        // XML older than the first that did not fit is left out too, so that the newest is returned.
        left = missing > 0 ? 0 : left - bytes
        trail.leftOut.xml += missing
        trail.messages.unshift(message)
      }
      return trail
    },
  }
}

export function messageRow({ responseXml, ...message }: NonNullable<AttemptOutcome['message']>) {
  return { ...message, responseXml: responseXml === null ? null : zip(responseXml) }
}

/** Messages about an invoice without their XML, the newest first. @param before null for all attempts */
export function outlinesBefore(
  db: Db,
  invoiceId: string,
  before: number | null,
  limit: number,
): Promise<MessageOutline[]> {
  let query = db
    .selectFrom('messages')
    .select(OUTLINE_COLUMNS)
    .where('invoiceId', '=', invoiceId)
    .orderBy('attemptNo', 'desc')
    .limit(limit)
  if (before !== null) query = query.where('attemptNo', '<', before)
  return query.execute()
}

/** The newest first, as many as fit into an answer, and how many are older. */
async function newestOutlines(db: Db, invoiceId: string): Promise<{ outlines: MessageOutline[]; leftOut: number }> {
  const outlines: MessageOutline[] = []
  let left: number = ANSWER.answerTextLength
  for (let before: number | undefined; ; ) {
    const rows = await outlinesBefore(db, invoiceId, before ?? null, AT_ONCE)
    for (const row of rows) {
      left -= ANSWER.answerMessageLength + (row.errorMessage?.length ?? 0)
      if (left < 0 || outlines.length === MOST_MESSAGES) return { outlines, leftOut: await older(db, row) }
      outlines.push(row)
    }
    if (rows.length < AT_ONCE) return { outlines, leftOut: 0 }
    before = rows.at(-1)?.attemptNo
  }
}

/** How many messages about its invoice there are, counting this one and all older ones. */
const older = (db: Db, { invoiceId, attemptNo }: MessageOutline): Promise<number> =>
  db.selectFrom('messages').where('invoiceId', '=', invoiceId).where('attemptNo', '<=', attemptNo).$call(countOf)

/** @param most bytes of XML. @returns the message, its bytes of XML, and how many of its two texts did not fit */
async function withXml(db: Db, outline: MessageOutline, most: number) {
  const query = db.selectFrom('messages').select(['requestXml', 'responseXml']).where('id', '=', outline.id)
  const { requestXml, responseXml } = (await query.executeTakeFirst()) ?? { requestXml: null, responseXml: null }
  let [bytes, missing] = [0, 0]
  const read = async (zipped: Buffer | null): Promise<string | null> => {
    if (zipped === null) return null
    const unpacked = missing > 0 ? undefined : await unpack(zipped, Math.min(textBytes, most - bytes))
    bytes += unpacked?.bytes ?? 0
    missing += unpacked ? 0 : 1
    return unpacked?.text ?? null
  }
  // The response first: it says more than the request.
  const response = await read(responseXml)
  const message: MessageRecord = { ...outline, requestXml: await read(requestXml), responseXml: response }
  return { message, bytes, missing }
}

/** One message; XML that is longer than any that fiskd writes is left out. */
export async function messageOf(db: Db, id: string): Promise<MessageRecord | undefined> {
  const outline = await db.selectFrom('messages').select(OUTLINE_COLUMNS).where('id', '=', id).executeTakeFirst()
  return outline && (await withXml(db, outline, 2 * textBytes)).message
}

/**
 * Halves the size, because an SD card is small and sales are kept for ever. Smaller tables than zlib's default take
 * half the time, and compress a text of a few KB as well. What comes out, some 3 KB, is kept in the block that zlib was
 * given: its usual one of 16 KB would make the engine collect garbage more often.
 */
export function zip(xml: string | Buffer): Buffer {
  return gzipSync(xml, { level: 6, memLevel: 7, windowBits: 13, chunkSize: 4096 })
}

/** Runs in the thread pool, so that sales do not wait for the event loop. */
const inflate = promisify(gunzip)

/** Unpacks one text at a time, because signatures use the same threads. */
const line = createKeyedLock()

/** Bytes of the smallest gzip; its last bytes give the unpacked size. */
const SMALLEST = 20

/** @returns undefined when the text is larger than `mostBytes`. @throws Error when `zipped` is not a gzip */
export async function unpack(zipped: Buffer, mostBytes: number): Promise<{ text: string; bytes: number } | undefined> {
  if (mostBytes < 1) return undefined
  const promised = zipped.length < SMALLEST ? 0 : zipped.readUInt32LE(zipped.length - 4)
  if (promised > mostBytes) return undefined
  // One chunk: each further chunk costs a switch to the main thread and a copy.
  const options = { maxOutputLength: mostBytes, chunkSize: Math.max(64, promised + 1) }
  try {
    const bytes = await line.run('unpack', () => inflate(zipped, options))
    return { text: bytes.toString('utf8'), bytes: bytes.length }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return undefined
    throw error
  }
}
