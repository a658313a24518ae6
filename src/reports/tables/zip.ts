import { createDeflateRaw } from 'node:zlib'
import { type FlateError, Zip, ZipPassThrough } from 'fflate'

export interface ZipEntry {
  name: string
  content: AsyncIterable<string> | Iterable<string>
}

/** A ZIP file, piece by piece: only the output of one piece of an entry is in memory. */
export async function* zipOf(entries: AsyncIterable<ZipEntry> | Iterable<ZipEntry>): AsyncGenerator<Uint8Array> {
  let failure: Error | null = null
  const made: Uint8Array[] = []
  const zip = new Zip((error, bytes) => {
    failure ??= error
    made.push(bytes)
  })
  const take = () => {
    if (failure) throw failure
    return made.splice(0)
  }
  for await (const { name, content } of entries) {
    const file = new DeflatedEntry(name)
    try {
      zip.add(file)
      for await (const text of content) {
        await file.write(text)
        yield* take()
      }
      await file.finish()
      yield* take()
    } finally {
      file.close()
    }
  }
  zip.end()
  yield* take()
}

const DEFLATE = 8
const NOTHING = new Uint8Array()

/** Compressed by another thread than the one that takes sales. */
class DeflatedEntry extends ZipPassThrough {
  override compression = DEFLATE
  readonly #deflate = createDeflateRaw()

  constructor(name: string) {
    super(name)
    this.#deflate.on('data', (bytes: Buffer<ArrayBuffer>) => this.ondata(null, bytes, false))
    this.#deflate.on('error', (error) => this.ondata(error as FlateError, NOTHING, true))
  }

  /** The compressed bytes come from the other thread. */
  protected override process(): void {}

  /** Resolves when it has been taken up. */
  write(text: string): Promise<void> {
    const bytes = Buffer.from(text, 'utf8')
    this.push(bytes)
    return new Promise((resolve, reject) => {
      this.#deflate.write(bytes, (error) => (error ? reject(error) : resolve()))
    })
  }

  async finish(): Promise<void> {
    const ended = new Promise<void>((resolve, reject) => this.#deflate.once('end', resolve).once('error', reject))
    this.#deflate.end()
    await ended
    this.push(NOTHING, true)
    this.ondata(null, NOTHING, true)
  }

  close(): void {
    this.#deflate.close()
  }
}
