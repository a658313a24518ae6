import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Machine } from './console.ts'
import { type MachineOrder, startMachine } from './qemu.ts'

/** The clock of a machine that is held: so long ago that what draws random numbers begins anew when it is set. */
const LONG_AGO_MS = 2 * 86_400_000

/**
 * Boots a machine until it waits, and keeps its memory in a file. Machines that start from there have booted already; they
 * are to have the same disks, and to have read nothing of those that change.
 * @param waits what the machine says when it waits
 */
export async function holdMachine(
  order: MachineOrder,
  waits: readonly string[],
  file: string,
  ms: number,
): Promise<void> {
  const monitor = `${file}.monitor`
  const clock = new Date(Date.now() - LONG_AGO_MS).toISOString().slice(0, 19)
  const extra = [...(order.extra ?? []), '-rtc', `base=${clock}`, '-monitor', `unix:${monitor},server=on,wait=off`]
  const machine = startMachine({ ...order, extra })
  try {
    for (const text of waits) await machine.wait(text, ms)
    const socket = connect(monitor)
    await once(socket, 'connect')
    let said = ''
    socket.on('data', (chunk) => {
      said += chunk
    })
    socket.write(`migrate_set_parameter max-bandwidth 100G\nmigrate "exec:cat > ${file}"\ninfo migrate\n`)
    for (let i = 0; i < 600 && !said.includes('Migration status: completed'); i++) await pause(100)
    socket.destroy()
    if (!said.includes('Migration status: completed'))
      throw new Error(`the machine's memory was not kept: ${said.slice(-500)}`)
  } finally {
    await machine.powerOff()
  }
}

/** Starts a machine where another one of the same order was held. */
export const startHeld = (order: MachineOrder, file: string): Machine =>
  startMachine({ ...order, extra: [...(order.extra ?? []), '-incoming', `exec:cat ${file}`] })
