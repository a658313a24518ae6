import { beforeAll, expect, test } from 'vitest'
import type { SaidCheck } from '../../../src/domain/check.ts'
import { diagnose } from '../../support/diagnosis.ts'
import { atTheEndOfFile } from '../../support/file-end.ts'
import { type Gateway, startSharedGateway } from '../../support/gateway.ts'
import { makeTempDir } from '../../support/temp-dir.ts'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startSharedGateway()
  const body = { line: `file:${await makeTempDir(atTheEndOfFile)}/paper.bin` }
  await gateway.admin(`/admin/printers/${gateway.deviceId}`, { method: 'PATCH', body })
})

const patch = (path: string, body: object) => gateway.admin(path, { method: 'PATCH', body })
const company = (body: object) => patch(`/v1/companies/${gateway.companyId}`, body)
const device = (body: object) => patch(`/v1/devices/${gateway.deviceId}`, body)

async function checks(): Promise<Pick<SaidCheck, 'status' | 'detail'>[]> {
  const found = (await diagnose(gateway)).filter(({ name }) => name === 'receipt machine')
  expect(found.every(({ status, fix }) => (status === 'ok') === (fix === null))).toBe(true)
  return found.map(({ status, detail }) => ({ status, detail }))
}

test('what the law wants on a receipt and cannot be on it is told, one by one', async () => {
  await gateway.sell()
  expect(await checks()).toEqual([
    { status: 'warn', detail: 'it lacks the address of Samoposluga d.o.o.' },
    { status: 'warn', detail: 'it lacks the place of sale: where machine stands' },
    { status: 'warn', detail: 'the last one said nothing about VAT, and the issuer is in the VAT system' },
  ])
  await company({ address: { city: 'Zagreb' } })
  expect((await checks())[0]?.detail).toContain('address')

  await company({ address: { street: 'Ilica 1', city: 'Zagreb' }, fiscal_config: { default_vat_rate: '25.00' } })
  await device({ premises_address: 'Trg 1, Čakovec' })
  await gateway.sell()
  expect(await checks()).toEqual([{ status: 'ok', detail: 'it says what the law wants' }])
})

test.each([
  [{ header: 'Dobro došli' }, 'receipt.header must be a list of at most 20 texts'],
  [{ footer: Array(21).fill('x') }, 'receipt.footer must be a list of at most 20 texts'],
  [{ header: ['x'.repeat(201)] }, 'receipt.header must be'],
  [{ language: 'de' }, 'receipt.language must be hr, en or both'],
  [{ hedaer: [] }, 'receipt.hedaer means nothing'],
  ['Dobro došli', 'receipt must be an object'],
  [['Dobro došli'], 'receipt must be an object'],
])('what is set about receipts and is ignored is told: %o', async (receipt, problem) => {
  await device({ device_config: { receipt } })
  expect((await checks()).map(({ detail }) => detail)).toContainEqual(
    expect.stringContaining(`device_config.${problem}`),
  )
  await device({ device_config: {} })
})
