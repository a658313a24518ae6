import { bytes, type Commands, type Desk, type Steps, taking } from '../command-context.ts'
import type { NotTaken } from '../presenter.ts'
import { ejectorStatus } from './status.ts'

const EJECTED: NotTaken = { how: 'eject', afterMs: 0 }
const RETRACT = 0x52

/** Custom's presenter and ejector. The lengths of presented paper, in steps that differ by model, change nothing here. */
export const PRESENTER_COMMANDS: Commands = {
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
