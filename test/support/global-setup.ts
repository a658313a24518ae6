import type { TestProject } from 'vitest/node'
import { createPki, type PkiFiles } from '../../src/simulator/pki.ts'

declare module 'vitest' {
  interface ProvidedContext {
    pkiFiles: string
  }
}

/** Makes the simulated authority's keys once for the whole run: generating RSA keys is slow. */
export default async function setup(project: TestProject): Promise<void> {
  const files: PkiFiles = (await createPki()).toJSON()
  project.provide('pkiFiles', JSON.stringify(files))
}
