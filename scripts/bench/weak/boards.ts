import { spawnSync } from 'node:child_process'
import { UsageError } from '../../chaos/arguments.ts'

/** A computer that is weaker than this one. */
export interface Board {
  name: string
  title: string
  memoryMb: number
  /** RSA-4096 signatures a second of one core by `openssl speed`, in a 64-bit system. */
  signs: number
}

/**
 * Published: 11.9 RSA-4096 signatures a second of a Cortex-A53 at 1.8 GHz (Allwinner H6, 64 bit, OpenSSL 1.0.2g, each of
 * four processes; https://pastebin.com/huSB5LhC). A core of the same kind with a slower clock makes as much fewer. Not
 * RSA-2048: for that this computer may have instructions (AVX-512 IFMA) that make it four times as fast as the rest of it.
 */
const A53_SIGNS_PER_GHZ = 11.9 / 1.8

export const BOARDS: readonly Board[] = [
  { name: 'pi3', title: 'Raspberry Pi 3 (A53, 1.2 GHz)', memoryMb: 1024, signs: 1.2 * A53_SIGNS_PER_GHZ },
  { name: 'zero2w', title: 'Raspberry Pi Zero 2 W (A53, 1 GHz)', memoryMb: 512, signs: 1.0 * A53_SIGNS_PER_GHZ },
]

/** Signatures a second of one core here, by processor time. */
export interface Pace {
  rsa2048: number
  rsa4096: number
}

/** @throws UsageError without openssl */
export function paceHere(): Pace {
  const { stdout, error } = spawnSync('openssl', ['speed', '-seconds', '2', 'rsa2048', 'rsa4096'], { encoding: 'utf8' })
  if (error)
    throw new UsageError('the pace of this computer is measured by openssl: install the Debian package openssl')
  const signsOf = (bits: number) => Number(new RegExp(`^rsa +${bits} bits +\\S+ +\\S+ +(\\S+)`, 'm').exec(stdout)?.[1])
  const pace = { rsa2048: signsOf(2048), rsa4096: signsOf(4096) }
  if (!(pace.rsa2048 > 0 && pace.rsa4096 > 0)) throw new Error(`openssl speed: ${stdout}`)
  return pace
}
