import { type Cable, createCable } from './cable.ts'
import { Machine, type MachineOptions } from './machine.ts'

export interface PtyPrinterOptions extends MachineOptions {
  /** A name that stays when the cable is plugged in again. */
  linkPath?: string
  /** Its USB plug is part of it: the device is gone while the power is off. */
  builtInUsb?: boolean
}

/** A printer on a serial device. */
export class PtyPrinter extends Machine {
  readonly #cable: Cable
  readonly #builtInUsb: boolean
  #closed = false

  constructor(options: PtyPrinterOptions = {}) {
    super(options)
    this.#builtInUsb = options.builtInUsb ?? false
    this.#cable = createCable({ linkPath: options.linkPath, onBytes: (bytes) => this.receive(bytes) })
  }

  /** What to open: the link, or the device of the moment. */
  get path(): string {
    return this.#cable.path
  }

  async plugIn(): Promise<void> {
    this.note('plugged in')
    await this.#cable.plugIn()
    if (this.#closed) this.#cable.unplug()
    else this.connect(this.#cable)
  }

  /** Whoever has the device open sees it hang up; what was on the way is lost. */
  unplug(): void {
    this.note('unplugged')
    this.#cable.unplug()
    this.connect(undefined)
  }

  override powerOff(how: { held?: boolean } = {}): void {
    super.powerOff(how)
    if (this.#builtInUsb) this.unplug()
  }

  override powerOn(): void {
    super.powerOn()
    if (this.#builtInUsb) void this.plugIn()
  }

  override close(): void {
    this.#closed = true
    void super.close()
    this.#cable.unplug()
  }
}

/** @throws Error where the system gives no pseudo terminal */
export async function startPtyPrinter(options: PtyPrinterOptions = {}): Promise<PtyPrinter> {
  const printer = new PtyPrinter(options)
  await printer.plugIn()
  return printer
}
