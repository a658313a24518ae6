import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startGateway } from './gateway.ts'
import { tempDir } from './temp-dir.ts'

export const SALES = 5

let sold: Promise<Map<string, Buffer>> | undefined

/** A data directory that a gateway has left after some sales: a copy for each caller. */
export async function soldDatabase(): Promise<{ dataDir: string; path: string }> {
  sold ??= sell()
  const dataDir = await tempDir()
  for (const [name, bytes] of await sold) writeFileSync(join(dataDir, name), bytes, { mode: 0o600 })
  return { dataDir, path: join(dataDir, 'fiskd.db') }
}

async function sell() {
  const gateway = await startGateway()
  for (let i = 0; i < SALES; i++) await gateway.sell()
  await gateway.stop()
  return new Map(['fiskd.db', 'vault.key'].map((name) => [name, readFileSync(join(gateway.dataDir, name))]))
}
