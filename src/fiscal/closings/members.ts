import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'

/** The invoices of a closing, in the order in which they are added up. */
export interface Members {
  ids: string[]
  /** Those of them that had no JIR when it was closed. */
  withoutJir: string[]
}

const [zip, unzip] = [promisify(gzip), promisify(gunzip)]

/** Compressed by another thread than the one that takes sales: a month may have many. */
export function packMembers({ ids, withoutJir }: Members): Promise<Buffer> {
  return zip(JSON.stringify([ids, withoutJir]))
}

/** More text than the ids of `MOST_MEMBERS` invoices. */
const LONGEST = 256 * 1024 * 1024

/** @throws Error for bytes that `packMembers` has not made */
export async function unpackMembers(packed: Buffer): Promise<Members> {
  const [ids, withoutJir] = JSON.parse((await unzip(packed, { maxOutputLength: LONGEST })).toString('utf8'))
  return { ids, withoutJir }
}
