import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../package/run.ts'
import { requireTools } from '../package/tools.ts'
import { fetchBytes, MIRROR, unpackListed } from './debian.ts'
import { makeInitrd } from './initrd.ts'
import { keptFolder } from './kept-parts.ts'
import { KIOSK_BOOT } from './quick-parts.ts'

/**
 * That of Debian 13 and of older ones cannot run programs on processors whose registers take more than 2.7 KB (AMX). The kernel
 * is Debian's own all the same, with its ext4 and f2fs.
 */
const SUITE = 'testing'
const LIST = 'main/binary-amd64/Packages.xz'
const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg'

/**
 * What User-mode Linux is made of, in a folder that is kept: `kernel` and `initrd.gz`.
 * @param busybox a static one
 * @throws Error that says what is missing
 */
export function userModeParts(busybox: string, say: (text: string) => void): Promise<string> {
  const recipe = [KIOSK_BOOT, import.meta.filename].map((file) => readFileSync(file, 'utf8')).join('')
  return keptFolder(`user-mode-${SUITE}`, recipe, async (part) => {
    requireTools(['gpgv', 'dpkg-deb', 'xz', 'cpio'])
    say('fetching User-mode Linux, once')
    const list = join(part, 'Packages')
    writeFileSync(`${list}.xz`, await signedList(part))
    run('xz', ['-d', `${list}.xz`])
    const unpacked = join(part, 'unpacked')
    await unpackListed(list, ['user-mode-linux'], part, unpacked)
    const modules = join(unpacked, 'usr/lib/uml/modules')
    const [version = ''] = readdirSync(modules)
    const init = KIOSK_BOOT
    makeInitrd(
      { busybox, modules: join(modules, version), drivers: ['f2fs', 'nbd'], init },
      part,
      join(part, 'initrd.gz'),
    )
    renameSync(join(unpacked, 'usr/bin/linux.uml'), join(part, 'kernel'))
    run('rm', ['-r', unpacked, list, join(part, 'initrd'), ...debsIn(part)])
  })
}

const debsIn = (part: string) => readdirSync(part).flatMap((name) => (name.endsWith('.deb') ? [join(part, name)] : []))

/** @throws Error when Debian has not signed it */
async function signedList(part: string): Promise<Buffer> {
  const [release, text] = [join(part, 'InRelease'), join(part, 'Release')]
  writeFileSync(release, await fetchBytes(`dists/${SUITE}/InRelease`))
  run('gpgv', ['--quiet', '--keyring', KEYRING, '--output', text, release])
  const [, wanted] = new RegExp(`^ ([0-9a-f]{64}) +\\d+ ${LIST}$`, 'm').exec(readFileSync(text, 'utf8')) ?? []
  run('rm', [release, text])
  const list = await fetchBytes(`dists/${SUITE}/${LIST}`)
  if (createHash('sha256').update(list).digest('hex') !== wanted)
    throw new Error(`${MIRROR}/dists/${SUITE}/${LIST} is not what Debian has signed`)
  return list
}
