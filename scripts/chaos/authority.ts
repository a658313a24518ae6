import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startChild } from './child.ts'
import type { Scratch } from './scratch.ts'

export interface AuthoritySettings {
  port: number
  seed: number
  oib: string
  /** How long each answer takes while it behaves; at once when left out. */
  answerMs?: number
}

export interface AuthorityFacts {
  url: string
  bundlePem: string
  /** Base64. */
  p12: string
  passphrase: string
}

/** A message as the authority processed it; texts are the message's own. */
export interface Received {
  messageId: string
  number: string
  premisesCode: string
  zki: string
  /** Whether the company's key makes this ZKI of this sale. */
  zkiMatches: boolean | null
  total: string
  /** `dd.MM.yyyyTHH:mm:ss`, local time in Zagreb. */
  occurredAt: string
  sentAt: string
  /** Whether it says that it is a late delivery; only the first message about an invoice does not. */
  lateDelivery: boolean
  /** What was issued, whether or not the answer arrived. */
  jir: string | null
  /** By `tick`. */
  arrivedAt: number
}

export interface Authority {
  facts: AuthorityFacts
  /** Drops, delays and rejects at random. */
  wild(): Promise<void>
  /** Behaves from now on, and is up. */
  calm(): Promise<void>
  /** Every JIR comes in an answer whose signature is not of it. */
  forge(): Promise<void>
  /** Takes every request and answers none. */
  hang(): Promise<void>
  /** Issues a new certificate to the company; the old one stays good. */
  renew(): Promise<Pick<AuthorityFacts, 'p12' | 'passphrase'>>
  /** Refuses connections. */
  goDown(): Promise<void>
  comeBack(): Promise<void>
  /** Every message that reached processing, oldest first. */
  received(): Promise<Received[]>
}

/** Variables of a daemon in a run: nothing ever speaks to the real service, and the devices are in a hurry. */
export const simulated = ({ url }: Pick<AuthorityFacts, 'url'>) => ({
  FISKD_CIS_TEST_URL: url,
  FISKD_CIS_LIVE_URL: url,
  RATE_LIMIT_ENABLED: 'false',
})

/** Puts the authority's CA where the daemon of this data directory looks for it. */
export function trustAuthority(dataDir: string, { bundlePem }: Pick<AuthorityFacts, 'bundlePem'>): void {
  mkdirSync(join(dataDir, 'trust'), { recursive: true })
  writeFileSync(join(dataDir, 'trust', 'test.pem'), bundlePem)
}

/** Starts the simulated tax authority in a process of its own; it ends with the scratch folder. @param env more variables for it */
export async function startAuthority(
  settings: AuthoritySettings,
  scratch: Scratch,
  env: Record<string, string> = {},
): Promise<Authority> {
  const { order } = startChild(new URL('authority-process.ts', import.meta.url), settings, scratch, env)
  return {
    facts: await order('facts'),
    wild: () => order('wild'),
    calm: () => order('calm'),
    forge: () => order('forge'),
    hang: () => order('hang'),
    renew: () => order('renew'),
    goDown: () => order('goDown'),
    comeBack: () => order('comeBack'),
    received: () => order('received'),
  }
}
