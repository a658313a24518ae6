import { type RealtimeCommand, realtimeFinder } from './realtime.ts'

export interface ReceptionOptions {
  /** Bytes that the receive buffer holds. */
  capacity: number
  onRealtime: (command: RealtimeCommand) => void
  /** Something is in the buffer, or has become takeable. */
  onData: () => void
}

/** What a line can be told by the printer: to wait, and to go on. */
export interface Flow {
  pause(): void
  resume(): void
}

/** Where bytes come from and answers go. */
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

/** From the line into the receive buffer: as fast as the line goes, and no further than there is room. */
export class Reception {
  readonly #options: ReceptionOptions
  /** Sent by the host, and not received yet: it waits in drivers and wires. */
  #line: Uint8Array[] = []
  #buffer: number[] = []
  #taken = 0
  #find = realtimeFinder()
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
  }

  get length(): number {
    return this.#buffer.length - this.#taken
  }

  /** The next byte of the buffer. */
  take(): number | undefined {
    const byte = this.#buffer[this.#taken++]
    if (this.#taken >= this.#options.capacity) {
      this.#buffer = this.#buffer.slice(this.#taken)
      this.#taken = 0
    }
    return byte
  }

  /** What is in the buffer is gone; what is still on the line is not. */
  clear(): void {
    this.#buffer = []
    this.#taken = 0
    this.#find = realtimeFinder()
  }

  connect(flow: Flow | undefined): void {
    this.#flow = flow
    this.#held = false
    if (!flow) this.#line = []
    this.#find = realtimeFinder()
    this.pump()
  }

  slowDown(bytesPerSecond: number): void {
    this.#bytesPerSecond = bytesPerSecond
    this.#credit = 0
    this.#creditedAt = performance.now()
    this.pump()
  }

  /** While it is off, what comes is lost, or held back by flow control. */
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

  /** Moves what can be moved. Call it when there is room again. @returns how many bytes that were */
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

  /** @returns how many bytes of the first piece */
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
      const command = this.#find(byte)
      if (command) this.#options.onRealtime(command)
    }
    return count
  }

  /** How many bytes the line has carried since the last look; a line that was idle has nothing saved up. */
  #allowed(): number {
    if (this.#bytesPerSecond === Number.POSITIVE_INFINITY) return this.#bytesPerSecond
    const now = performance.now()
    const carried = ((now - this.#creditedAt) * this.#bytesPerSecond) / 1000
    this.#creditedAt = now
    this.#credit = Math.min(this.#credit + carried, Math.max(1, this.#bytesPerSecond / 50))
    return Math.floor(this.#credit)
  }
}
