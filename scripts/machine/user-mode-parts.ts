import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../package/run.ts'
import { requireTools } from '../package/tools.ts'
import { fetchBytes, MIRROR, unpackListed } from './debian.ts'
import { makeInitrd } from './initrd.ts'
import { keepOnly, keptFolder, recipeOf } from './kept-parts.ts'
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
  return keptFolder(`user-mode-${SUITE}`, recipeOf(KIOSK_BOOT, import.meta.filename), async (part) => {
    requireTools(['gpgv', 'dpkg-deb', 'xz', 'cpio'])
    say('fetching User-mode Linux, once')
    const list = join(part, 'Packages')
    writeFileSync(`${list}.xz`, await signedList(part))
    run('xz', ['-d', `${list}.xz`])
    const unpacked = join(part, 'unpacked')
    await unpackListed(list, ['user-mode-linux'], part, unpacked)
    const modules = join(unpacked, 'usr/lib/uml/modules')
    const [version = ''] = readdirSync(modules)
    makeInitrd(
      { busybox, modules: join(modules, version), drivers: ['f2fs', 'nbd'], init: KIOSK_BOOT },
      part,
      join(part, 'initrd.gz'),
    )
    renameSync(join(unpacked, 'usr/bin/linux.uml'), join(part, 'kernel'))
    keepOnly(part, ['kernel', 'initrd.gz'])
  })
}

/** @throws Error when Debian has not signed it */
async function signedList(part: string): Promise<Buffer> {
  const [release, text] = [join(part, 'InRelease'), join(part, 'Release')]
  writeFileSync(release, await fetchBytes(`dists/${SUITE}/InRelease`))
  run('gpgv', ['--quiet', '--keyring', KEYRING, '--output', text, release])
  const [, wanted] = new RegExp(`^ ([0-9a-f]{64}) +\\d+ ${LIST}$`, 'm').exec(readFileSync(text, 'utf8')) ?? []
  const list = await fetchBytes(`dists/${SUITE}/${LIST}`)
  if (createHash('sha256').update(list).digest('hex') !== wanted)
    throw new Error(`${MIRROR}/dists/${SUITE}/${LIST} is not what Debian has signed`)
  return list
}
