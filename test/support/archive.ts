import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { tempDir } from './temp-dir.ts'

/** What runs at a maker of packages, with a folder of keys of the test's own. */
export interface Maker {
  /** Makes a key that signs. @returns its fingerprint */
  key(name: string): string
  /** Makes a package that holds one file; the same again is the same file. @returns its path */
  deb(version: string, content?: string): string
}

/** A folder of keys is GNUPGHOME until the test is over. */
export async function createMaker(): Promise<Maker> {
  const dir = await tempDir()
  const before = process.env.GNUPGHOME
  process.env.GNUPGHOME = join(dir, 'keys')
  mkdirSync(process.env.GNUPGHOME, { mode: 0o700 })
  onTestFinished(() => {
    must('gpgconf', ['--kill', 'all'])
    if (before === undefined) delete process.env.GNUPGHOME
    else process.env.GNUPGHOME = before
  })
  return {
    key(name) {
      const made = ['--quick-generate-key', `${name} <${name}@example.com>`, 'ed25519', 'sign', 'never']
      must('gpg', ['--batch', '--quiet', '--passphrase', '', ...made])
      const listed = must('gpg', ['--batch', '--with-colons', '--list-secret-keys', name])
      return /^fpr:+([0-9A-F]+):/m.exec(listed)?.[1] ?? ''
    },
    deb(version, content = version) {
      const out = join(dir, `${version}-${content}`)
      const root = join(out, 'root')
      const file = join(out, `fiskd_${version}_amd64.deb`)
      mkdirSync(join(root, 'DEBIAN'), { recursive: true })
      writeFileSync(join(root, 'DEBIAN/control'), controlOf(version))
      writeFileSync(join(root, 'content'), content)
      if (!existsSync(file)) must('dpkg-deb', ['--root-owner-group', '-Znone', '--build', root, file])
      return file
    },
  }
}

const controlOf = (version: string) => `Package: fiskd
Version: ${version}
Architecture: amd64
Maintainer: The fiskd project <fiskd@localhost>
Description: nothing much
`

/** A machine with the apt of this one, but sources, lists and state of its own; no root needed. */
export interface AptMachine {
  /** Reads the repository anew. @returns what apt said */
  update(): string
  /** The versions of fiskd that may be installed, newest first. */
  versions(): string[]
  /** Downloads a package as an installation would. @returns its file */
  download(version: string): string
}

/** @param repository where its files `fiskd.sources` and `fiskd-archive-keyring.gpg` are followed */
export async function createAptMachine(repository: string): Promise<AptMachine> {
  const dir = await tempDir()
  for (const folder of ['etc/sources.list.d', 'state/lists/partial', 'cache/archives/partial', 'downloaded']) {
    mkdirSync(join(dir, folder), { recursive: true })
  }
  for (const empty of ['state/status', 'apt.conf']) writeFileSync(join(dir, empty), '')
  writeFileSync(
    join(dir, 'etc/sources.list.d/fiskd.sources'),
    `Types: deb\nURIs: file:${repository}\nSuites: stable\nComponents: main\nSigned-By: ${repository}/fiskd-archive-keyring.gpg\n`,
  )
  const settings = {
    'Dir::Etc': join(dir, 'etc'),
    'Dir::State': join(dir, 'state'),
    'Dir::State::status': join(dir, 'state/status'),
    'Dir::Cache': join(dir, 'cache'),
    'APT::Architecture': 'amd64',
    'APT::Architectures': 'amd64',
    'APT::Sandbox::User': '',
    'Acquire::Languages': 'none',
  }
  const options = Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`])
  const apt = (program: string, ...args: string[]) => {
    const env = { PATH: process.env.PATH, LC_ALL: 'C', APT_CONFIG: join(dir, 'apt.conf') }
    const { stdout, stderr } = spawnSync(program, [...options, ...args], {
      encoding: 'utf8',
      cwd: join(dir, 'downloaded'),
      env,
    })
    return `${stdout}${stderr}`
  }
  return {
    update: () => apt('apt-get', 'update'),
    versions: () =>
      [...apt('apt-cache', 'madison', 'fiskd').matchAll(/^\s*fiskd \|\s+(\S+)/gm)].map(([, it]) => String(it)),
    download(version) {
      apt('apt-get', 'download', `fiskd=${version}`)
      return join(dir, 'downloaded', `fiskd_${version}_amd64.deb`)
    },
  }
}

function must(program: string, args: string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}: ${stderr}`)
  return stdout
}
