import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { createPki, type PkiFiles } from '../../src/simulator/pki.ts'
import { buildPrograms } from './built-programs.ts'
import { stopPgBouncer } from './pgbouncer.ts'
import { stopCluster } from './postgres-cluster.ts'
import { IN_MEMORY } from './temp-dir.ts'

declare module 'vitest' {
  interface ProvidedContext {
    pkiFiles: string
    programs: string
  }
}

/**
 * Makes the simulated authority's keys once for the whole run, for generating RSA keys is slow, the programs that tests
 * start, and a place for the PostgreSQL that tests start when they need one.
 */
export default async function setup(project: TestProject): Promise<() => void> {
  const files: PkiFiles = (await createPki()).toJSON()
  project.provide('pkiFiles', JSON.stringify(files))
  const programs = await buildPrograms()
  project.provide('programs', programs.dir)
  const dir = mkdtempSync(join(IN_MEMORY, 'fiskd-pg-'))
  // The processes that run tests inherit these.
  process.env.FISKD_TEST_BUNDLE = join(programs.dir, 'dist')
  process.env.FISKD_TEST_CLUSTER = `${dir}|${process.pid}`
  return () => {
    stopPgBouncer(dir)
    stopCluster(dir)
    programs.remove()
  }
}
