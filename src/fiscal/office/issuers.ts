import type { Company } from '../ports/model.ts'
import type { Store } from '../ports/store.ts'

export type Issuer = Pick<Company, 'id' | 'name' | 'oib'>

export async function issuerOf(store: Pick<Store, 'companies'>, id: string): Promise<Issuer> {
  return (await store.companies.get(id)) ?? { id, name: id, oib: '' }
}

export function remembering<T>(read: (id: string) => Promise<T>): (id: string) => Promise<T> {
  const known = new Map<string, T>()
  return async (id) => {
    const before = known.get(id)
    if (before !== undefined) return before
    const found = await read(id)
    known.set(id, found)
    return found
  }
}
