import { existsSync } from 'node:fs'
import type { Both } from '../../domain/texts/both.ts'
import { systemPaths } from '../io.ts'
import { type Around, ask } from './system.ts'

const PROPERTIES = [
  ...['LoadState', 'ActiveState', 'SubState', 'UnitFileState', 'Result', 'ExecMainCode', 'ExecMainStatus', 'NRestarts'],
  ...['Restart', 'WatchdogUSec', 'StartLimitIntervalUSec', 'DropInPaths', 'NeedDaemonReload', 'User'],
  'SupplementaryGroups',
] as const

/** Properties of a unit as systemctl(1) writes them; empty for those that the unit has not. */
export type Unit = Record<(typeof PROPERTIES)[number], string>

/** In the order of the names, `not-found` for one that is not installed; null where systemd does not run or answer. */
export async function showUnits(io: Around, names: readonly string[]): Promise<Unit[] | null> {
  if (!existsSync(systemPaths(io).systemd)) return null
  const args = ['show', '--no-pager', `--property=${PROPERTIES.join(',')}`, ...names]
  const { code, stdout } = await ask(io, 'systemctl', ...args)
  const blocks = stdout.trim().split('\n\n').map(unitOf)
  return code === 0 && blocks.length === names.length ? blocks : null
}

/** What names commands for the unit `fiskd`, for another one. */
export function forUnit({ en, hr }: Both, unit: string): Both {
  const named = (text: string) => text.replace(/(systemctl [a-z -]+|journalctl -u )fiskd\b(?![@-])/g, `$1${unit}`)
  return { en: named(en), hr: named(hr) }
}

function unitOf(block: string): Unit {
  const told = new Map(block.split('\n').map((line) => line.split(/=(.*)/s) as [string, string]))
  return Object.fromEntries(PROPERTIES.map((name) => [name, told.get(name) ?? ''])) as Unit
}
