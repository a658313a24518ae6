import { createHash } from 'node:crypto'
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../package/run.ts'
import { requireTools } from '../package/tools.ts'
import { fetchBytes, MIRROR, unpackDebian, unpackListed, unpackPackages } from './debian.ts'
import { makeInitrd } from './initrd.ts'
import { keepOnly, keptFolder, recipeOf } from './kept-parts.ts'

const SUITE = 'trixie'
/**
 * User-mode Linux of Debian 13 and of older ones cannot run programs on processors whose registers take more than 2.7 KB (AMX).
 * The kernel is Debian's own all the same, with its ext4 and f2fs.
 */
const KERNEL_SUITE = 'testing'
const LIST = 'main/binary-amd64/Packages.xz'
const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg'
const KIOSK_BOOT = join(import.meta.dirname, 'guest/kiosk-boot.sh')

/**
 * What a quick machine is made of, in a folder that is kept: `kernel`, `initrd.gz`, and in `root` the libraries of Node.
 * @throws Error that says what is missing
 */
export function quickParts(say: (text: string) => void): Promise<string> {
  return keptFolder(`quick-${SUITE}`, recipeOf(KIOSK_BOOT, import.meta.filename), async (part) => {
    requireTools(['debootstrap', 'dpkg-deb', 'gpgv', 'xz', 'cpio', 'mke2fs'])
    say("unpacking User-mode Linux and Debian's C library, once")
    const [debian, extra, kernel] = [join(part, 'debian'), join(part, 'extra'), join(part, 'user-mode')]
    unpackDebian({ arch: 'amd64', suite: SUITE, packages: ['libstdc++6'] }, debian)
    await unpackPackages(debian, ['busybox-static', 'libstdc++6'], part, extra)
    const list = join(part, 'Packages')
    writeFileSync(`${list}.xz`, await signedList(part))
    run('xz', ['-d', `${list}.xz`])
    await unpackListed(list, ['user-mode-linux'], part, kernel)
    const modules = join(kernel, 'usr/lib/uml/modules')
    const [version = ''] = readdirSync(modules)
    makeInitrd(
      {
        busybox: join(extra, 'usr/bin/busybox'),
        modules: join(modules, version),
        drivers: ['f2fs', 'nbd'],
        init: KIOSK_BOOT,
      },
      part,
      join(part, 'initrd.gz'),
    )
    renameSync(join(kernel, 'usr/bin/linux.uml'), join(part, 'kernel'))
    takeLibraries(debian, extra, join(part, 'root'))
    keepOnly(part, ['kernel', 'initrd.gz', 'root'])
  })
}

/** @throws Error when Debian has not signed it */
async function signedList(part: string): Promise<Buffer> {
  const [release, text] = [join(part, 'InRelease'), join(part, 'Release')]
  writeFileSync(release, await fetchBytes(`dists/${KERNEL_SUITE}/InRelease`))
  run('gpgv', ['--quiet', '--keyring', KEYRING, '--output', text, release])
  const [, wanted] = new RegExp(`^ ([0-9a-f]{64}) +\\d+ ${LIST}$`, 'm').exec(readFileSync(text, 'utf8')) ?? []
  const list = await fetchBytes(`dists/${KERNEL_SUITE}/${LIST}`)
  if (createHash('sha256').update(list).digest('hex') !== wanted)
    throw new Error(`${MIRROR}/dists/${KERNEL_SUITE}/${LIST} is not what Debian has signed`)
  return list
}

/** What Node needs of Debian. */
function takeLibraries(debian: string, extra: string, root: string): void {
  mkdirSync(join(root, 'etc'), { recursive: true })
  for (const name of readdirSync(debian).filter((one) => /^lib/.test(one))) {
    cpSync(join(debian, name), join(root, name), { recursive: true, verbatimSymlinks: true })
  }
  for (const from of [debian, extra]) {
    cpSync(join(from, 'usr/lib'), join(root, 'usr/lib'), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => path.endsWith('usr/lib') || /usr\/lib\/([^/]+-linux-[^/]+|ld-)/.test(path),
    })
  }
  if (existsSync(join(debian, 'usr/lib64'))) {
    cpSync(join(debian, 'usr/lib64'), join(root, 'usr/lib64'), { recursive: true, verbatimSymlinks: true })
  }
  chmodSync(root, 0o755)
}
