import { type Answer, ask } from './http.ts'
import type { Sale } from './sale.ts'
import type { Shop } from './shop.ts'
import { tick } from './wait.ts'

/** Posts that went out, and of them: without a whole answer, answered with 200, so from the store, 5xx without `Retry-After`. */
export interface PostCounts {
  posts: number
  unanswered: number
  answered: number
  replayed: number
  unhelpful: string[]
}

export interface Posts {
  counts: PostCounts
  /** Posts a sale, and notes in it what was answered. */
  post(sale: Sale): Promise<void>
}

/** How the machines of a shop post their sales. */
export function openPosts(shop: Shop): Posts {
  const counts = { posts: 0, unanswered: 0, answered: 0, replayed: 0, unhelpful: [] as string[] }

  function see(sale: Sale, { text, replayed }: Answer): void {
    const { id, number, zki, status, jir } = JSON.parse(text)
    sale.seen.push({ id, number, zki, status, jir, text, at: tick() })
    counts.answered++
    if (replayed) counts.replayed++
  }

  return {
    counts,
    async post(sale) {
      counts.posts++
      const headers = {
        authorization: `Bearer ${shop.key}`,
        'content-type': 'application/json',
        'idempotency-key': sale.key,
      }
      const answer = await ask(shop.target, { method: 'POST', path: '/v1/invoices', headers, body: sale.body })
      if (answer === null) counts.unanswered++
      else if (answer.status === 200) see(sale, answer)
      else sale.refusals.push(refusalOf(answer))
      if (answer && answer.status >= 500 && !answer.headers['retry-after']) counts.unhelpful.push(answer.text)
    },
  }
}

/** Status and code, as in `500 internal_error`. */
function refusalOf({ status, text }: Answer): string {
  try {
    return `${status} ${JSON.parse(text).error.code}`
  } catch {
    return `${status} without an error body`
  }
}
