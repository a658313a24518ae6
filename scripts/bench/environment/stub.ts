import type { PkiFiles } from '../../../src/simulator/index.ts'
import type { AuthorityFacts } from '../../chaos/authority.ts'
import { startChild } from '../../chaos/child.ts'
import type { Scratch } from '../../chaos/scratch.ts'

export interface StubSettings {
  port: number
  oib: string
  /** How long each answer takes; at once when left out. */
  answerMs?: number
  /** A new one when left out. */
  pki?: PkiFiles
}

/** Messages answered: with what was signed before, and with what had to be signed while somebody waited. */
export interface Served {
  signed: number
  live: number
  /** Connections accepted. */
  connections: number
}

/** An authority that costs little, in a process of its own. */
export interface Stub {
  pid: number
  facts: AuthorityFacts
  /** Signs answers to the first so many ids of the sequence, if they are not signed yet. */
  sign(count: number): Promise<void>
  served(): Promise<Served>
}

export async function startStub(settings: StubSettings, scratch: Scratch): Promise<Stub> {
  const { pid, order } = startChild(new URL('stub-process.ts', import.meta.url), settings, scratch)
  return {
    pid,
    facts: await order('facts'),
    sign: (count) => order('sign', count),
    served: () => order('served'),
  }
}
