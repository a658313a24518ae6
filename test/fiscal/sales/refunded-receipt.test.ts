import { expect, test } from 'vitest'
import type { ResolvedSale } from '../../../src/domain/sale/resolve-sale.ts'
import type { Company, Invoice } from '../../../src/fiscal/ports/model.ts'
import { refundedReceipt } from '../../../src/fiscal/sales/refunded-receipt.ts'
import { freshStore, openShop } from '../../support/shop.ts'

async function refunds() {
  const store = await freshStore()
  const shop = await openShop(store)
  const company = (await store.companies.get(shop.companyId)) as Company
  /** @param like a sale of the device that refunds, of its year and register */
  const original = (like: Invoice, stornoOf: string | null) => {
    const sale = { stornoOf, year: like.year, document: like.document } as Pick<
      ResolvedSale,
      'stornoOf' | 'year' | 'document'
    >
    return refundedReceipt(store, company, sale as ResolvedSale)
  }
  return { store, shop, original }
}

const NONE = expect.objectContaining({
  param: 'storno_of',
  message: expect.stringContaining('no such receipt'),
})

test('a number that two years have is one receipt on paper, and alone one of the year of the refund', async () => {
  const { shop, original } = await refunds()
  const now = await shop.sold({}, { number: '7' })
  const before = await shop.sold({ year: now.year - 1, journalPosition: 9 }, { number: '7' })
  const whole = `7/${now.document.premisesCode}/${now.document.registerMark}`
  for (const name of ['7', whole, now.id, before.id]) expect(await original(now, name)).toBe(whole)
  await shop.sold({ year: now.year - 1, journalPosition: 10 }, { number: '8' })
  await expect(original(now, '8')).rejects.toEqual(NONE)
  expect(await original(now, whole.replace('7', '8'))).toBe(whole.replace('7', '8'))
})

test('registers that number by themselves have their own numbers', async () => {
  const { shop, original } = await refunds()
  const till = (registerMark: string, number: string) => shop.sold({}, { number, sequenceMark: 'N', registerMark })
  const [one, other] = [await till('1', '7'), await till('2', '8')]
  const { premisesCode } = one.document
  expect(await original(one, '7')).toBe(`7/${premisesCode}/1`)
  await expect(original(other, '7')).rejects.toEqual(NONE)
  expect(await original(other, `7/${premisesCode}/1`)).toBe(`7/${premisesCode}/1`)
  await expect(original(other, `7/${premisesCode}/2`)).rejects.toEqual(NONE)
})

test('among more sequences than are read at once the receipt is found', async () => {
  const { shop, original } = await refunds()
  const years = Array.from({ length: 30 }, (_, i) => 1990 + i)
  const sales = await shop.soldAll(
    years.map((year, i) => [{ year, journalPosition: 100 + i }, { number: String(i + 1) }]),
  )
  const last = sales.at(-1) as Invoice
  expect(await original(last, `30/${last.document.premisesCode}/${last.document.registerMark}`)).toMatch(/^30\//)
  expect(await original(last, null)).toBeUndefined()
})

test('a premises code in small letters is another one', async () => {
  const { shop, original } = await refunds()
  const sold = await shop.sold()
  const { number, premisesCode, registerMark } = sold.document
  await expect(original(sold, `${number}/${premisesCode.toLowerCase()}/${registerMark}`)).rejects.toEqual(NONE)
})
