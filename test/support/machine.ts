import { join } from 'node:path'
import type { Machine } from '../../src/daemon/host/machine.ts'

/** What `/proc`, `/sys` and `/etc` tell on a healthy Raspberry Pi, whatever machine the tests run on. */
const PI = join(import.meta.dirname, 'machine')

/** A machine whose disk is ext4 and fast, with nobody watching over the process; what is given replaces that. */
export function healthyMachine(changes: Partial<Machine> = {}): Machine {
  return { proc: join(PI, 'proc'), root: PI, env: {}, slowWriteMs: 60_000, ...changes }
}
