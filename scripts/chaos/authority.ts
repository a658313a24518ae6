import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Scratch } from './scratch.ts'

/** How `authority-process.ts` gets its settings. */
export const SETTINGS_VARIABLE = 'CHAOS_AUTHORITY'

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
  number: string
  premisesCode: string
  zki: string
  /** Whether the company's key makes this ZKI of this sale. */
  zkiMatches: boolean | null
  total: string
  /** `dd.MM.yyyyTHH:mm:ss`, local time in Zagreb. */
  occurredAt: string
  sentAt: string
  /** What was issued, whether or not the answer arrived. */
  jir: string | null
  /** By `tick`. */
  arrivedAt: number
}

export type Order = 'facts' | 'wild' | 'calm' | 'goDown' | 'comeBack' | 'received'

export interface Reply {
  id: number
  result: unknown
}

export interface Authority {
  facts: AuthorityFacts
  /** Drops, delays and rejects at random. */
  wild(): Promise<void>
  /** Behaves from now on, and is up. */
  calm(): Promise<void>
  /** Refuses connections. */
  goDown(): Promise<void>
  comeBack(): Promise<void>
  /** Every message that reached processing, oldest first. */
  received(): Promise<Received[]>
}

/** Starts the simulated tax authority in a process of its own; it ends with the scratch folder. */
export async function startAuthority(settings: AuthoritySettings, scratch: Scratch): Promise<Authority> {
  const child = fork(fileURLToPath(new URL('authority-process.ts', import.meta.url)), {
    execArgv: ['--import', 'tsx'],
    env: { PATH: process.env.PATH, [SETTINGS_VARIABLE]: JSON.stringify(settings) },
  })
  scratch.atTheEnd(() => void child.kill('SIGKILL'))
  const waiting = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>()
  let orders = 0
  child.on('message', ({ id, result }: Reply) => {
    waiting.get(id)?.resolve(result)
    waiting.delete(id)
  })
  child.on('exit', () => {
    for (const { reject } of waiting.values()) reject(new Error('the simulated authority ended'))
  })
  const ask = <T = void>(order: Order): Promise<T> =>
    new Promise((resolve, reject) => {
      const id = orders++
      waiting.set(id, { resolve: (result) => resolve(result as T), reject })
      child.send({ id, order })
    })
  return {
    facts: await ask('facts'),
    wild: () => ask('wild'),
    calm: () => ask('calm'),
    goDown: () => ask('goDown'),
    comeBack: () => ask('comeBack'),
    received: () => ask('received'),
  }
}
