import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createVault } from '../../../src/certificates/vault.ts'
import type { Enrolment } from '../../../src/fiscal/ports/enrolment.ts'
import { createLinkKeys, linksOfGateway, linksOfServer } from '../../../src/fiscal/receipt-links/links.ts'
import { enrolment } from '../../support/enrolments.ts'

const SALE = { id: `inv_${'0'.repeat(32)}`, gatewayId: '' }
const TOLD = { base: 'https://racun.example.hr', key: randomBytes(32).toString('base64url') }
const vault = () => createVault(randomBytes(32))

function enrolled() {
  const kept = enrolment()
  const update = async (changes: Partial<Enrolment>) => void Object.assign(kept, changes)
  return { kept, store: { enrolment: { get: async () => kept, update } } as never }
}

test('a gateway keeps what its server tells, and forgets it when the server shows no receipts any more', async () => {
  const { kept, store } = enrolled()
  const links = linksOfGateway(store, vault())
  await links.keep(kept, TOLD)
  expect((await links.maker())?.(SALE)).toMatch(/^https:\/\/racun\.example\.hr\/r\//)
  await links.keep(kept, null)
  expect(await links.maker()).toBeNull()
})

test('with another vault key a gateway makes no link, which stops no sale, until its server tells again', async () => {
  const { kept, store } = enrolled()
  await linksOfGateway(store, vault()).keep(kept, TOLD)
  const links = linksOfGateway(store, vault())
  expect(await links.maker()).toBeNull()
  await links.keep(kept, TOLD)
  expect(await links.maker()).not.toBeNull()
})

test('with another vault key a server makes no link, which stops no sale', async () => {
  const facts = new Map<string, Buffer>()
  const kept = {
    get: async (key: string) => facts.get(key),
    async keep(key: string, value: Buffer) {
      facts.set(key, value)
      return value
    },
  }
  const makerWith = (keys = createLinkKeys(kept, vault())) => linksOfServer(TOLD.base, keys).maker()
  expect(await makerWith()).not.toBeNull()
  expect(await makerWith()).toBeNull()
})
