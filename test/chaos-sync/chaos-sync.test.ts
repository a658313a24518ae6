import { expect, test } from 'vitest'
import { asText, differences } from '../../scripts/chaos-sync/rows.ts'
import { skipWithoutPostgres } from '../support/postgres.ts'
import { DIST } from '../support/programs.ts'
import { runScript } from '../support/run-script.ts'

const chaosSync = (...args: string[]) => runScript('chaos-sync/main.ts', '--dist', DIST, ...args)

test.skipIf(skipWithoutPostgres)(
  'a server of two processes ends with what its gateways have, whatever was cut and killed',
  async () => {
    const { code, out } = await chaosSync('--case', 'gateways', '--gateways', '4', '--seconds', '20')
    expect(out).toContain('nothing was lost, doubled, late or different at the server')
    expect(out).toMatch(/^ok +\d+ {2}invoices of the gateways, the same at the server, field by field$/m)
    expect(code).toBe(0)
  },
)

test('rows that are missing, strange or different are told', () => {
  const row = (id: string, jir: string | null) => ({ id, jir, tenant_id: 'a', gateway_id: '', sync_version: 1 })
  const gateways = asText('invoices', [row('same', 'x'), row('lost', 'x'), row('changed', 'x')])
  const there = { tenant_id: 'b', gateway_id: 'g', sync_version: '7' }
  const server = asText('invoices', [
    { ...row('same', 'x'), ...there },
    { ...row('changed', null), ...there },
    { ...row('invented', 'x'), ...there },
  ])
  expect(differences('invoices', gateways, server)).toEqual([
    'invoices lost is not at the server',
    'invoices changed: jir is x at the gateway and null at the server',
    'invoices invented is at the server alone',
  ])
})
