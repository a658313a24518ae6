import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Scratch } from './scratch.ts'

const LISTENER = fileURLToPath(new URL('../../test/support/systemd.py', import.meta.url))

/**
 * Listens where systemd would, in a process of its own.
 * @param hear called with each field that the daemon sends, such as `WATCHDOG=1`
 * @returns the path for `NOTIFY_SOCKET`
 */
export async function listenForService(
  scratch: Scratch,
  hear: (field: string) => void,
  name = 'notify',
): Promise<string> {
  const socket = join(scratch.dir, name)
  const listener = spawn('python3', [LISTENER, socket], {
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  scratch.atTheEnd(() => void listener.kill('SIGKILL'))
  await new Promise<void>((listening, failed) => {
    listener.once('error', failed)
    createInterface({ input: listener.stdout }).on('line', (line) => (line === 'listening' ? listening() : hear(line)))
  })
  return socket
}
