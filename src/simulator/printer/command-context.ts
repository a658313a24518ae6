import type { Condition, Counters } from './condition.ts'
import type { GraphicsMemory } from './escpos/graphics-memory.ts'
import type { Model } from './model.ts'
import type { Modes } from './modes.ts'
import type { Bitmap } from './paper/bitmap.ts'
import type { Carriage } from './paper/carriage.ts'
import type { QrSettings } from './paper/qr-code.ts'
import type { Roll } from './paper/roll.ts'
import type { Presenter } from './presenter.ts'

export interface Desk {
  modes: Modes
  qr: QrSettings
  readonly carriage: Carriage
  readonly roll: Roll
  readonly presenter: Presenter
  readonly condition: Condition
  readonly counters: Counters
  readonly model: Model
  readonly graphics: GraphicsMemory
  buffered: { picture: Bitmap; scaleX: number; scaleY: number } | undefined
  answer(bytes: Uint8Array): void
  /** Which parts of the status are reported when they change; 0 is none. */
  reports(parts: number): void
  /** Changes something that the status tells, and reports it. */
  change(act: () => void): void
  bell(): void
  /** Records a command that this printer does not know. */
  unknown(...bytes: number[]): void
  /** Records a known command that is not allowed at its position. */
  refuse(what: string): void
  /** Resets as after power on: `ESC @`. */
  initialise(): void
}

/** Takes the bytes of a command one by one. */
export type Steps = Generator<undefined, void, number>
// biome-ignore lint/suspicious/noConfusingVoidType: a command without parameters is a plain function
export type Command = (desk: Desk) => Steps | void
/** Commands by their first bytes. */
export type Commands = Record<string, Command>

/** A command with `count` parameter bytes. */
export function taking(count: number, act: (desk: Desk, ...bytes: number[]) => void): Command {
  return function* (desk) {
    act(desk, ...(yield* bytes(count)))
  }
}

/** A command that changes modes, by the number that follows it. */
export function setting(change: (n: number, desk: Desk) => Partial<Modes>): Command {
  return taking(1, (desk, n = 0) => Object.assign(desk.modes, change(n, desk)))
}

export const set =
  (modes: Partial<Modes>): Command =>
  (desk) =>
    void Object.assign(desk.modes, modes)

/** Feeds the paper; what is in the line is printed, too. */
export function feed({ carriage, roll }: Desk, rows: number): void {
  if (carriage.empty) roll.feed(rows)
  else carriage.print(rows)
}

export function* bytes(count: number): Generator<undefined, number[], number> {
  const taken: number[] = []
  while (taken.length < count) taken.push(yield)
  return taken
}

/** Two bytes, the lower one first. */
export function* word(): Generator<undefined, number, number> {
  const low = yield
  return low + 256 * (yield)
}
