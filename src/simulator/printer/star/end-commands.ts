import { bytes, type Commands, type Desk, type Steps, taking } from '../command-context.ts'

/** The status that is sent by itself, and the proof that everything before was printed [V: Star Line Mode, Graphic Mode]. */
export const END_COMMANDS: Commands = {
  // That the status is not sent at once is assumed [U].
  '\x1b\x1ea': taking(1, (desk, n = 0) => desk.reports(n & 1)),
  // Commands run after the paper has moved for all before them, so printing has ended.
  '\x17': (desk) =>
    desk.change(() => {
      desk.counters.ends = (desk.counters.ends + 1) % 32
      desk.counters.endReached = true
    }),
  // The cleared counter is not reported.
  '\x1b\x1eE': taking(1, ({ counters }) => {
    Object.assign(counters, { ends: 0, endReached: false })
  }),
  '\x1b\x1d\x03': printEnds,
  // They ran when they were received.
  '\x1b\x06\x01': nothing,
  '\x04': nothing,
  '\x05': nothing,
}

/** `ESC GS ETX s n1 n2`: 0 asks for the counter, 1 counts and tells it, 2 clears it, 3 and 4 enclose a document. */
function* printEnds(desk: Desk): Steps {
  const [s = 0, n1 = 0, n2 = 0] = yield* bytes(3)
  const { counters, carriage } = desk
  if ((s === 1 || s === 4) && !carriage.empty) carriage.newLine()
  if (s === 1) counters.printEnds = (counters.printEnds + 1) % 256
  if (s === 2) counters.printEnds = 0
  if (s < 2) desk.answer(Uint8Array.of(0x1b, 0x1d, 0x03, s, n1, n2, counters.printEnds, 0))
}

function nothing(): void {}
