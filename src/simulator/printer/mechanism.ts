import type { Desk, Steps } from './command-context.ts'
import { type Condition, newCounters } from './condition.ts'
import { GraphicsMemory } from './escpos/graphics-memory.ts'
import type { Language } from './language.ts'
import type { Model } from './model.ts'
import { defaultModes } from './modes.ts'
import { Carriage } from './paper/carriage.ts'
import { defaultQr } from './paper/qr-code.ts'
import { type Paper, Roll } from './paper/roll.ts'
import { Presenter } from './presenter.ts'

export interface Outlets {
  answer(bytes: Uint8Array): void
  cut(paper: Paper): void
  change(act: () => void): void
  note(what: string): void
}

const ALL = 0xff

export class Mechanism {
  readonly roll: Roll
  readonly unknownCommands: string[] = []
  readonly refused: string[] = []
  bells = 0
  reported: number
  readonly presenter: Presenter
  readonly counters = newCounters()
  /** Outlives a power cycle. */
  readonly graphics = new GraphicsMemory()
  readonly #language: Language
  readonly #model: Model
  readonly #desk: Desk
  #program: Steps

  constructor(language: Language, model: Model, condition: Condition, outlets: Outlets) {
    const { change, note } = outlets
    this.#language = language
    this.#model = model
    this.reported = model.reportsFromStart ? ALL : 0
    this.roll = new Roll(model.dots, model.dpi, (paper) => {
      this.counters.cuts++
      outlets.cut(paper)
    })
    this.presenter = new Presenter({ roll: this.roll, counters: this.counters, change, note })
    this.#desk = {
      modes: defaultModes(model),
      qr: defaultQr(),
      carriage: new Carriage(this.roll, () => this.#desk.modes),
      roll: this.roll,
      presenter: this.presenter,
      condition,
      counters: this.counters,
      graphics: this.graphics,
      buffered: undefined,
      model,
      answer: outlets.answer,
      reports: (parts) => {
        this.reported = parts
      },
      change,
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
    this.counters.rows = this.roll.rows
    return this.roll.rows - rows
  }

  initialise(): void {
    this.#setBack()
    this.reported = this.#model.reportsFromStart ? ALL : 0
    Object.assign(this.counters, { ends: 0, endReached: false, printEnds: 0 })
    this.#program = this.#begin()
  }

  /** Drops the current command and line, and keeps all settings. */
  breakOff(): void {
    this.#desk.carriage.clear()
    this.#program = this.#begin()
  }

  #setBack(): void {
    this.#desk.modes = defaultModes(this.#model)
    this.#desk.qr = defaultQr()
    this.#desk.buffered = undefined
    this.#desk.carriage.clear()
    if (this.#model.commands === 'escpos') this.reported = 0
  }

  #begin(): Steps {
    const program = this.#language.interpret(this.#desk)
    program.next()
    return program
  }
}
