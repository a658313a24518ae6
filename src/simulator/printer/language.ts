import type { Desk, Steps } from './command-context.ts'
import type { State } from './condition.ts'
import type { Model } from './model.ts'

/** What differs between makers: which bytes are commands, and how a printer tells its state. */
export interface Language {
  /** A finder of commands that run when they arrive; a new one after each reset. */
  findRealtime(): RealtimeFinder
  /** Executes the bytes of the buffer one by one. Never ends. */
  interpret(desk: Desk): Steps
  /** What is sent by itself when the state changes; the host has chosen these parts of it. */
  automaticStatus(state: State, model: Model, parts: number): Uint8Array
}

/** Takes one received byte. @returns the command that it completes */
export type RealtimeFinder = (byte: number) => RealtimeCommand | undefined

/** Commands that a printer runs immediately, even during another command. */
export type RealtimeCommand =
  /** A question of this many bytes. */
  | { kind: 'status'; length: number; answer: (state: State, model: Model) => Uint8Array | undefined }
  | { kind: 'recover'; clear: boolean }
  | { kind: 'clear' }
  | { kind: 'power_off' }
  | { kind: 'pulse' }
