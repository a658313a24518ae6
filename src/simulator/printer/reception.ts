import type { RealtimeCommand, RealtimeFinder } from './language.ts'

export interface ReceptionOptions {
  /** The size of the receive buffer in bytes. */
  capacity: number
  findRealtime: () => RealtimeFinder
  onByte: (byte: number) => void
  onRealtime: (command: RealtimeCommand) => void
  /** Called when there are bytes in the buffer to take. */
  onData: () => void
}

/** Flow control: pauses and resumes the line. */
export interface Flow {
  pause(): void
  resume(): void
}

/** The connection of the printer: the source of bytes and the destination of answers. */
export interface Port extends Flow {
  write(bytes: Uint8Array): void
}

export function withXonXoff(port: Port): Flow {
  return {
    pause() {
      port.write(Uint8Array.of(0x13))
      port.pause()
    },
    resume() {
      port.write(Uint8Array.of(0x11))
      port.resume()
    },
  }
}

/** Moves bytes from the line into the receive buffer, at the speed of the line and while there is room. */
export class Reception {
  readonly #options: ReceptionOptions
  /** Bytes sent by the host and not received yet, as in drivers and wires. */
  #line: Uint8Array[] = []
  #buffer: number[] = []
  #taken = 0
  #find: RealtimeFinder
  #flow: Flow | undefined
  #held = false
  #stopped = false
  #discarding = false
  #bytesPerSecond = Number.POSITIVE_INFINITY
  #credit = 0
  #creditedAt = 0
  #timer: NodeJS.Timeout | undefined
  receivedBytes = 0

  constructor(options: ReceptionOptions) {
    this.#options = options
    this.#find = options.findRealtime()
  }

  get length(): number {
    return this.#buffer.length - this.#taken
  }

  take(): number | undefined {
    const byte = this.#buffer[this.#taken++]
    if (this.#taken >= this.#options.capacity) {
      this.#buffer = this.#buffer.slice(this.#taken)
      this.#taken = 0
    }
    return byte
  }

  /** Empties the buffer; bytes still on the line stay. */
  clear(): void {
    this.#buffer = []
    this.#taken = 0
    this.#find = this.#options.findRealtime()
  }

  connect(flow: Flow | undefined): void {
    this.#flow = flow
    this.#held = false
    if (!flow) this.#line = []
    this.#find = this.#options.findRealtime()
    this.pump()
  }

  slowDown(bytesPerSecond: number): void {
    this.#bytesPerSecond = bytesPerSecond
    this.#credit = 0
    this.#creditedAt = performance.now()
    this.pump()
  }

  /** While the printer is off, received bytes are lost, or held back by flow control. */
  switchOff(held: boolean): void {
    this.clear()
    this.#stopped = true
    this.#discarding = !held
    this.pump()
  }

  switchOn(): void {
    this.#stopped = false
    this.#discarding = false
    this.pump()
  }

  receive(bytes: Uint8Array): void {
    this.#line.push(bytes)
    this.pump()
  }

  /** Moves as many bytes as possible. Call it when there is room again. @returns the number of bytes */
  pump(): number {
    if (this.#discarding) this.#line = []
    const before = this.receivedBytes
    while (!this.#stopped && this.#line.length > 0 && this.#move() > 0);
    this.#hold(this.#line.length > 0 || (this.#stopped && !this.#discarding))
    const waitsForLine = !this.#stopped && this.#line.length > 0 && this.length < this.#options.capacity
    if (waitsForLine) this.#timer ??= setTimeout(() => this.#tick(), 5)
    const moved = this.receivedBytes - before
    if (moved > 0) this.#options.onData()
    return moved
  }

  close(): void {
    this.switchOff(false)
    clearTimeout(this.#timer)
  }

  #hold(held: boolean): void {
    if (held === this.#held) return
    this.#held = held
    if (held) this.#flow?.pause()
    else this.#flow?.resume()
  }

  #tick(): void {
    this.#timer = undefined
    this.pump()
  }

  /** @returns how many bytes of the first piece were moved */
  #move(): number {
    const [piece = new Uint8Array()] = this.#line
    const count = Math.min(piece.length, this.#options.capacity - this.length, this.#allowed())
    if (count < piece.length) this.#line[0] = piece.subarray(count)
    else this.#line.shift()
    this.#credit -= count
    for (const byte of piece.subarray(0, count)) {
      if (this.#stopped) break
      this.#buffer.push(byte)
      this.receivedBytes++
      this.#options.onByte(byte)
      const command = this.#find(byte)
      if (command) this.#options.onRealtime(command)
    }
    return count
  }

  /** How many bytes the line may have carried since the last call; idle time is not credited. */
  #allowed(): number {
    if (this.#bytesPerSecond === Number.POSITIVE_INFINITY) return this.#bytesPerSecond
    const now = performance.now()
    const carried = ((now - this.#creditedAt) * this.#bytesPerSecond) / 1000
    this.#creditedAt = now
    this.#credit = Math.min(this.#credit + carried, Math.max(1, this.#bytesPerSecond / 50))
    return Math.floor(this.#credit)
  }
}
