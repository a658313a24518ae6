import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { EXTERNALS } from '../externals.ts'
import type { NodeArchitecture } from './architectures.ts'
import { CHANGELOG } from './changelog.ts'
import { closureOf, copyModule, manifestOf } from './modules.ts'
import { run } from './run.ts'

const PROGRAM = 'usr/lib/fiskd'
const DRIVERS = 'node_modules/better-sqlite3/prebuilds'

/** Where the files of `systemd/` belong; the rest of them are scripts. */
const PLACES: [RegExp, string][] = [
  [/^[^/]+\.(service|timer)$/, 'usr/lib/systemd/system'],
  [/^sysusers\.d\//, 'usr/lib/sysusers.d'],
  [/^tmpfiles\.d\//, 'usr/lib/tmpfiles.d'],
  [/^udev\//, 'usr/lib/udev/rules.d'],
  [/^monitoring\//, 'usr/share/fiskd/monitoring'],
]

/** What building the samples leaves beside them (`examples/.gitignore`). */
const BUILT = /^\.gitignore$|^c\/vending$|^typescript\/(fiskd\.d\.ts|node_modules|openapi\.json|package-lock\.json)/

export interface Parts {
  version: string
  architecture: NodeArchitecture
  /** Folder with `bin/node`. */
  runtime: string
  /** Who holds the rights in what, as Debian wants it. */
  copyright: string
  /** Notices of everything that is packed along. */
  notices: string
}

/** Lays out what the package installs. @returns the compiled files, as they lie in `root` */
export function stage(root: string, { architecture, version, runtime, copyright, notices }: Parts): string[] {
  const put = (path: string, content: string | Buffer, mode = 0o644) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
    chmodSync(join(root, path), mode)
  }
  const program = join(root, PROGRAM)
  const { name } = manifestOf('.')
  cpSync('dist', join(program, 'dist'), { recursive: true })
  for (const file of readdirSync('bin')) put(`${PROGRAM}/bin/${file}`, readFileSync(join('bin', file)))
  put(`${PROGRAM}/package.json`, `${JSON.stringify({ name, version, type: 'module' }, null, 2)}\n`)
  for (const folder of closureOf(EXTERNALS)) copyModule(folder, program)
  put(`${PROGRAM}/bin/node`, readFileSync(join(runtime, 'bin/node')), 0o755)
  const compiled = [...copyPrebuilt(architecture, program), join(program, 'bin/node')]
  for (const [path, name] of [
    ['usr/bin/fisk', 'fisk'],
    ['usr/sbin/fiskd', 'fiskd'],
  ] as const) {
    put(path, launcherOf(name), 0o755)
  }
  for (const file of filesBelow('systemd')) {
    const place = PLACES.find(([pattern]) => pattern.test(file))
    const target = place ? join(place[1], file.slice(file.lastIndexOf('/') + 1)) : join(PROGRAM, 'systemd', file)
    put(target, readFileSync(join('systemd', file)), place ? 0o644 : modeOf(join('systemd', file)))
  }
  for (const page of readdirSync('man')) {
    const text = gzipSync(readFileSync(join('man', page)), { level: 9 })
    put(`usr/share/man/man${page.at(-1)}/${page}.gz`, text)
  }
  put('usr/share/bash-completion/completions/fisk', run(process.execPath, ['bin/fisk.js', 'completion', 'bash']))
  put('usr/share/doc/fiskd/copyright', copyright)
  put('usr/share/doc/fiskd/third-party-notices.gz', gzipSync(notices, { level: 9 }))
  put('usr/share/doc/fiskd/changelog.gz', gzipSync(readFileSync(CHANGELOG), { level: 9 }))
  const documents = readdirSync('docs').filter((file) => file.endsWith('.md'))
  for (const file of ['README.md', 'SECURITY.md', ...documents.map((name) => `docs/${name}`)]) {
    put(`usr/share/doc/fiskd/${file}`, readFileSync(file))
  }
  for (const file of filesBelow('examples').filter((path) => !BUILT.test(path))) {
    put(`usr/share/doc/fiskd/examples/${file}`, readFileSync(join('examples', file)), modeOf(join('examples', file)))
  }
  return compiled
}

/** A power cut in an upgrade may leave only the program before (postinst). */
function launcherOf(name: string): string {
  return `#!/bin/sh
program=/${PROGRAM}
[ -d "$program" ] || program=/${PROGRAM}.previous
exec "$program/bin/node" "$program/bin/${name}.js" "$@"
`
}

/** Copies the compiled modules of one architecture, out of packages that hold those of all. @returns where they lie */
export function copyPrebuilt(architecture: string, program: string): string[] {
  const serial = `node_modules/@serialport/bindings-cpp/prebuilds/linux-${architecture}`
  const modules = readdirSync(serial).filter((file) => file.includes('glibc'))
  return [`${DRIVERS}/linux-${architecture}.node`, ...modules.map((file) => join(serial, file))].map((module) => {
    cpSync(module, join(program, module))
    return join(program, module)
  })
}

const modeOf = (file: string) => statSync(file).mode & 0o755

function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    statSync(join(folder, file)).isFile(),
  )
}
