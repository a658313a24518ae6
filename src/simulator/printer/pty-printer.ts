import { createCable } from './cable.ts'
import { Machine, type MachineOptions } from './machine.ts'

export interface PtyPrinterOptions extends MachineOptions {
  /** A path that stays the same when the cable is plugged in again. */
  linkPath?: string
  /** Whether the USB interface is in the printer: the device disappears while the power is off. */
  builtInUsb?: boolean
}

/** A printer on a serial device. */
export class PtyPrinter extends Machine {
  readonly #cable: ReturnType<typeof createCable>
  readonly #builtInUsb: boolean
  #closed = false

  constructor(options: PtyPrinterOptions = {}) {
    super(options)
    this.#builtInUsb = options.builtInUsb ?? false
    this.#cable = createCable({ linkPath: options.linkPath, onBytes: (bytes) => this.receive(bytes) })
  }

  get path(): string {
    return this.#cable.path
  }

  async plugIn(): Promise<void> {
    this.note('plugged in')
    await this.#cable.plugIn()
    if (this.#closed) this.#cable.unplug()
    else this.connect(this.#cable)
  }

  /** Programs that have the device open see a hangup; bytes on the line are lost. */
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

/** @throws Error when the system has no free pseudo terminal */
export async function startPtyPrinter(options: PtyPrinterOptions = {}): Promise<PtyPrinter> {
  const printer = new PtyPrinter(options)
  await printer.plugIn()
  return printer
}
