import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { createVault } from '../../src/certificates/vault.ts'
import type { SaidCheck } from '../../src/domain/check.ts'
import type { Vault } from '../../src/fiscal/ports/certificates.ts'
import { changed, diagnose } from './diagnosis.ts'
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

async function inUse(gateway: Gateway): Promise<Gateway> {
  for (let sale = 0; sale < 3; sale++) await gateway.sell()
  await backUp(gateway)
  return gateway
}

/** Makes a backup and throws it away. */
export async function backUp(gateway: Gateway): Promise<void> {
  expect((await gateway.admin('/admin/backup')).status).toBe(200)
}

/**
 * What the doctor says differently of a healthy gateway once something is broken.
 * @param mend makes it well again when the test ends, for the next one
 */
export async function broken(
  gateway: Gateway,
  breakIt: () => unknown,
  mend: () => unknown = () => {},
): Promise<SaidCheck[]> {
  const before = await diagnose(gateway)
  expect(before.filter(({ status }) => status !== 'ok')).toEqual([])
  onTestFinished(async () => void (await mend()))
  await breakIt()
  return changed(before, await diagnose(gateway))
}

/** The same, when somebody changes a table behind the daemon while it runs; its rows are put back when the test ends. */
export async function brokenInTable(gateway: Gateway, table: string, ...statements: string[]): Promise<SaidCheck[]> {
  const path = join(gateway.dataDir, 'fiskd.db')
  const attach = `ATTACH '${join(await makeTempDir(atTheEndOfFile), 'kept.db')}' AS kept`
  const change = (...list: string[]) => tamper(path, 'PRAGMA foreign_keys = OFF', attach, ...list)
  const breakIt = () => change(`CREATE TABLE kept.rows AS SELECT * FROM ${table}`, ...statements)
  const mend = () => change(`DELETE FROM ${table}`, `INSERT INTO ${table} SELECT * FROM kept.rows`)
  return broken(gateway, breakIt, mend)
}

/** The vault of a gateway, for who has stolen its key. */
export function vaultOf(gateway: Gateway): Vault {
  return createVault(readFileSync(join(gateway.dataDir, 'vault.key')))
}

/** What is different, short: `CIS test port fail`. */
export const verdicts = (checks: readonly SaidCheck[]) => checks.map(({ name, status }) => `${name} ${status}`)
