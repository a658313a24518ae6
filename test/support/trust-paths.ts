import { join } from 'node:path'
import type { TrustPaths } from '../../src/cis/trust/trust-bundles.ts'
import type { Mode } from '../../src/domain/sale/sale.ts'

/** Where the lists of CAs are when they all lie in one folder. */
export function trustPathsIn(dir: string): TrustPaths {
  const of = (mode: Mode) => ({
    base: join(dir, `${mode}.pem`),
    service: join(dir, `${mode}-service.pem`),
    uploads: join(dir, `${mode}-uploads.pem`),
  })
  return { test: of('test'), live: of('live') }
}
