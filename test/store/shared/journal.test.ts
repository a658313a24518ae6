import { beforeAll, expect, test } from 'vitest'
import { NO_SEAL, sealOf } from '../../../src/domain/sale/journal.ts'
import { type OpenStore, openStore } from '../../../src/store/store.ts'
import { inDatabase } from '../../support/database.ts'
import { type Gateway, startSharedGateway } from '../../support/gateway.ts'
import { onPostgres } from '../../support/postgres.ts'

let gateway: Gateway

beforeAll(async () => {
  gateway = await startSharedGateway()
  const other = await gateway.addDevice({ premises_code: 'POSL2', isu_number: '102' })
  await gateway.sell()
  await gateway.sell({ device_id: other })
  await gateway.sell({ total: '3.00' })
  await gateway.cis.goDown()
  await gateway.sell({ total: '4.00' })
  await gateway.cis.comeBack()
  await inDatabase(gateway, `${JOBS} 1, device_id, 'failed', 1, 2 FROM invoices WHERE number = '1'`)
  await inDatabase(gateway, `${JOBS} 2, device_id, 'sending', 1, 2 FROM invoices WHERE number = '1'`)
  await inDatabase(gateway, `INSERT INTO numbers_ahead ${SEQUENCES} '90', NULL, 1 FROM sequences`)
  await inDatabase(gateway, `${JOBS} 3, device_id, 'queued', 1, 2 FROM invoices WHERE number = '1'`)
})

async function withStore<T>(read: (store: OpenStore) => Promise<T>): Promise<T> {
  const store = await openStore(gateway.database, 1)
  return read(store).finally(() => store.close())
}

test('each invoice is sealed into the journal of its premises: its content, its place, and the seal before it', async () => {
  const journal = { companyId: gateway.companyId, mode: 'test', premisesCode: 'POSL1' } as const
  const entries = await withStore((store) => store.invoices.journal(journal, 0, 10))
  expect(entries.map(({ journalPosition, document }) => [journalPosition, document.total])).toEqual([
    [1, '2.50'],
    [2, '3.00'],
    [3, '4.00'],
  ])
  let seal = NO_SEAL
  for (const entry of entries) {
    expect(entry.seal).toBe(sealOf(entry, seal))
    seal = entry.seal
  }
  expect(await withStore((store) => store.invoices.journals())).toEqual([
    journal,
    { ...journal, premisesCode: 'POSL2' },
  ])
})

test('another content, another place and another entry before it each make another seal', async () => {
  const journal = { companyId: gateway.companyId, mode: 'test', premisesCode: 'POSL1' } as const
  const [first, second] = await withStore((store) => store.invoices.journal(journal, 0, 2))
  if (!first || !second) throw new Error('two sales were made')
  const seals = [
    sealOf(second, first.seal),
    sealOf(second, NO_SEAL),
    sealOf({ ...second, journalPosition: 3 }, first.seal),
    sealOf({ ...second, document: { ...second.document, total: '3.01' } }, first.seal),
    sealOf({ ...second, occurredAtText: `${second.occurredAtText} ` }, first.seal),
    sealOf({ ...second, deviceId: first.id }, first.seal),
  ]
  expect(seals[0]).toBe(second.seal)
  expect(new Set(seals).size).toBe(6)
})

const SEQUENCES = 'SELECT company_id, mode, premises_code, year, register,'
const RESERVE = `REPLACE INTO reserved_numbers ${SEQUENCES} '90', '99', NULL, 1 FROM sequences;`

const JOBS = 'INSERT INTO print_jobs (invoice_id, copy, device_id, status, created_at, expires_at) SELECT id,'

const FORBIDDEN: [string, string][] = [
  ["UPDATE invoices SET document = '{}' WHERE status = 'retrying'", 'what was issued is not changed'],
  ["UPDATE invoices SET number = '9' WHERE status = 'retrying'", 'what was issued is not changed'],
  ["UPDATE invoices SET zki = 'f' WHERE status = 'retrying'", 'what was issued is not changed'],
  ["UPDATE invoices SET occurred_at = 1 WHERE status = 'retrying'", 'what was issued is not changed'],
  ["UPDATE invoices SET created_at = 1 WHERE status = 'retrying'", 'what was issued is not changed'],
  ["UPDATE invoices SET seal = 'f' WHERE status = 'retrying'", 'what was issued is not changed'],
  ["UPDATE invoices SET error_message = 'x' WHERE status = 'confirmed'", 'a confirmed or expired invoice is final'],
  ["UPDATE invoices SET status = 'retrying', jir = NULL WHERE status = 'confirmed'", 'is final'],
  ["UPDATE invoices SET gateway_id = 'g' WHERE status = 'retrying'", 'what was issued is not changed'],
  ['DELETE FROM invoices', 'what was issued is kept'],
  ['DELETE FROM audit_log', 'the audit log is only added to'],
  ["UPDATE audit_log SET actor = 'nobody'", 'the audit log is only added to'],
  ['DELETE FROM print_jobs', 'what was printed is kept'],
  ["UPDATE print_jobs SET copy = 7 WHERE status = 'queued'", 'a print job is about one receipt'],
  ["UPDATE print_jobs SET detail = 'x' WHERE status = 'failed'", 'a print job ends once'],
  ["UPDATE print_jobs SET begun_at = 9 WHERE status = 'sending'", 'a print job begins once'],
  ['DELETE FROM messages', 'what was issued is kept'],
  ["UPDATE messages SET message_uuid = 'x'", 'what was issued is not changed'],
  ['UPDATE messages SET request_xml = response_xml', 'archived XML is only ever removed'],
  ["UPDATE sequences SET highest = '1' WHERE highest = '3'", 'a receipt number is given out once'],
  ['UPDATE sequences SET year = 2020', 'a receipt number is given out once'],
  ['DELETE FROM sequences', 'what was issued is kept'],
  ['DELETE FROM numbers_ahead', 'what was issued is kept'],
  ["UPDATE numbers_ahead SET number = '7'", 'what was issued is not changed'],
  ['DELETE FROM numbering_levels', 'what was issued is kept'],
  ["UPDATE numbering_levels SET level = 'N'", 'what was issued is not changed'],
  ['REPLACE INTO invoices SELECT * FROM invoices', 'what was issued is not changed'],
  ['REPLACE INTO messages SELECT * FROM messages', 'what was issued is not changed'],
  ['REPLACE INTO numbering_levels SELECT * FROM numbering_levels', 'what was issued is not changed'],
  ['REPLACE INTO audit_log SELECT * FROM audit_log', 'the audit log is only added to'],
  [RESERVE + RESERVE, 'what was issued is not changed'],
  ['REPLACE INTO numbers_ahead SELECT * FROM numbers_ahead', 'what was issued is not changed'],
  [`REPLACE INTO sequences ${SEQUENCES} '2' FROM sequences WHERE highest = '3'`, 'a receipt number is given out once'],
]

test.each(onPostgres ? FORBIDDEN.filter(([statement]) => !statement.startsWith('REPLACE')) : FORBIDDEN)(
  'the database itself refuses %s',
  async (statement, why) => {
    await expect(inDatabase(gateway, statement)).rejects.toThrow(why)
  },
)

test('a number of another length is compared by what it counts, and the same or a higher one is taken', async () => {
  const put = (highest: string) => {
    const values = `${SEQUENCES.replace('register', "'77'")} '${highest}' FROM sequences WHERE premises_code = 'POSL1'`
    const key = 'company_id, mode, premises_code, year, register'
    const upsert = `ON CONFLICT (${key}) DO UPDATE SET highest = excluded.highest`
    return inDatabase(gateway, `INSERT INTO sequences ${values} AND register = '' ${upsert}`)
  }
  for (const highest of ['9', '9', '10']) await put(highest)
  await expect(put('9')).rejects.toThrow('a receipt number is given out once')
})

const COLUMNS = onPostgres
  ? "SELECT column_name AS name FROM information_schema.columns WHERE table_name = 'invoices'"
  : "SELECT name FROM pragma_table_info('invoices')"
const GUARDS = onPostgres
  ? "SELECT pg_get_triggerdef(oid) AS sql FROM pg_trigger WHERE tgrelid = 'invoices'::regclass AND NOT tgisinternal"
  : "SELECT sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'invoices'"

test('every column of an invoice but its outcome is guarded', async () => {
  const columns = (await inDatabase(gateway, COLUMNS)).map(({ name }) => String(name))
  const guards = (await inDatabase(gateway, GUARDS)).map(({ sql }) => String(sql))
  const lists = guards.flatMap((sql) => /BEFORE UPDATE OF (.*?)\s+ON (?:public\.)?invoices/s.exec(sql)?.[1] ?? [])
  const guarded = lists.flatMap((list) => list.split(/,\s*/))
  const outcome = ['status', 'jir', 'late_delivery', 'delivery_findings', 'attempts', 'confirmed_at', 'sync_version']
  const error = ['last_error_class', 'error_code', 'error_message']
  expect([...guarded, ...outcome, ...error].toSorted()).toEqual(columns.toSorted())
})

test('XML is stored zipped and read verbatim, and may be removed but for good', async () => {
  const sold = await gateway.sell()
  const [row] = await inDatabase(gateway, `SELECT request_xml FROM messages WHERE invoice_id = '${sold.id}'`)
  const zipped = row?.request_xml as Buffer
  const [message] = (await gateway.invoice(sold.id)).messages
  expect(zipped.subarray(0, 2)).toEqual(Buffer.from([0x1f, 0x8b]))
  expect(zipped.length).toBeLessThan(0.7 * String(message?.request_xml).length)
  expect(message?.request_xml).toBe(gateway.cis.received.at(-1)?.requestXml)
  const remove = 'UPDATE messages SET request_xml = NULL, response_xml = NULL'
  await inDatabase(gateway, `${remove} WHERE invoice_id = '${sold.id}'`)
  expect((await gateway.invoice(sold.id)).messages).toMatchObject([{ request_xml: null, response_xml: null }])
})
