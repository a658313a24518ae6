import { createHash } from 'node:crypto'
import type { StoreTransaction } from '../../fiscal/ports/store.ts'
import type { Db } from '../sqlite/connection.ts'

export function logos(db: Db): StoreTransaction['logos'] {
  return {
    async put(file) {
      const hash = createHash('sha256').update(file).digest('hex')
      await db
        .insertInto('logos')
        .values({ hash, file })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      return hash
    },
    async get(hash) {
      return (await db.selectFrom('logos').select('file').where('hash', '=', hash).executeTakeFirst())?.file
    },
  }
}
