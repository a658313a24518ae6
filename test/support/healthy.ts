import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { createVault } from '../../src/certificates/vault.ts'
import type { SaidCheck } from '../../src/domain/check.ts'
import type { Vault } from '../../src/fiscal/ports/certificates.ts'
import { type OpenStore, openStore } from '../../src/store/store.ts'
import { changed, diagnose, troubles } from './diagnosis.ts'
import { atTheEndOfFile } from './file-end.ts'
import { type Gateway, startGateway, startSharedGateway } from './gateway.ts'
import { tamper } from './tamper.ts'
import { makeTempDir } from './temp-dir.ts'

/** A gateway that has sold and was backed up: the doctor has nothing to say about it. */
export async function healthyGateway(env: Record<string, string> = {}): Promise<Gateway> {
  return inUse(await startGateway(env))
}

/** The same for a whole test file; call it in `beforeAll`. */
export async function sharedHealthyGateway(env: Record<string, string> = {}): Promise<Gateway> {
  return inUse(await startSharedGateway(env))
}

/** Gives the company a VAT rate: sales of an issuer in the VAT system that say nothing of VAT do not add up. */
export async function sellTaxed({ admin, companyId }: Gateway): Promise<void> {
  const body = { fiscal_config: { default_vat_rate: '25.00', default_vat_base: 'taxable' } }
  expect((await admin(`/v1/companies/${companyId}`, { method: 'PATCH', body })).status).toBe(200)
}

async function inUse(gateway: Gateway): Promise<Gateway> {
  await sellTaxed(gateway)
  for (let sale = 0; sale < 3; sale++) await gateway.sell()
  await backUp(gateway)
  return gateway
}

/** Makes a backup and throws it away. */
export async function backUp(gateway: Gateway): Promise<void> {
  expect((await gateway.admin('/admin/backup')).status).toBe(200)
}

/** What some checks alone find in this data. */
export interface LookedAt {
  dataDir: string
  look(): Promise<SaidCheck[]>
}

/** What is broken and looked at: a gateway by its whole doctor, or its data by some checks alone. */
export type Patient = Gateway | LookedAt

const look = (patient: Patient) => ('look' in patient ? patient.look() : diagnose(patient))

/** What was found of each before anything was broken, asked once: what a test leaves broken shows in the next one. */
const healthy = new WeakMap<Patient, Promise<SaidCheck[]>>()

function lookBefore(patient: Patient): Promise<SaidCheck[]> {
  const found = healthy.get(patient) ?? look(patient)
  healthy.set(patient, found)
  return found
}

/**
 * What the doctor says differently of a healthy gateway once something is broken.
 * @param mend makes it well again when the test ends, for the next one
 */
export async function broken(
  patient: Patient,
  breakIt: () => unknown,
  mend: () => unknown = () => {},
): Promise<SaidCheck[]> {
  const before = await lookBefore(patient)
  expect(troubles(before)).toEqual([])
  onTestFinished(async () => void (await mend()))
  await breakIt()
  return changed(before, await look(patient))
}

/** The same, when somebody changes a table behind the daemon while it runs; its rows are put back when the test ends. */
export async function brokenInTable(patient: Patient, table: string, ...statements: string[]): Promise<SaidCheck[]> {
  const path = join(patient.dataDir, 'fiskd.db')
  const attach = `ATTACH '${join(await makeTempDir(atTheEndOfFile), 'kept.db')}' AS kept`
  const change = (...list: string[]) => tamper(path, 'PRAGMA foreign_keys = OFF', attach, ...list)
  const breakIt = () => change(`CREATE TABLE kept.rows AS SELECT * FROM ${table}`, ...statements)
  const mend = () => change(`DELETE FROM ${table}`, `INSERT INTO ${table} SELECT * FROM kept.rows`)
  return broken(patient, breakIt, mend)
}

/** The database of a gateway as a check reads it, for checks that a test runs alone; call it in `beforeAll`. */
export async function storeOf(gateway: Gateway): Promise<OpenStore> {
  const store = await openStore(gateway.database, Date.now())
  atTheEndOfFile(() => store.close())
  return store
}

/** The vault of a gateway, for who has stolen its key. */
export function vaultOf({ dataDir }: Pick<Gateway, 'dataDir'>): Vault {
  return createVault(readFileSync(join(dataDir, 'vault.key')))
}

/** What is different, short: `CIS test port fail`. */
export const verdicts = (checks: readonly SaidCheck[]) => checks.map(({ name, status }) => `${name} ${status}`)
