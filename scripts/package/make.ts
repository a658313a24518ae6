import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ARCHITECTURES, type ArchitectureName, runtimeOf } from './architectures.ts'
import { controlOf } from './control.ts'
import { debianCopyright, type Notice, noticesOf, textOf } from './notices.ts'
import { requirementsOf } from './requirements.ts'
import { run } from './run.ts'
import { fetchRuntime } from './runtime.ts'
import { stage } from './stage.ts'
import { tidy } from './tidy.ts'

/** What dpkg runs. */
const SCRIPTS = ['preinst', 'postinst', 'prerm', 'postrm']

export interface Release {
  version: string
  /** All files bear this time, so that the same sources make the same package. */
  writtenAt: Date
  /** Of everything but Node that is packed along. */
  notices: readonly Notice[]
}

/** Makes the package for one architecture. @returns its file @throws Error that says why not */
export function makePackage(name: ArchitectureName, { version, writtenAt, notices }: Release, out: string): string {
  const cache = join(out, 'cache')
  mkdirSync(cache, { recursive: true })
  const architecture = ARCHITECTURES[name]
  const runtime = fetchRuntime(runtimeOf(architecture), cache)
  const root = mkdtempSync(join(tmpdir(), 'fiskd-package-'))
  try {
    const [ofRuntime] = noticesOf([runtime]) as [Notice]
    const compiled = stage(root, {
      architecture,
      version,
      runtime,
      copyright: debianCopyright(ofRuntime),
      notices: textOf([ofRuntime, ...notices]),
    })
    const installedKilobytes = tidy(root, writtenAt)
    const control = controlOf({ version, architecture: name, libraries: requirementsOf(compiled), installedKilobytes })
    describe(join(root, 'DEBIAN'), control)
    tidy(root, writtenAt)
    const file = join(out, `fiskd_${version}_${name}.deb`)
    const env = { ...process.env, SOURCE_DATE_EPOCH: String(writtenAt.getTime() / 1000) }
    run('dpkg-deb', ['--root-owner-group', '-Zxz', '--build', root, file], { env })
    return file
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

/** Writes what dpkg reads. */
function describe(folder: string, control: string): void {
  mkdirSync(folder)
  writeFileSync(join(folder, 'control'), control)
  for (const script of SCRIPTS) {
    copyFileSync(join(import.meta.dirname, 'debian', script), join(folder, script))
    chmodSync(join(folder, script), 0o755)
  }
}
