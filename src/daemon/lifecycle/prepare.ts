import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Prepared } from '../../contract/reports/one-off.ts'
import { describeDatabaseUrl } from '../../domain/database-url.ts'
import type { Config } from '../config.ts'
import { serverTls, tlsDir, unprovenClock } from '../http/server-tls.ts'
import { claimDataDir, openDataDir } from './data-dir.ts'
import { databasePath } from './open-database.ts'

/** Makes what the first start makes, without taking sales. @throws as `openDataDir` does */
export async function prepare(config: Config, now: number): Promise<Prepared> {
  const paths = {
    database: config.databaseUrl === null ? databasePath(config.dataDir) : describeDatabaseUrl(config.databaseUrl),
    vault_key: join(config.credentialsDir ?? config.sharedDir, config.credentialsDir ? 'fiskd-vault-key' : 'vault.key'),
    tls_ca: join(tlsDir(config.sharedDir), 'ca.pem'),
  }
  const missing = Object.values(paths).filter((path) => !existsSync(path))
  using _lock = await claimDataDir(config.dataDir)
  await (await openDataDir(config, now)).close()
  await serverTls(config, unprovenClock(now))
  return { data_dir: config.dataDir, ...paths, created: missing.filter((path) => existsSync(path)) }
}
