import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { bundle } from '../bundle.ts'
import { EXTERNALS } from '../externals.ts'
import { ARCHITECTURES, type ArchitectureName, isArchitecture, runtimeOf } from './architectures.ts'
import { controlOf } from './control.ts'
import { closureOf, manifestOf } from './modules.ts'
import { bundledFolders, noticesOf } from './notices.ts'
import { requirementsOf } from './requirements.ts'
import { run } from './run.ts'
import { fetchRuntime } from './runtime.ts'
import { stage } from './stage.ts'

const USAGE = `npm run package [-- --arch amd64,arm64] [--version 1.0.0] [--out packages]

Makes a Debian package per architecture, on any of them: nothing is compiled. The first time it fetches Node from the npm
registry.
`

const { values } = parseArgs({
  options: {
    arch: { type: 'string' },
    version: { type: 'string' },
    out: { type: 'string' },
    help: { type: 'boolean' },
  },
})

async function main(): Promise<number> {
  const names = (values.arch ?? Object.keys(ARCHITECTURES).join(',')).split(',')
  if (values.help || !names.every(isArchitecture)) {
    process.stderr.write(USAGE)
    return values.help ? 0 : 2
  }
  const out = resolve(values.out ?? 'packages')
  const { inputs } = await bundle()
  const notices = noticesOf([...new Set([...bundledFolders(inputs), ...closureOf(EXTERNALS)])].sort())
  let failed = 0
  for (const name of names) {
    try {
      const file = makePackage(name, values.version ?? manifestOf('.').version, notices, out)
      process.stdout.write(`${name}: ${file}, ${(statSync(file).size / 1024 / 1024).toFixed(1)} MB\n`)
    } catch (error) {
      failed += 1
      process.stderr.write(`${name}: not made: ${(error as Error).message}\n`)
    }
  }
  return failed === 0 ? 0 : 1
}

function makePackage(name: ArchitectureName, version: string, notices: string, out: string): string {
  const cache = join(out, 'cache')
  mkdirSync(cache, { recursive: true })
  const architecture = ARCHITECTURES[name]
  const runtime = fetchRuntime(runtimeOf(architecture), cache)
  const root = mkdtempSync(join(tmpdir(), 'fiskd-package-'))
  try {
    const compiled = stage(root, { architecture, version, runtime, notices: `${noticesOf([runtime])}\n\n${notices}` })
    describe(root, name, version, compiled)
    const file = join(out, `fiskd_${version}_${name}.deb`)
    run('dpkg-deb', ['--root-owner-group', '-Zxz', '--build', root, file])
    return file
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

/** Writes what dpkg reads: the control file, the scripts and which files are the administrator's. */
function describe(root: string, name: ArchitectureName, version: string, compiled: string[]): void {
  const control = controlOf({
    version,
    architecture: name,
    libraries: requirementsOf(compiled),
    installedKilobytes: Number(run('du', ['-sk', root]).split('\t')[0]),
  })
  const folder = join(root, 'DEBIAN')
  mkdirSync(folder)
  writeFileSync(join(folder, 'control'), control)
  writeFileSync(join(folder, 'conffiles'), '/etc/fiskd/fiskd.env\n')
  const scripts = join(import.meta.dirname, 'debian')
  for (const script of readdirSync(scripts)) cpSync(join(scripts, script), join(folder, script))
  run('chmod', ['-R', 'go-w', root])
  run('chmod', ['755', ...readdirSync(scripts).map((script) => join(folder, script))])
}

process.exitCode = await main()
