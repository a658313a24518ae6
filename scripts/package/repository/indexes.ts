import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { ARCHITECTURES } from '../architectures.ts'
import { run } from '../run.ts'
import { publicKeys, sign } from './keys.ts'

const SUITE = 'dists/stable'

/** What apt, and rules of administrators, know the repository by; without Valid-Until (docs/decisions.md). */
const RELEASE = {
  Origin: 'fiskd',
  Label: 'fiskd',
  Suite: 'stable',
  Codename: 'stable',
  Components: 'main',
  Architectures: Object.keys(ARCHITECTURES).join(' '),
  'Acquire-By-Hash': 'yes',
  Description: 'fiskd, fiscalization of vending machine sales',
}

/** apt takes the strongest; MD5 and SHA-1 are of no use to it. */
const HASHES = ['MD5', 'SHA1', 'SHA512'].flatMap((hash) => ['-o', `APT::FTPArchive::${hash}=false`])

export interface Facts {
  /** Fingerprints. */
  keys: readonly string[]
  /** Where machines reach the repository: `https://...`, or `file:/...`. */
  url: string
}

/**
 * Writes all files of a repository but its packages into a folder.
 * @returns their paths in the order in which they may be put into the repository: whatever has been put so far, apt reads
 * either all of what was there before, or all of what is new. It follows `InRelease`, and from there goes by hashes.
 */
export function writeIndexes(repository: string, folder: string, { keys, url }: Facts): string[] {
  const text = (path: string, content: string | Buffer) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
    return path
  }
  const indexes = Object.keys(ARCHITECTURES).flatMap((name) => {
    const binary = `${SUITE}/main/binary-${name}`
    const packages = run('apt-ftparchive', [...HASHES, '--arch', name, 'packages', 'pool'], { cwd: repository })
    return [
      text(`${binary}/Packages`, packages),
      text(`${binary}/Packages.gz`, gzipSync(packages, { level: 9 })),
      ...[packages, gzipSync(packages, { level: 9 })].map((content) =>
        text(`${binary}/by-hash/SHA256/${createHash('sha256').update(content).digest('hex')}`, content),
      ),
    ]
  })
  const fields = Object.entries(RELEASE).flatMap(([field, value]) => [
    '-o',
    `APT::FTPArchive::Release::${field}=${value}`,
  ])
  const release = text(
    `${SUITE}/Release`,
    run('apt-ftparchive', [...HASHES, ...fields, 'release', join(folder, SUITE)]),
  )
  sign(join(folder, release), join(folder, SUITE, 'InRelease'), keys, '--clearsign')
  sign(join(folder, release), join(folder, `${release}.gpg`), keys, '--detach-sign')
  publicKeys(keys, join(folder, 'fiskd-archive-keyring.gpg'), '--no-armor')
  publicKeys(keys, join(folder, 'fiskd-archive-keyring.asc'), '--armor')
  return [
    'fiskd-archive-keyring.gpg',
    'fiskd-archive-keyring.asc',
    text('fiskd.sources', sourcesOf(url)),
    ...indexes.filter((path) => path.includes('/by-hash/')),
    `${SUITE}/InRelease`,
    // For eyes and old programs.
    ...indexes.filter((path) => !path.includes('/by-hash/')),
    release,
    `${release}.gpg`,
  ]
}

/** What an administrator puts into /etc/apt/sources.list.d (sources.list(5)). */
const sourcesOf = (url: string) => `Types: deb
URIs: ${url}
Suites: ${RELEASE.Suite}
Components: ${RELEASE.Components}
Signed-By: /etc/apt/keyrings/fiskd-archive-keyring.gpg
`
