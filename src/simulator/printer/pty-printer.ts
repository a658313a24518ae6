import { lstatSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { Machine, type MachineOptions } from './machine.ts'
import { openPty } from './pty.ts'

export interface PtyPrinterOptions extends MachineOptions {
  /** Created by `plugIn`, removed by `unplug`: a path that stays the same when the cable is plugged in again. */
  linkPath?: string
  /** Whether the USB interface is in the printer: the device disappears while the power is off. */
  builtInUsb?: boolean
}

export class PtyPrinter extends Machine {
  readonly #cable: ReturnType<typeof createCable>
  readonly #builtInUsb: boolean
  #closed = false

  constructor(options: PtyPrinterOptions = {}) {
    super(options)
    this.#builtInUsb = options.builtInUsb ?? false
    this.#cable = createCable(options.linkPath, (bytes) => this.receive(bytes))
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

/** A USB serial cable. Plugged in again, its device has another number; a link keeps its path, like `/dev/serial/by-id`. */
function createCable(linkPath: string | undefined, onBytes: (bytes: Uint8Array) => void) {
  let pty: Awaited<ReturnType<typeof openPty>> | undefined
  return {
    /** The path of the link if there is one, else of the current device. */
    get path() {
      if (linkPath !== undefined) return linkPath
      if (!pty) throw new Error('The cable is not plugged in')
      return pty.path
    },
    /** @throws Error when another file has the link's name */
    async plugIn() {
      if (pty) return
      if (linkPath !== undefined) expectLink(linkPath)
      pty = await openPty(onBytes)
      if (linkPath !== undefined) pointTo(pty.path, linkPath)
    },
    unplug() {
      if (linkPath !== undefined) rmSync(linkPath, { force: true })
      pty?.close()
      pty = undefined
    },
    write: (bytes: Uint8Array) => pty?.write(bytes),
    pause: () => pty?.pause(),
    resume: () => pty?.resume(),
  }
}

function expectLink(path: string): void {
  const there = lstatSync(path, { throwIfNoEntry: false })
  if (there && !there.isSymbolicLink()) throw new Error(`${path} is there already, and no link`)
}

/** Replaces the link atomically. */
function pointTo(device: string, path: string): void {
  rmSync(`${path}.new`, { force: true })
  symlinkSync(device, `${path}.new`)
  renameSync(`${path}.new`, path)
}
