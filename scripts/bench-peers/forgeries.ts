import { FORGED_JIR, type Misbehaviour, type Simulator } from '../../src/simulator/index.ts'
import type { Taken } from './peer.ts'

/** Answers that somebody between the machine and the authority could give: no sale may take a JIR from them. */
const FORGED: Record<string, Misbehaviour> = {
  unsigned: 'unsigned',
  tampered: 'tampered',
  'another CA': 'wrong-signer-ca',
  'another signer': 'wrong-signer-cn',
  'another message': 'wrong-message-id',
  wrapped: { wrapped: 'sibling' },
}

/** @returns the forged answers from which a JIR was taken */
export async function deceivedBy(simulator: Simulator, sell: () => Promise<Taken | null>): Promise<string[]> {
  const deceived: string[] = []
  for (const [name, forgery] of Object.entries(FORGED)) {
    simulator.misbehave(forgery)
    await simulator.prepared()
    const before = simulator.received.length
    const taken = await sell()
    if (simulator.received.length === before) throw new Error(`${name}: no message came: ${JSON.stringify(taken)}`)
    // Wrapped, the genuine statement is still there and signed: a way that reads only that is not deceived.
    const genuine = name === 'wrapped' && taken !== FORGED_JIR
    if (typeof taken === 'string' && !genuine) deceived.push(name)
  }
  return deceived
}
