import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { arch, cpus, freemem, loadavg, release, totalmem, uptime } from 'node:os'
import { type Around, ask, textOf } from '../host/system.ts'
import { installedVersion } from '../installation.ts'
import { environmentFilePath } from '../machine/environment-file.ts'
import type { Collect } from './parts.ts'
import { settingsOfFile, settingsText } from './settings.ts'

/** The end of the log, when it is longer. */
const MOST_LOG_BYTES = 4 * 1024 * 1024
const LOG_LINES = '20000'
/** Every line has it, and it may name its owner. */
const HOSTNAME = /,"hostname":"[^"\\\n]*"/g

const SERVICE = [
  ...['ActiveState', 'SubState', 'Result', 'NRestarts', 'ExecMainStatus', 'ExecMainStartTimestamp', 'UnitFileState'],
  ...[
    'FragmentPath',
    'DropInPaths',
    'User',
    'SupplementaryGroups',
    'MemoryCurrent',
    'WatchdogUSec',
    'EnvironmentFiles',
  ],
]

export async function collectFromMachine(io: Around, collect: Collect): Promise<void> {
  const said = (name: string, program: string, ...args: string[]) =>
    collect.text(name, async () => {
      const { code, stdout, stderr } = await ask(io, program, ...args)
      if (code === null) throw new Error(`${program} cannot be run here`)
      return code === 0 ? stdout : `${stdout}\n(ended with ${code}: ${stderr.trim()})\n`
    })
  await collect.text('versions.txt', versions)
  await collect.text('environment.txt', () => environment(io.env))
  const file = environmentFilePath(io.env)
  await collect.text('fiskd.env', () => (existsSync(file) ? settingsOfFile(readFileSync(file, 'utf8')) : undefined))
  await said('service.txt', 'systemctl', 'show', 'fiskd.service', '--no-pager', `--property=${SERVICE.join()}`)
  await said('backup-timer.txt', 'systemctl', 'list-timers', '--all', '--no-pager', 'fiskd*')
  await collect.text('log.txt', async () => {
    const unit = ['--unit=fiskd.service', `--lines=${LOG_LINES}`, '--output=short-iso-precise', '--no-hostname']
    const { code, stdout, stderr } = await ask(io, 'journalctl', ...unit, '--no-pager', '--quiet')
    if (code !== 0) throw new Error(stderr.trim() || 'journalctl cannot be run here')
    return lastOf(stdout.replace(HOSTNAME, ''))
  })
  await said('disks.txt', 'df', '-PT')
  await collect.text('mounts.txt', () => textOf('/proc/mounts') || undefined)
  await collect.text('memory.txt', () => textOf('/proc/meminfo') || undefined)
  await collect.text('printer-lines.txt', printerLines)
}

function versions(): string {
  const facts = {
    fisk: installedVersion(),
    node: process.version,
    sqlite: process.versions.sqlite ?? 'with better-sqlite3',
    kernel: release(),
    architecture: arch(),
    system: /^PRETTY_NAME="?([^"\n]*)/m.exec(textOf('/etc/os-release'))?.[1] ?? 'unknown',
    model: (textOf('/proc/device-tree/model').replaceAll('\0', '') || cpus()[0]?.model) ?? 'unknown',
    processors: cpus().length,
    memory_mb: `${Math.round(freemem() / 1e6)} of ${Math.round(totalmem() / 1e6)} free`,
    up_s: Math.round(uptime()),
    load: loadavg().map((load) => load.toFixed(2)),
    time: new Date().toISOString(),
  }
  return `${JSON.stringify(facts, null, 2)}\n`
}

/** Of this command: what the service has stands in its own file. */
function environment(env: Around['env']): string {
  const isOurs = (pair: [string, string | undefined]): pair is [string, string] =>
    pair[1] !== undefined && /^(FISKD|RATE_LIMIT|NODE|TZ|LANG|LC_)/.test(pair[0])
  return settingsText(Object.fromEntries(Object.entries(env).filter(isOurs))) || '(no variable of fiskd is set)\n'
}

/** Whole lines. */
function lastOf(log: string): string {
  if (Buffer.byteLength(log) <= MOST_LOG_BYTES) return log
  const end = Buffer.from(log).subarray(-MOST_LOG_BYTES).toString('utf8')
  return `(what is older is left out)\n${end.slice(end.indexOf('\n') + 1)}`
}

/** The names that udev gives to what a printer may be. */
function printerLines(): string {
  const folders = ['/dev/serial/by-id', '/dev/serial/by-path', '/dev/usb', '/dev/fiskd']
  const found = folders.flatMap((folder) =>
    existsSync(folder) ? readdirSync(folder).map((name) => `${folder}/${name}`) : [],
  )
  const lines = found.map((path) => {
    const { mode, uid, gid } = statSync(path)
    return `${path} mode ${(mode & 0o777).toString(8)} owner ${uid}:${gid}`
  })
  return `${lines.join('\n') || 'none'}\n`
}
