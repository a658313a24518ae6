import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { say } from '../chaos/arguments.ts'
import { type Change, changeBuild } from '../chaos/change-build.ts'
import { EXTERNALS } from '../externals.ts'
import { ARCHITECTURES, runtimeOf } from '../package/architectures.ts'
import { closureOf, copyModule } from '../package/modules.ts'
import { run } from '../package/run.ts'
import { fetchRuntime } from '../package/runtime.ts'
import { copyPrebuilt } from '../package/stage.ts'
import { imagesFolder } from './kept-parts.ts'
import { LATER_RELEASES, REACH_MIGRATIONS } from './later-releases.ts'
import { quickParts } from './quick-parts.ts'

/** A machine that has nothing but Debian's kernel, its C library and fiskd: it is up in seconds. */
export interface QuickGuest {
  kernel: string
  initrd: string
  /** The image of a disk that is only read. */
  root: string
  /** The Debian that it was made of. */
  libraries: string
}

const KIOSK = join(import.meta.dirname, 'guest/kiosk.sh')

/** Where the daemon waits for its environment once its code is read; everything that it does comes after. */
const HOLD = `import { readFileSync, writeSync } from 'node:fs'
globalThis.untilTold = () => {
  writeSync(1, 'THE DAEMON WAITS\\n')
  Object.assign(process.env, JSON.parse(readFileSync('/run/environment', 'utf8')))
  laterReleases(Number(process.env.LATER_RELEASES))
}
${LATER_RELEASES}`
export const HOLD_BACK: Change = [
  /((?:const|var) \w+\s*=\s*)(await main\(\s*process\.argv)/g,
  'globalThis.untilTold?.();$1$2',
]

/**
 * Makes what a machine boots, with a build of the daemon in it. What is Debian's is kept between runs.
 * @param dist the built daemon
 * @param dir where the image goes; what it is made of is removed
 * @throws Error that says what is missing
 */
export async function quickGuest(dist: string, dir: string): Promise<QuickGuest> {
  const parts = await quickParts(say)
  const tree = join(dir, 'root')
  cpSync(join(parts, 'root'), tree, { recursive: true, verbatimSymlinks: true })
  for (const name of ['data', 'proc', 'sys', 'dev', 'tmp', 'run']) mkdirSync(join(tree, name))
  writeFileSync(join(tree, 'etc/hosts'), '127.0.0.1 localhost kiosk\n10.0.2.2 cis.test\n')
  cpSync(KIOSK, join(tree, 'kiosk.sh'))
  const program = join(tree, 'fiskd')
  cpSync(dist, join(program, 'dist'), { recursive: true })
  changeBuild(join(program, 'dist'), [HOLD_BACK, REACH_MIGRATIONS])
  writeFileSync(join(program, 'hold.mjs'), HOLD)
  writeFileSync(join(program, 'package.json'), '{ "name": "fiskd", "type": "module" }')
  for (const folder of closureOf(EXTERNALS)) copyModule(folder, program)
  copyPrebuilt(ARCHITECTURES.amd64, program)
  mkdirSync(join(program, 'bin'))
  cpSync(join(fetchRuntime(runtimeOf(ARCHITECTURES.amd64), imagesFolder()), 'bin/node'), join(program, 'bin/node'))
  const root = join(dir, 'root.img')
  run('mke2fs', ['-q', '-t', 'ext4', '-O', '^has_journal', '-d', tree, root, '700M'])
  rmSync(tree, { recursive: true })
  return {
    kernel: join(parts, 'kernel'),
    initrd: join(parts, 'initrd.gz'),
    root,
    libraries: join(parts, 'root'),
  }
}
