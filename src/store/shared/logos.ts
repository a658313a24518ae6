import { createHash } from 'node:crypto'
import type { StoreTransaction } from '../../fiscal/ports/store.ts'
import { type Db, unlessThere } from '../sqlite/connection.ts'

/** A logo is never another one: those that were read stay in memory, so that no receipt waits for them. */
const known = new Map<string, Buffer>()
const MOST_KNOWN = 64

export function logos(db: Db): StoreTransaction['logos'] {
  return {
    async put(file) {
      const hash = createHash('sha256').update(file).digest('hex')
      await db.insertInto('logos').values({ hash, file }).onConflict(unlessThere).execute()
      return hash
    },
    async get(hash) {
      const before = known.get(hash)
      if (before) return before
      const row = await db.selectFrom('logos').select('file').where('hash', '=', hash).executeTakeFirst()
      if (row && known.size >= MOST_KNOWN) known.clear()
      if (row) known.set(hash, row.file)
      return row?.file
    },
  }
}
