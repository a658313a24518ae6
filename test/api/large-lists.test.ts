import { beforeAll, expect, test } from 'vitest'
import { type Gateway, startSharedGateway } from '../support/gateway.ts'
import { largestSale } from '../support/large-rows.ts'
import { enrolGateway } from '../support/sync-gateway.ts'
import { fleet, record } from '../support/sync-rows.ts'

interface List {
  data: { id: string }[]
  has_more: boolean
  next_cursor: string | null
}

const SALES = 40
let server: Gateway
const ids: string[] = []
beforeAll(async () => {
  server = await startSharedGateway({ FISKD_ROLE: 'server' })
  const gateway = await enrolGateway(server)
  const made = fleet()
  await gateway.push(made.parents())
  for (let number = 1; number <= SALES; number += 10) {
    const sales = Array.from({ length: 10 }, (_, i) => largestSale(made, number + i))
    expect((await gateway.push(sales.map((sale) => record('invoice', sale)))).body.refused).toEqual([])
    ids.unshift(...sales.map(({ id }) => id).toReversed())
  }
})

async function pages(path: string): Promise<List[]> {
  const found: List[] = []
  for (let cursor: string | null = ''; cursor !== null; cursor = found.at(-1)?.next_cursor ?? null) {
    found.push((await server.admin<List>(`/v1${path}${cursor && `&cursor=${cursor}`}`)).body)
  }
  return found
}

test.each(['/invoices?limit=200', '/invoices?limit=200&status=confirmed'])(
  '%s ends its pages by bytes, and they hold each invoice once',
  async (path) => {
    const found = await pages(path)
    expect(found.flatMap(({ data }) => data.map(({ id }) => id))).toEqual(ids)
    expect(found.map(({ data }) => data.length)).toEqual([7, 7, 7, 7, 7, 5])
    expect(found.map(({ has_more }) => has_more)).toEqual([true, true, true, true, true, false])
  },
)
