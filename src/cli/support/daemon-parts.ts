import * as Type from 'typebox'
import { Anything } from '../../contract/common.ts'
import { ListOf } from '../../contract/list.ts'
import type { Client } from '../daemon/client.ts'
import { allRows } from '../daemon/lists.ts'
import { Failure } from '../failure.ts'
import type { Masker } from './masker.ts'
import type { Collect } from './parts.ts'

const ROWS = ListOf(Anything, 'List')
/** What is packed as it came. */
const AS_IT_CAME = Type.Unknown()

const AUDIT_ENTRIES = 200
const INVOICES = 200

/** The fields of an invoice in the bundle: its state, not what was sold. */
const OF_INVOICE = ['id', 'mode', 'status', 'number', 'company_id', 'device_id', 'occurred_at', 'created_at']
const OF_SENDING = ['attempts', 'late_delivery', 'deadline_at', 'confirmed_at', 'fiscal_error', 'receipt_print']

/** Addresses, and receipt texts, which mostly hold an address and a phone number. Support does not need them. */
const ADDRESS_FIELDS = new Set([
  ...['address', 'premises_address', 'street', 'house_number', 'postal_code', 'city'],
  ...['header', 'footer'],
])

/** What the daemon knows, and the names that are masked in everything: they are asked for first. */
export async function collectFromDaemon(client: Client, collect: Collect, masker: Masker): Promise<void> {
  if (await isAway(client)) {
    collect.missing.push('fiskd/: the daemon does not answer')
    return
  }
  const list = (path: string) => allRows(client, path, Anything)
  const audited = async () => (await client.get(`/admin/audit?limit=${AUDIT_ENTRIES}`, ROWS)).data
  await collect.names('companies', async () => {
    for (const { id, oib, name } of await list('/v1/companies')) {
      masker.know('OIB', text(oib))
      masker.know('COMPANY', text(name))
      // It is computed from the OIB, which can be found by trying all.
      masker.know('COMPANY-ID', text(id))
    }
  })
  await collect.names('certificates', async () => {
    const { data } = await client.get('/v1/certificates', ROWS)
    for (const { subject_cn: name } of data) masker.know('COMPANY', text(name))
  })
  await collect.names('users', async () => {
    for (const { name } of (await client.get('/admin/users', ROWS)).data) masker.know('USER', text(name))
    for (const { action, detail } of await audited()) {
      const { name, changed } = detail as { name?: unknown; changed?: { name?: { from: unknown; to: unknown } } }
      const names = [name, changed?.name?.from, changed?.name?.to].map(text)
      const kind = /^(user|session)\./.test(String(action))
        ? 'USER'
        : String(action).startsWith('company.') && 'COMPANY'
      if (kind) for (const one of names) masker.know(kind, one)
    }
  })

  const json = (name: string, get: () => Promise<unknown>) =>
    collect.text(name, async () => `${JSON.stringify(withoutAddresses(await get()), null, 2)}\n`)
  await json('fiskd/health.json', () => client.get('/v1/health', AS_IT_CAME).catch(unhealthy))
  await json('fiskd/companies.json', () => list('/v1/companies'))
  await json('fiskd/devices.json', () => list('/v1/devices'))
  await json('fiskd/certificates.json', () => client.get('/v1/certificates', AS_IT_CAME))
  await json('fiskd/keys.json', () => client.get('/admin/keys', AS_IT_CAME))
  await json('fiskd/printers.json', () => client.get('/admin/printers', AS_IT_CAME))
  await json('fiskd/trust.json', () => client.get('/admin/trust', AS_IT_CAME))
  await json('fiskd/queue.json', () => client.get('/admin/sweep', AS_IT_CAME))
  await json('fiskd/sync.json', () => client.get('/admin/sync', AS_IT_CAME))
  await json('fiskd/audit.json', audited)
  await json('fiskd/invoices.json', async () => {
    const { data } = await client.get(`/v1/invoices?limit=${INVOICES}`, ROWS)
    return data.map((row) => Object.fromEntries([...OF_INVOICE, ...OF_SENDING].map((field) => [field, row[field]])))
  })
}

async function isAway(client: Client): Promise<boolean> {
  try {
    await client.get('/admin/status', AS_IT_CAME)
    return false
  } catch (error) {
    return error instanceof Failure && error.body.error.code === 'daemon_unreachable'
  }
}

const text = (value: unknown) => (typeof value === 'string' ? value : null)

/** A service that is not well says so in the same form, which is an answer here. */
function unhealthy(error: unknown): unknown {
  if (error instanceof Failure) return error.body
  throw error
}

function withoutAddresses(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutAddresses)
  if (typeof value !== 'object' || value === null) return value
  const pairs = Object.entries(value).map(([name, inner]) => [
    name,
    // The audit log names members of a configuration with a dot.
    ADDRESS_FIELDS.has(name.split('.').at(-1) ?? '') && inner !== null ? '(left out)' : withoutAddresses(inner),
  ])
  return Object.fromEntries(pairs)
}
