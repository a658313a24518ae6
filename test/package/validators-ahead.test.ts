import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import AjvCompiler from '@fastify/ajv-compiler'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { validatorsAhead } from '../../scripts/validators-ahead.ts'
import { AJV_OPTIONS } from '../../src/api/ajv-options.ts'
import type { Check } from '../../src/api/compiled-ahead.ts'
import { tempDir } from '../support/temp-dir.ts'

interface Bundled {
  COMPILED_AHEAD: Map<object, Check>
  SaleBody: object
  IncludeMessages: object
}

const ROOT = join(import.meta.dirname, '../..')

/** As the bundle has it. */
async function bundled(): Promise<Bundled> {
  const outfile = join(await tempDir(), 'validators.mjs')
  await build({
    stdin: {
      contents: `export { COMPILED_AHEAD } from './src/api/compiled-ahead.ts'
        export { IncludeMessages, SaleBody } from './src/contract/v1/invoice.ts'`,
      resolveDir: ROOT,
    },
    bundle: true,
    format: 'esm',
    platform: 'node',
    outfile,
    plugins: [validatorsAhead],
    logLevel: 'error',
  })
  return import(pathToFileURL(outfile).href)
}

const SALE = {
  device_id: '0b2f4a8e-7a51-4c7e-9d0e-3a4f5b6c7d8e',
  occurred_at: '2026-01-31T14:05:09+01:00',
  total: '4.50',
  payment_method: 'G',
  items: [{ name: 'Kava', quantity: '1', unit_price: '4.50', amount: '4.50' }],
}
const WRONG = [null, 1, '', 'x'.repeat(5000), true, [], {}, '4.5', '-0.00', '2026-02-31T14:05:09Z', ['a', 'b']]

const bodies: unknown[] = [
  SALE,
  ...WRONG,
  ...Object.keys(SALE).map((name) => Object.fromEntries(Object.entries(SALE).filter(([key]) => key !== name))),
  ...[...Object.keys(SALE), 'number', 'premises_code', 'vat', 'nobody_knows_it', 'operator_oib'].flatMap((name) =>
    WRONG.map((value) => ({ ...SALE, [name]: value })),
  ),
  ...Object.keys(SALE.items[0] ?? {}).flatMap((name) =>
    WRONG.map((value) => ({ ...SALE, items: [{ ...SALE.items[0], [name]: value }] })),
  ),
]

test('the validators in the bundle say of every body what Ajv says, in the same words', async () => {
  const { COMPILED_AHEAD, SaleBody, IncludeMessages } = await bundled()
  const compile = AjvCompiler()({}, { customOptions: AJV_OPTIONS }) as unknown as (route: { schema: object }) => Check
  const verdicts = (check: Check, data: unknown) => ({ isValid: check(data), errors: check.errors ?? null })
  const sale = COMPILED_AHEAD.get(SaleBody)
  const query = COMPILED_AHEAD.get(IncludeMessages)
  if (!sale || !query) throw new Error('the bundle has no validators of a sale')
  const [saleByAjv, queryByAjv] = [compile({ schema: SaleBody }), compile({ schema: IncludeMessages })]
  expect(sale(SALE)).toBe(true)
  const refused = bodies.filter((body) => !sale(body))
  expect(refused.length).toBeGreaterThan(bodies.length / 2)
  for (const body of bodies) expect(verdicts(sale, body)).toEqual(verdicts(saleByAjv, body))
  for (const flag of ['true', 'false', '', 'yes', 1]) {
    const asked = { include_messages: flag }
    expect(verdicts(query, asked)).toEqual(verdicts(queryByAjv, asked))
  }
})
