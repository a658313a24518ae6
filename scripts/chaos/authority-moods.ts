import type { Misbehaviour } from '../../src/simulator/index.ts'
import type { Chance } from './chance.ts'

/** How often each comes; what is left of 1 is good behaviour. */
const MOODS: [share: number, misbehaviour: (chance: Chance) => Misbehaviour][] = [
  [0.06, () => 'drop-before'],
  [0.06, () => 'drop-after'],
  [0.04, () => 'truncated'],
  [0.2, (chance) => ({ delayMs: Math.round(chance.between(10, 400)) })],
  [0.05, () => 's006'],
  [0.04, () => 'http-503'],
  [0.02, () => ({ error: 's001' })],
  [0.02, () => 's013'],
  // Genuine as far as the authority knows, and not to be believed: the JIR must come with a later message.
  [0.01, (chance) => chance.pick(['tampered', 'unsigned', 'wrong-message-id'] as const)],
  [0.003, () => 'timeout'],
]

/** What the next message meets: mostly nothing bad. */
export function moodOf(chance: Chance): Misbehaviour | null {
  let rest = chance.next()
  for (const [share, misbehaviour] of MOODS) {
    if (rest < share) return misbehaviour(chance)
    rest -= share
  }
  return null
}
