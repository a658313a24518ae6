import { chmodSync, cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { bundle } from '../../scripts/bundle.ts'
import { openStore } from '../../src/store/store.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Builds what `programs.ts` names, and an SQLite database with our schema and nothing in it. @returns its folder */
export async function buildPrograms(): Promise<{ dir: string; remove: () => void }> {
  const dir = mkdtempSync(join(tmpdir(), 'fiskd-programs-'))
  // Some tests start them as another user.
  chmodSync(dir, 0o755)
  for (const name of ['node_modules', 'package.json']) symlinkSync(join(ROOT, name), join(dir, name))
  // No link: what is in there looks for `dist/` beside itself.
  cpSync(join(ROOT, 'bin'), join(dir, 'bin'), { recursive: true })
  await bundle(join(dir, 'dist'))
  await build({
    entryPoints: ['simulator/main', 'simulator/printer/main'].map((name) => join(ROOT, 'src', `${name}.ts`)),
    ...{ outdir: join(dir, 'simulator'), outbase: join(ROOT, 'src/simulator') },
    ...{ bundle: true, packages: 'external', format: 'esm', platform: 'node' },
  })
  await (await openStore(join(dir, 'empty.db'), Date.now())).close()
  return { dir, remove: () => rmSync(dir, { recursive: true }) }
}
