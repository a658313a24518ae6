import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { Machine, type MachineOptions } from './machine.ts'

export interface TcpPrinterOptions extends MachineOptions {
  /** The port on loopback; 0 for any free port. */
  port?: number
}

/** A network printer, as on port 9100: one connection at a time. */
export class TcpPrinter extends Machine {
  readonly #server: Server
  #socket: Socket | undefined
  #off = false

  constructor(options: TcpPrinterOptions = {}) {
    super({ networkStatus: true, ...options })
    this.#server = createServer((socket) => this.#accept(socket))
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  async listen(port = 0): Promise<void> {
    this.#server.listen(port, '127.0.0.1')
    await once(this.#server, 'listening')
  }

  override powerOff(how: { held?: boolean } = {}): void {
    this.#off = true
    super.powerOff(how)
    this.#socket?.resetAndDestroy()
  }

  override powerOn(): void {
    this.#off = false
    super.powerOn()
  }

  override async close(): Promise<void> {
    void super.close()
    this.#socket?.destroy()
    this.#server.close()
    await once(this.#server, 'close')
  }

  #accept(socket: Socket): void {
    socket.on('error', () => socket.destroy())
    if (this.#off || this.#socket) return void socket.resetAndDestroy()
    this.#socket = socket
    this.note('connected')
    socket.on('data', (bytes) => this.receive(bytes))
    socket.on('close', () => this.#hungUp())
    this.connect({
      write: (bytes) => void socket.write(bytes),
      pause: () => void socket.pause(),
      resume: () => void socket.resume(),
    })
  }

  /** Bytes sent before the disconnect are still printed. */
  #hungUp(): void {
    this.#socket = undefined
    this.note('disconnected')
  }
}

/** @throws Error when the port is in use */
export async function startTcpPrinter(options: TcpPrinterOptions = {}): Promise<TcpPrinter> {
  const printer = new TcpPrinter(options)
  await printer.listen(options.port)
  return printer
}
