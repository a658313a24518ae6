import { type AnswerMode, Answers } from './answers.ts'
import { type Condition, isOffline, type PrinterError, type State } from './condition.ts'
import { CUSTOM } from './custom/language.ts'
import { ESCPOS } from './escpos/language.ts'
import type { Language, RealtimeCommand } from './language.ts'
import { Mechanism } from './mechanism.ts'
import { type Model, type ModelOptions, modelOf } from './model.ts'
import { type OtherPeer, type Peer, startPeer } from './other-peers.ts'
import { Pace, type Speed } from './pace.ts'
import type { Paper } from './paper/roll.ts'
import { type Port, Reception, withXonXoff } from './reception.ts'
import { STAR_LINE, STAR_RASTER } from './star/language.ts'

export interface MachineOptions extends ModelOptions, Speed {
  bufferBytes?: number
  /** Sends XOFF when its buffer is full, and XON when there is room again. */
  xonXoff?: boolean
  /** What is at its address instead of it. */
  insteadOfIt?: OtherPeer
  /** Questions in the data are answered when they are read, not in their turn: by a line buffer, or by a print server. */
  answersAhead?: boolean
  onPaper?: (paper: Paper) => void
}

export interface LogEntry {
  /** Milliseconds since the machine was created. */
  at: number
  what: string
}

/** A receipt printer without its connection: bytes in, paper and answers out. */
export class Machine {
  readonly condition: Condition = { paper: 'ok', cover: 'closed', error: null }
  readonly log: LogEntry[] = []
  printedBytes = 0
  readonly unknownCommands: string[]
  /** Known commands that were refused because of their position. */
  readonly refused: string[]
  /** How often each key of its permanent memory for pictures was written or deleted. */
  readonly graphicsWrites: Readonly<Record<string, number>>
  readonly #options: MachineOptions
  readonly #model: Model
  readonly #language: Language
  readonly #startedAt = performance.now()
  readonly #mechanism: Mechanism
  readonly #reception: Reception
  readonly #answers = new Answers()
  readonly #other: Peer | undefined
  /** Reads ahead of the paper, prints nothing and answers. */
  readonly #reader: Mechanism | undefined
  #unread: number[] = []
  readonly #pace: Pace
  #powered = true
  #working = false
  #triggers: { byte: number; act: () => void }[] = []
  #switchingOn: NodeJS.Timeout | undefined

  constructor(options: MachineOptions = {}) {
    const { bufferBytes = 4096, onPaper = () => {} } = options
    this.#options = options
    this.#model = modelOf(options)
    this.#language = languageOf(this.#model)
    this.#mechanism = new Mechanism(this.#language, this.#model, this.condition, {
      answer: (bytes) => {
        if (!options.answersAhead) this.#answers.send(bytes)
      },
      cut: (paper) => {
        this.note('cut')
        onPaper(paper)
      },
      change: (act) => this.#report(act),
      note: (what) => this.note(what),
    })
    this.unknownCommands = this.#mechanism.unknownCommands
    this.refused = this.#mechanism.refused
    this.graphicsWrites = this.#mechanism.graphics.writes
    if (options.answersAhead) {
      this.#reader = new Mechanism(this.#language, this.#model, this.condition, {
        answer: (bytes) => this.#answers.send(bytes),
        cut: () => {},
        change: (act) => this.#report(act),
        note: () => {},
      })
    }
    this.#other = options.insteadOfIt && startPeer(options.insteadOfIt, (bytes) => this.#answers.send(bytes))
    this.#pace = new Pace(options, () => this.#work())
    this.#reception = new Reception({
      capacity: bufferBytes,
      findRealtime: () => this.#language.findRealtime(),
      onByte: (byte) => {
        if (this.#reader) this.#unread.push(byte)
      },
      onRealtime: (command) => this.#doAtOnce(command),
      onData: () => this.#work(),
    })
  }

  /** Receipts in the order of printing; paper that is not cut yet is the last one. */
  get papers(): Paper[] {
    return this.#mechanism.roll.papers
  }

  get bells(): number {
    return this.#mechanism.bells
  }

  get receivedBytes(): number {
    return this.#reception.receivedBytes
  }

  /** Whether the buffer is empty and the paper does not move. */
  get idle(): boolean {
    return this.#reception.length === 0 && !this.#pace.moving
  }

  /** Connects a port; undefined unplugs it. Bytes on the line are lost. */
  connect(port: Port | undefined): void {
    this.#reception.connect(port && this.#options.xonXoff ? withXonXoff(port) : port)
    this.#answers.connect(port)
  }

  receive(bytes: Uint8Array): void {
    if (this.#other) this.#other.receive(bytes)
    else this.#reception.receive(bytes)
  }

  /** Calls `act` right after this many bytes in total were taken from the buffer. */
  at(byte: number, act: () => void): void {
    this.#triggers.push({ byte, act })
  }

  runOutOfPaper(): void {
    this.#change({ paper: 'out' }, 'paper out')
  }

  runLow(): void {
    this.#change({ paper: 'near_end' }, 'paper near its end')
  }

  /** The bytes in the buffer are then printed. */
  loadPaper(): void {
    this.#change({ paper: 'ok' }, 'paper loaded')
  }

  openCover(): void {
    this.#change({ cover: 'open' }, 'cover open')
  }

  closeCover(): void {
    this.#change({ cover: 'closed' }, 'cover closed')
  }

  fail(error: PrinterError): void {
    this.#change({ error }, `error: ${error}`)
  }

  recover(): void {
    this.#change({ error: null }, 'error over')
  }

  get ticketHeld(): boolean {
    return this.#mechanism.presenter.holds
  }

  takeTicket(): void {
    this.#mechanism.presenter.take()
  }

  answer(mode: AnswerMode, delayMs = 0): void {
    this.#answers.mode = mode
    this.#answers.delayMs = delayMs
  }

  slowLine(bytesPerSecond: number): void {
    this.#reception.slowDown(bytesPerSecond)
  }

  /** Loses the buffer, the modes and the line, and bytes that arrive meanwhile unless flow control holds them back. */
  powerOff({ held = false } = {}): void {
    this.note('power off')
    this.#powered = false
    this.#pace.stop()
    this.#mechanism.initialise()
    this.#reader?.initialise()
    this.#unread = []
    this.#answers.cancel()
    this.#reception.switchOff(held)
  }

  powerOn(): void {
    clearTimeout(this.#switchingOn)
    if (this.#powered) return
    this.note('power on')
    this.#powered = true
    this.#mechanism.counters.powerUps++
    this.#reception.switchOn()
  }

  powerCycle({ offMs, held = false }: { offMs: number; held?: boolean }): void {
    this.powerOff({ held })
    clearTimeout(this.#switchingOn)
    this.#switchingOn = setTimeout(() => this.powerOn(), offMs)
  }

  close(): void | Promise<void> {
    clearTimeout(this.#switchingOn)
    this.#pace.stop()
    this.#mechanism.presenter.stop()
    this.#other?.stop()
    this.#powered = false
    this.#answers.cancel()
    this.#reception.close()
    this.connect(undefined)
  }

  #change(change: Partial<Condition>, what: string): void {
    this.note(what)
    this.#report(() => Object.assign(this.condition, change))
    this.#work()
  }

  #report(act: () => void): void {
    const before = this.#automaticStatus()
    act()
    const now = this.#automaticStatus()
    if (this.#powered && this.#answering.reported !== 0 && Buffer.compare(before, now) !== 0) this.#answers.send(now)
  }

  #automaticStatus(): Uint8Array {
    return this.#language.automaticStatus(this.#state(0), this.#model, this.#answering.reported)
  }

  get #answering(): Mechanism {
    return this.#reader ?? this.#mechanism
  }

  /** @param asked the bytes of a question that is already in the buffer */
  #state(asked: number): State {
    return {
      condition: this.condition,
      counters: this.#answering.counters,
      bufferEmpty: this.#reception.length <= asked,
      moving: this.#pace.moving,
      ticketHeld: this.ticketHeld,
    }
  }

  /** Processes the bytes in the buffer in order, while the machine can print. */
  #work(): void {
    if (this.#working) return
    this.#working = true
    this.#readAhead()
    do {
      while (this.#powered && !this.#pace.moving && !isOffline(this.condition) && this.#reception.length > 0)
        this.#step()
    } while (this.#reception.pump() > 0)
    this.#working = false
  }

  #readAhead(): void {
    const unread = this.#unread
    if (!this.#powered || isOffline(this.condition)) return
    this.#unread = []
    for (const byte of unread) this.#reader?.take(byte)
  }

  #step(): void {
    const rows = this.#mechanism.take(this.#reception.take() ?? 0)
    this.printedBytes++
    const due = this.#triggers.filter(({ byte }) => byte === this.printedBytes)
    for (const { act } of due) act()
    if (this.#powered) this.#pace.spend(rows)
  }

  #doAtOnce(command: RealtimeCommand): void {
    switch (command.kind) {
      case 'status':
        this.#tellStatus(command)
        break
      case 'recover':
        if (command.clear) this.#clear()
        if (this.condition.error === 'recoverable' || this.condition.error === 'cutter') this.recover()
        break
      case 'clear':
        this.#clear()
        this.#answers.send(Uint8Array.of(0x37, 0x25, 0))
        break
      case 'power_off':
        this.powerOff()
        break
      case 'pulse':
        this.note('drawer pulse')
    }
  }

  #tellStatus({ length, answer }: RealtimeCommand & { kind: 'status' }): void {
    const state = this.#state(length)
    if (this.#answers.mode === 'when_idle' && (!state.bufferEmpty || state.moving)) return
    const said = answer(state, this.#model)
    if (said) this.#answers.send(said)
  }

  #clear(): void {
    this.note('buffer cleared')
    this.#reception.clear()
    this.#mechanism.breakOff()
  }

  note(what: string): void {
    this.log.push({ at: performance.now() - this.#startedAt, what })
  }
}

function languageOf({ commands, maker }: Model): Language {
  if (commands === 'star_line') return STAR_LINE
  if (commands === 'star_raster') return STAR_RASTER
  return maker === 'custom' ? CUSTOM : ESCPOS
}
