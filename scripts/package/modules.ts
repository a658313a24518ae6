import { cpSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Manifest {
  name: string
  version: string
  license?: string
  author?: string | { name: string }
  bin?: string | Record<string, string>
  dependencies?: Record<string, string>
}

export const manifestOf = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

/** Dependencies that only install a package, or belong to a command of it that nobody calls. */
const NEVER_LOADED = new Set(['node-addon-api', 'openapi-types', 'yargs'])

/**
 * The folders of packages and of everything that they need at run time.
 * @throws Error when one is missing: run `npm ci`
 */
export function closureOf(names: readonly string[], root = ''): string[] {
  const found = new Set<string>()
  const add = (name: string, from: string) => {
    const folder = folderOf(name, from)
    if (found.has(folder)) return
    found.add(folder)
    for (const needed of Object.keys(manifestOf(folder).dependencies ?? {})) {
      if (!NEVER_LOADED.has(needed)) add(needed, folder)
    }
  }
  for (const name of names) add(name, root)
  return [...found].sort()
}

/** As Node looks for it: in the folder's own `node_modules`, then above. */
function folderOf(name: string, from: string): string {
  for (let above = from; ; above = above.slice(0, Math.max(0, above.lastIndexOf('/node_modules/')))) {
    const folder = join(above, 'node_modules', name)
    if (existsSync(join(folder, 'package.json'))) return folder
    if (above === '') throw new Error(`${name} is not installed: run npm ci`)
  }
}

/** Sources of what is compiled, compiled modules of all architectures, tests, documents and the like: what nobody reads at run time. */
const DEAD =
  /^(deps|tests?|__tests__|docs?|examples?|benchmarks?|prebuilds|build|\.github)(\/|$)|(^|\/)node_modules(\/|$)|(\.(md|markdown|map|[cm]?ts|cc|[ch]pp|h|gyp|yml|tgz)|\.npmignore|\.gitattributes|\.eslintrc.*)$/i

/** Copies a package without its commands and what nobody reads at run time; nested packages are packages of their own. */
export function copyModule(folder: string, to: string): void {
  const { bin = {} } = manifestOf(folder)
  const commands = new Set(Object.values(typeof bin === 'string' ? { bin } : bin).map((path) => join(folder, path)))
  cpSync(folder, join(to, folder), {
    recursive: true,
    dereference: true,
    filter: (path) => path === folder || !(commands.has(path) || DEAD.test(path.slice(folder.length + 1))),
  })
}
