import { writeFileSync } from 'node:fs'
import { onTestFinished } from 'vitest'
import { fisk } from './fisk.ts'
import { type Gateway, startEmptyGateway } from './gateway.ts'
import { certificateOf, OIBS } from './pki.ts'
import { makeTempDir } from './temp-dir.ts'

/** What `fisk replace --json` prints, or the error that it ends with. */
export interface Replaced {
  devices: { id: string; label: string; key: { key: string } | null }[]
  numbers: { premises_code: string; mode: string; seen: string | null; after: string; why: string }[]
  steps: { step: string; state: string; detail: string }[]
  without_jir: number
  can_sell: boolean
  error?: { code: string; message: string }
}

/** The card that takes over, at the same tax authority. */
export function startFreshCard(dead: Gateway): Promise<Gateway> {
  return startEmptyGateway({ FISKD_CIS_TEST_URL: dead.cis.url })
}

/** The company's own file and its passphrase, as somebody has them on a stick: as flags of `fisk`. */
export async function certificateFlags(flag = '--cert-file'): Promise<string[]> {
  const folder = await makeTempDir(onTestFinished)
  const { p12, passphrase } = await certificateOf(OIBS[0])
  writeFileSync(`${folder}/fiskal1.p12`, p12)
  writeFileSync(`${folder}/passphrase`, passphrase)
  return [flag, `${folder}/fiskal1.p12`, '--passphrase-file', `${folder}/passphrase`]
}

export async function runReplace(fresh: Gateway, args: string[]) {
  const { code, stdout, stderr } = await fisk(['--json', 'replace', ...args], { socket: fresh.socketPath })
  return { code, stderr, result: JSON.parse(stdout) as Replaced }
}

/** The firmware gets its new key. */
export function giveKey(fresh: Gateway, { devices }: Replaced): void {
  fresh.deviceId = devices[0]?.id ?? ''
  fresh.key = devices[0]?.key?.key ?? ''
}
