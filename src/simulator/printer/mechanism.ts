import { Carriage } from './carriage.ts'
import type { Desk, Steps } from './command-context.ts'
import { interpreter } from './interpreter.ts'
import type { Model } from './model.ts'
import { defaultModes } from './modes.ts'
import { defaultQr } from './qr-code.ts'
import { type Paper, Roll } from './roll.ts'
import type { Condition } from './status.ts'

export interface Outlets {
  answer(bytes: Uint8Array): void
  cut(paper: Paper): void
}

/** Executes the commands taken from the buffer. */
export class Mechanism {
  readonly roll: Roll
  readonly unknownCommands: string[] = []
  readonly refused: string[] = []
  bells = 0
  /** Whether the host has enabled automatic status (`GS a`). */
  reportsChanges = false
  readonly #model: Model
  readonly #desk: Desk
  #program: Steps

  constructor(model: Model, condition: Condition, outlets: Outlets) {
    this.#model = model
    this.roll = new Roll(model.dots, model.dpi, outlets.cut)
    this.#desk = {
      modes: defaultModes(model.chinese),
      qr: defaultQr(),
      carriage: new Carriage(this.roll, () => this.#desk.modes),
      roll: this.roll,
      condition,
      model,
      answer: outlets.answer,
      automaticStatus: (on) => {
        this.reportsChanges = on
      },
      bell: () => {
        this.bells++
      },
      unknown: (...bytes) => this.unknownCommands.push(Buffer.from(bytes).toString('hex')),
      refuse: (what) => this.refused.push(what),
      initialise: () => this.#setBack(),
    }
    this.#program = this.#begin()
  }

  /** @returns how many rows of dots the paper moved */
  take(byte: number): number {
    const rows = this.roll.rows
    this.#program.next(byte)
    return this.roll.rows - rows
  }

  /** Resets as after power on. */
  initialise(): void {
    this.#setBack()
    this.#program = this.#begin()
  }

  /** Drops the current command and line, and keeps all settings. */
  breakOff(): void {
    this.#desk.carriage.clear()
    this.#program = this.#begin()
  }

  #setBack(): void {
    this.#desk.modes = defaultModes(this.#model.chinese)
    this.#desk.qr = defaultQr()
    this.#desk.carriage.clear()
    this.reportsChanges = false
  }

  #begin(): Steps {
    const program = interpreter(this.#desk)
    program.next()
    return program
  }
}
