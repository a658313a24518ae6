import { existsSync, readdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { attempt } from '../domain/attempt.ts'

/** What an installation has made in its data directory. */
const TRACES = ['fiskd.db', 'vault.key', 'tls']

export const isInstallation = (folder: string) => TRACES.some((name) => existsSync(join(folder, name)))

/** The data directories in a folder, in those above it and in those one below it, or named `data` there; absolute. */
export function installationsNear(): string[] {
  const here = resolve()
  const above: string[] = []
  for (let at = here; at !== dirname(at); at = dirname(at)) above.push(dirname(at))
  const places = [here, ...foldersIn(here), ...above]
  return [...new Set(places.flatMap((place) => [place, join(place, 'data')]))].filter(isInstallation)
}

function foldersIn(folder: string): string[] {
  const entries = attempt(() => readdirSync(folder, { withFileTypes: true }), [])
  return entries.flatMap((entry) => (entry.isFile() ? [] : join(folder, entry.name)))
}
