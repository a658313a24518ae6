import { generateKeyPairSync, sign, verify } from 'node:crypto'

const SECONDS = 0.4

/**
 * The unit in which sales are told: processor time of two RSA-2048 signatures and one check by node:crypto, milliseconds, over
 * about as many bytes as a SignedInfo has. Measured before and after what is told in it.
 */
export function unitMs(): number {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const text = Buffer.alloc(800, 'x')
  const signature = sign('sha256', text, privateKey)
  const signing = costOf(() => void sign('sha256', text, privateKey))
  return 2 * signing + costOf(() => void verify('sha256', text, publicKey, signature))
}

/** Processor time, which others who use the machine do not lengthen. */
function costOf(work: () => void): number {
  for (let i = 0; i < 50; i++) work()
  let count = 0
  const [started, before] = [performance.now(), process.cpuUsage()]
  while (performance.now() - started < SECONDS * 1000) {
    work()
    count++
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / count
}
