import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { EXTERNALS } from '../../externals.ts'
import { closureOf, copyModule } from '../../package/modules.ts'
import { copyPrebuilt } from '../../package/stage.ts'
import type { Bench } from '../bench.ts'

/** Packages smaller than this are told together. */
const WORTH_A_LINE = 1024 * 1024

/** What the Debian package installs of ours, laid out as it does it, for the architecture of this machine. */
export async function size({ figures, scratch, dist }: Bench): Promise<void> {
  const root = join(scratch.dir, 'installed')
  for (const folder of closureOf(EXTERNALS)) copyModule(folder, root)
  copyPrebuilt(process.arch, root)
  const parts = new Map<string, number>([['bin', bytesOf('bin')]])
  for (const part of readdirSync(dist)) parts.set(`dist/${part}`, bytesOf(join(dist, part)))
  let others = 0
  for (const folder of packagesOf(join(root, 'node_modules'))) {
    const bytes = bytesOf(join(root, 'node_modules', folder))
    if (bytes >= WORTH_A_LINE) parts.set(`node_modules/${folder}`, bytes)
    else others += bytes
  }
  parts.set('other packages', others)
  const whole = [...parts.values()].reduce((sum, bytes) => sum + bytes, 0)
  for (const [part, bytes] of parts) figures.add(part, 'MB', bytes / 2 ** 20)
  figures.add('all of it', 'MB', whole / 2 ** 20)
  figures.add('Node itself', 'MB', statSync(process.execPath).size / 2 ** 20)
}

function packagesOf(modules: string): string[] {
  return readdirSync(modules).flatMap((name) =>
    name.startsWith('@') ? readdirSync(join(modules, name)).map((inner) => `${name}/${inner}`) : [name],
  )
}

function bytesOf(path: string): number {
  const found = statSync(path)
  if (!found.isDirectory()) return found.size
  return readdirSync(path).reduce((sum, name) => sum + bytesOf(join(path, name)), 0)
}
