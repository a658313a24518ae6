import { createHash } from 'node:crypto'
import { HOUR_MS } from '../../domain/instant.ts'
import type { ChainValidator } from '../ports/trust.ts'

const MOST = 1000

/** Caches verdicts for an hour, only for display: validating a chain costs more than all else a gateway is asked. */
export function cacheVerdicts(chains: ChainValidator): ChainValidator {
  const known = new Map<string, ReturnType<ChainValidator['validate']>>()
  return {
    validate(leaf, intermediates, bundle, at) {
      const hash = createHash('sha256').update(`${intermediates.length} `)
      for (const der of [leaf, ...intermediates, ...bundle]) hash.update(`${der.length} `).update(der)
      const key = `${hash.digest('base64')} ${Math.floor(at / HOUR_MS)}`
      const verdict = known.get(key) ?? chains.validate(leaf, intermediates, bundle, at)
      if (known.size >= MOST) known.clear()
      known.set(key, verdict)
      return verdict
    },
  }
}
