import type { Desk } from '../command-context.ts'
import { bit, type State } from '../condition.ts'

/**
 * The answer to `DLE EOT 20`: DLE, 0F, and one byte each for paper, user, errors that can be recovered and errors that
 * cannot [V: KPM210, KPM150H, KPM300].
 */
export const fullStatus = (state: State): Uint8Array => Uint8Array.of(0x10, 0x0f, ...parts(state))

/** What is sent by itself after `GS E0 n`: DLE, n, and the bytes that the bits of n choose [V: KPM300, PRT80]. */
export function automaticFullStatus(state: State, chosen: number): Uint8Array {
  return Uint8Array.of(0x10, chosen, ...parts(state).filter((_, index) => chosen & (1 << index)))
}

/** The answer to `DLE EOT 17`: the paper's motor and whether there is paper [V: KPM210]. */
export function printStatus({ condition: { paper }, moving }: State): number {
  return 0x12 | bit(2, moving) | bit(5, paper === 'out')
}

/** The answer to `GS e 6` [V: KPM210]. */
export function ejectorStatus({ condition, presenter }: Pick<Desk, 'condition' | 'presenter'>): number {
  const { paper, error } = condition
  return bit(0, paper !== 'ok') | bit(2, paper !== 'out') | bit(3, presenter.holds) | bit(6, error !== null)
}

function parts({ condition, moving, ticketHeld }: State): [number, number, number, number] {
  const { paper, cover, error } = condition
  return [
    bit(0, paper === 'out') | bit(2, paper !== 'ok') | bit(5, ticketHeld),
    // Opening the cover lifts the head.
    bit(0, cover === 'open') | bit(1, cover === 'open') | bit(3, moving),
    bit(0, error === 'auto_recoverable') | bit(6, error === 'recoverable'),
    // The cutter is among the errors that cannot be recovered.
    bit(0, error === 'cutter') | bit(3, error === 'unrecoverable'),
  ]
}
