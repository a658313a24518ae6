import type { Carriage } from './carriage.ts'
import type { Model } from './model.ts'
import type { Modes } from './modes.ts'
import type { QrSettings } from './qr-code.ts'
import type { Roll } from './roll.ts'
import type { Condition } from './status.ts'

/** The state that commands work on. */
export interface Desk {
  modes: Modes
  qr: QrSettings
  readonly carriage: Carriage
  readonly roll: Roll
  readonly condition: Condition
  readonly model: Model
  /** Sends bytes to the host. */
  answer(bytes: Uint8Array): void
  /** Whether status changes are reported automatically (`GS a`). */
  automaticStatus(on: boolean): void
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
