import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { createKeyedLock } from '../../domain/keyed-lock.ts'

/** In the thread pool: the event loop belongs to the sales. */
const inflate = promisify(gunzip)

/** One at a time in this process, for signatures wait for the same threads. */
const line = createKeyedLock()

/** What the smallest gzip takes; at its end stands how much it unpacks to. */
const SMALLEST = 20

/**
 * The text of a gzip.
 * @param mostBytes unpacked
 * @returns undefined when it has more
 * @throws Error when it is none
 */
export async function unpack(zipped: Buffer, mostBytes: number): Promise<{ text: string; bytes: number } | undefined> {
  if (mostBytes < 1) return undefined
  const promised = zipped.length < SMALLEST ? 0 : zipped.readUInt32LE(zipped.length - 4)
  if (promised > mostBytes) return undefined
  // In one piece: each further one is a word with the main thread, and a copy.
  const options = { maxOutputLength: mostBytes, chunkSize: Math.max(64, promised + 1) }
  try {
    const bytes = await line.run('unpack', () => inflate(zipped, options))
    return { text: bytes.toString('utf8'), bytes: bytes.length }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return undefined
    throw error
  }
}
