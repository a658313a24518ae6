import { type Commands, taking } from '../command-context.ts'
import { automaticStatus, paperStatus } from './status.ts'

/** Commands that are answered in their turn, so never while the printer is offline. */
export const ANSWER_COMMANDS: Commands = {
  '\x1dr': taking(1, ({ condition, answer }, n = 0) => {
    if (n === 1 || n === 49) answer(Uint8Array.of(paperStatus(condition)))
    if (n === 2 || n === 50) answer(Uint8Array.of(0))
  }),
  '\x1da': taking(1, (desk, n = 0) => {
    desk.reports(n)
    if (n !== 0) desk.answer(automaticStatus(desk.condition))
  }),
  '\x1dI': taking(1, ({ answer }, n = 0) => {
    const answers: Record<number, Uint8Array> = {
      1: Uint8Array.of(0x20),
      2: Uint8Array.of(0x02),
      3: Uint8Array.of(0x01),
      65: Buffer.from('_1.00\0'),
      66: Buffer.from('_VIRTUAL\0'),
      67: Buffer.from('_PAPER\0'),
      68: Buffer.from('_000001\0'),
    }
    const said = answers[n >= 49 && n <= 51 ? n - 48 : n]
    if (said) answer(said)
  }),
}
