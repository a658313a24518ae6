import { bytes, type Commands, type Desk, type Steps, setting, taking } from '../command-context.ts'
import { bit, type State } from '../condition.ts'
import { commandsOf, ESCPOS_COMMANDS } from '../escpos/language.ts'
import { askStatus, realtimeFinder, SEQUENCES, type Sequence } from '../escpos/realtime.ts'
import { CUSTOM_FONTS, CUSTOM_NARROW_FONTS } from '../fonts.ts'
import { interpreter } from '../interpreter.ts'
import type { Language, RealtimeCommand } from '../language.ts'
import type { NotTaken } from '../presenter.ts'

/** `ESC C1` makes both fonts narrower, from 11 and 15 characters to the inch to 15 and 20 [V: KPM150H]. */
const FONT_COMMANDS: Commands = {
  '\x1b\xc1': setting((n) => ({ fonts: n & 1 ? CUSTOM_NARROW_FONTS : CUSTOM_FONTS })),
}

/**
 * Counters in the permanent memory, read in their turn as text. `GS E1` to `GS E5`: paper left, cuts, paper printed,
 * receipts drawn in, times switched on [V: KPM216H; the space before "cuts" is in its example].
 */
const COUNTER_COMMANDS: Commands = {
  '\x1d\xe0': taking(1, (desk, n = 0) => desk.reports(n)),
  '\x1d\xe1': (desk) => tell(desk, `${desk.condition.paper === 'ok' ? 2500 : 0}cm`),
  '\x1d\xe2': (desk) => tell(desk, `${desk.counters.cuts} cuts`),
  '\x1d\xe3': (desk) => tell(desk, `${Math.floor((desk.counters.rows * 2.54) / desk.model.dpi)}cm`),
  '\x1d\xe4': (desk) => tell(desk, `${desk.counters.retracted}ret`),
  '\x1d\xe5': (desk) => tell(desk, `${desk.counters.powerUps}on`),
}

const EJECTED: NotTaken = { how: 'eject', afterMs: 0 }
const RETRACT = 0x52

/** Custom's presenter and ejector. The lengths of presented paper, in steps that differ by model, change nothing here. */
const PRESENTER_COMMANDS: Commands = {
  // Length, blinking of the lamp, E or R for a receipt that is not taken, and after how many seconds [S: VKP80II].
  '\x1cP': taking(4, (desk, _length, _lamp, how, seconds = 0) => {
    show(desk, { how: how === RETRACT ? 'retract' : 'eject', afterMs: seconds * 1000 })
  }),
  // 2 retracts, 3 presents a length, 5 ejects, 6 asks [V: KPM210, KPM216H]; 32 presents a length for some seconds
  // [V: Pyramid Reliance, which follows Custom]. 0, 1, 4, 7, 8: other models [V: TPTCM].
  '\x1de': function* (desk): Steps {
    const n = yield
    if (n > 8 && n !== 32) return desk.unknown(0x1d, 0x65, n)
    const [_length, seconds = 0] = yield* bytes(n === 3 ? 1 : n === 32 ? 2 : 0)
    if (n === 0 || n === 3) show(desk, { how: 'keep', afterMs: 0 })
    else if (n === 32) show(desk, { how: 'eject', afterMs: seconds * 1000 })
    else if (n === 2) retract(desk)
    else if (n === 5) eject(desk)
    else if (n === 6) desk.answer(Uint8Array.of(ejectorStatus(desk)))
  },
}

/** Cuts what is printed, if that has not been done, and shows it. */
function show(desk: Desk, notTaken: NotTaken): void {
  const cuts = desk.roll.cuts
  cutRest(desk)
  if (desk.roll.cuts > cuts || cuts > 0) desk.presenter.show(notTaken)
}

function eject(desk: Desk): void {
  show(desk, EJECTED)
  desk.presenter.eject()
}

function retract(desk: Desk): void {
  show(desk, { how: 'retract', afterMs: 0 })
  desk.presenter.retract()
}

function cutRest({ carriage, roll, model }: Desk): void {
  if (!carriage.empty) carriage.newLine()
  if (!roll.begun) return
  roll.feed(model.cutterDots)
  roll.cut(model.cutterDots)
}

const COMMANDS: Commands = { ...ESCPOS_COMMANDS, ...FONT_COMMANDS, ...PRESENTER_COMMANDS, ...COUNTER_COMMANDS }

const [, ...OTHER_SEQUENCES] = SEQUENCES
const ASK: Sequence = { bytes: [0x10, 0x04, null], command: ask }

/** ESC/POS as printers of Custom for kiosks speak it: VKP80, KPM. */
export const CUSTOM: Language = {
  findRealtime: () => realtimeFinder([ASK, ...OTHER_SEQUENCES]),
  interpret: (desk) => interpreter(desk, commandsOf(desk, COMMANDS)),
  /** After `GS E0 n`: DLE, n, and the bytes that the bits of n choose [V: KPM300, PRT80]. */
  automaticStatus: (state, _model, chosen) =>
    Uint8Array.of(0x10, chosen, ...parts(state).filter((_, index) => chosen & (1 << index))),
}

/** `DLE EOT`: 1 to 4 as Epson, and 17 and 20 [V: KPM210]. */
function ask(n: number): RealtimeCommand | undefined {
  if (n === 17) return { kind: 'status', length: 3, answer: printStatus }
  if (n === 20) return { kind: 'status', length: 3, answer: fullStatus }
  return askStatus(n)
}

function tell({ answer }: Desk, text: string): void {
  answer(Buffer.from(text))
}

/** The answer to `DLE EOT 20`: DLE, 0F, paper, user, recoverable, other errors [V: KPM210, KPM150H, KPM300]. */
const fullStatus = (state: State): Uint8Array => Uint8Array.of(0x10, 0x0f, ...parts(state))

/** The answer to `DLE EOT 17`: the paper's motor and whether there is paper [V: KPM210]. */
const printStatus = ({ condition: { paper }, moving }: State) =>
  Uint8Array.of(0x12 | bit(2, moving) | bit(5, paper === 'out'))

/** The answer to `GS e 6` [V: KPM210]. */
function ejectorStatus({ condition, presenter }: Pick<Desk, 'condition' | 'presenter'>): number {
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
