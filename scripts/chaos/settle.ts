import { ask } from './http.ts'
import type { Load } from './load.ts'
import type { Shop } from './shop.ts'
import { pause, tick } from './wait.ts'

/** An invoice as `/v1` lists it. */
export interface Shown {
  id: string
  number: string
  zki: string
  jir: string | null
  status: string
}

interface Page {
  data: Shown[]
  has_more: boolean
  next_cursor: string | null
}

/** Each repeated key costs a request: so many at a time. */
const AT_ONCE = 8

/**
 * With a daemon that nobody disturbs any more: waits until nothing waits for the sweep, puts back what failed, and stops
 * when everything has its JIR or the time is over.
 */
export async function confirmAll(shop: Shop, withinMs: number): Promise<void> {
  const giveUpAt = tick() + withinMs
  while (tick() < giveUpAt) {
    await retryFailed(shop)
    const open = await Promise.all(['pending', 'retrying', 'failed'].map((status) => list(shop, `status=${status}&`)))
    if (open.every((invoices) => invoices.length === 0)) return
    await pause(200)
  }
}

/** Puts back what failed, as somebody in the office does who reads the alert. */
export async function retryFailed(shop: Shop): Promise<void> {
  for (const { id } of await list(shop, 'status=failed&')) await asked(shop, `/v1/invoices/${id}/retry`, 'POST')
}

/** Posts every answered sale once more: the key is remembered, the bytes are those of the first answer. */
export async function repeatAll(load: Pick<Load, 'sales' | 'repeat'>): Promise<void> {
  const answered = load.sales.filter(({ seen }) => seen.length > 0)
  const work = async () => {
    for (let sale = answered.pop(); sale; sale = answered.pop()) await load.repeat(sale)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}

/** Every invoice that `/v1` shows. @param filter such as `status=failed&` */
export async function list(shop: Shop, filter = ''): Promise<Shown[]> {
  const all: Shown[] = []
  let cursor = ''
  do {
    const page = (await asked(shop, `/v1/invoices?${filter}limit=200${cursor}`)) as Page | null
    if (page === null) return all
    all.push(...page.data)
    cursor = page.has_more ? `&cursor=${encodeURIComponent(page.next_cursor ?? '')}` : ''
  } while (cursor !== '')
  return all
}

async function asked(shop: Shop, path: string, method: 'GET' | 'POST' = 'GET'): Promise<unknown> {
  const answer = await ask(shop.target, { method, path, headers: { authorization: `Bearer ${shop.key}` } })
  return answer?.status === 200 ? JSON.parse(answer.text) : null
}
