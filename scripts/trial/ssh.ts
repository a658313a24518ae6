import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import type { Root } from './root.ts'

interface SshOrder {
  /** The private key. */
  key: string
  knownHosts: string
  /** Of loopback. */
  port: number
  /** A path for the socket of the connection. */
  socket: string
}

/** A technician's way into a machine: one connection for all commands, for its handshake is dear. */
export interface Ssh {
  /** @returns whether it is connected */
  open(): Promise<boolean>
  enter: Root['enter']
  close(): void
}

export function connect({ key, knownHosts, port, socket }: SshOrder): Ssh {
  const options = [
    ...['-F', 'none', '-S', socket, '-p', String(port), '-i', key, '-c', 'aes128-gcm@openssh.com'],
    ...['BatchMode=yes', 'HostKeyAlias=kiosk', 'StrictHostKeyChecking=yes', `UserKnownHostsFile=${knownHosts}`].flatMap(
      (option) => ['-o', option],
    ),
    ...['-o', 'ConnectTimeout=60', '-o', 'LogLevel=ERROR', 'root@127.0.0.1'],
  ]
  let master: ChildProcess | undefined
  return {
    async open() {
      if (master === undefined || master.exitCode !== null || master.signalCode !== null) {
        master = spawn('ssh', ['-M', '-N', ...options], { stdio: 'ignore' })
      }
      return spawnSync('ssh', ['-O', 'check', ...options], { stdio: 'ignore' }).status === 0
    },
    // ssh hands one line to the shell of the machine.
    enter: (argv) => ['ssh', ...options, argv.map(quoted).join(' ')],
    close() {
      master?.kill('SIGKILL')
      master = undefined
      // One that is left would keep the next connection from being shared.
      rmSync(socket, { force: true })
    },
  }
}

const quoted = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`
