import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { createKeyedLock } from '../../domain/keyed-lock.ts'

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
