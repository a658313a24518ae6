import { spawnSync } from 'node:child_process'
import { round } from '../bench/statistics.ts'

/** Two RSA-2048 signatures and one check by `openssl speed`, milliseconds of processor time; undefined without openssl. */
export function opensslUnitMs(): number | undefined {
  const { status, stdout } = spawnSync('openssl', ['speed', '-mr', '-seconds', '1', 'rsa2048'], { encoding: 'utf8' })
  // +F2:2:2048:2533.3:46075.0: signatures and checks in a second
  const [, sign, verify] = /^\+F2:\d+:2048:([\d.]+):([\d.]+)/m.exec(stdout ?? '') ?? []
  return status === 0 && sign !== undefined ? round(1000 * (2 / Number(sign) + 1 / Number(verify))) : undefined
}
