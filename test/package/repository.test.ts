import { spawnSync } from 'node:child_process'
import { appendFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { writeIndexes } from '../../scripts/package/repository/indexes.ts'
import { signingKeys } from '../../scripts/package/repository/keys.ts'
import { addToPool } from '../../scripts/package/repository/pool.ts'
import { publish } from '../../scripts/package/repository/publish.ts'
import { put } from '../../scripts/package/repository/put.ts'
import { createAptMachine, createMaker } from '../support/archive.ts'
import { tempDir } from '../support/temp-dir.ts'
import { skipWithout } from '../support/tools.ts'

const STABLE = 'dists/stable'
/** What apt says, whichever program verifies for it. */
const NOT_BELIEVED = /^[EW]: .*(GPG error|OpenPGP signature verification failed|Hash Sum mismatch|unexpected size)/m
const TOOLS = ['apt-get', 'apt-ftparchive', 'dpkg-deb', 'gpg', 'gpgv']

/** A repository with two versions. */
async function published() {
  const maker = await createMaker()
  const keys = [maker.key('archive')]
  const repository = await tempDir()
  publish(repository, { debs: [maker.deb('1.0.0')], keys })
  publish(repository, { debs: [maker.deb('1.1.0')], keys })
  return { maker, keys, repository, machine: await createAptMachine(repository) }
}

const signatureOf = (repository: string, ...files: string[]) =>
  spawnSync(
    'gpgv',
    [
      '--keyring',
      join(repository, 'fiskd-archive-keyring.gpg'),
      ...files.map((file) => join(repository, STABLE, file)),
    ],
    { encoding: 'utf8' },
  )

describe.skipIf(skipWithout(...TOOLS))('a repository', () => {
  test('gives apt every version that was ever put into it, the newest first, each as it was made', async () => {
    const { machine, maker } = await published()
    expect(machine.update()).not.toMatch(/^[EW]:/m)
    expect(machine.versions()).toEqual(['1.1.0', '1.0.0'])
    expect(readFileSync(machine.download('1.0.0'))).toEqual(readFileSync(maker.deb('1.0.0')))
  })

  test('is signed so that gpgv verifies it, within its text and beside it', async () => {
    const { repository } = await published()
    expect(signatureOf(repository, 'InRelease')).toMatchObject({ status: 0 })
    expect(signatureOf(repository, 'Release.gpg', 'Release')).toMatchObject({ status: 0 })
    const release = readFileSync(join(repository, STABLE, 'Release'), 'utf8')
    expect(release).toMatch(/^Origin: fiskd$/m)
    expect(release).toMatch(/^Acquire-By-Hash: yes$/m)
    expect(release).not.toMatch(/^Valid-Until:/m)
  })

  test.each([
    [
      'InRelease',
      (file: string) => writeFileSync(file, readFileSync(file, 'utf8').replace('Label: fiskd', 'Label: other')),
    ],
    ['main/binary-amd64', (folder: string) => appendToAll(folder, 'Package: other\n')],
  ])('is refused by apt when its %s was changed', async (path, change) => {
    const { machine, repository } = await published()
    change(join(repository, STABLE, path))
    expect(machine.update()).toMatch(NOT_BELIEVED)
    expect(machine.versions()).toEqual([])
  })

  test('is refused by apt when another key has signed it, and what was there before stays in force', async () => {
    const { machine, maker, repository } = await published()
    machine.update()
    const keyring = readFileSync(join(repository, 'fiskd-archive-keyring.gpg'))
    publish(repository, { debs: [maker.deb('1.2.0')], keys: [maker.key('stranger')] })
    writeFileSync(join(repository, 'fiskd-archive-keyring.gpg'), keyring)
    expect(machine.update()).toMatch(NOT_BELIEVED)
    expect(machine.versions()).toEqual(['1.1.0', '1.0.0'])
  })

  test('takes no package again under the same version with other content, and stays as it was', async () => {
    const { keys, machine, maker, repository } = await published()
    const again = { debs: [maker.deb('1.2.0'), maker.deb('1.1.0', 'other')], keys }
    expect(() => publish(repository, again)).toThrow('is there already, with other content')
    expect(readdirSync(join(repository, 'pool/main/f/fiskd'))).toEqual([
      'fiskd_1.0.0_amd64.deb',
      'fiskd_1.1.0_amd64.deb',
    ])
    publish(repository, { debs: [maker.deb('1.1.0')], keys })
    machine.update()
    expect(machine.versions()).toEqual(['1.1.0', '1.0.0'])
  })

  test('is, wherever the making of a new version is cut off, what it was or what it becomes', async () => {
    const { keys, machine, maker, repository } = await published()
    const made = await tempDir()
    addToPool(repository, [maker.deb('1.2.0')])
    const seen = [...writeIndexes(repository, made, { keys, url: `file:${repository}` })].map((path) => {
      put(join(made, path), join(repository, path))
      expect(machine.update()).not.toMatch(/^[EW]:/m)
      return machine.versions().join()
    })
    expect([...new Set(seen)]).toEqual(['1.1.0,1.0.0', '1.2.0,1.1.0,1.0.0'])
  })

  test('says where machines reach it, also after a version that was added without saying so', async () => {
    const { keys, maker, repository } = await published()
    const sources = () => readFileSync(join(repository, 'fiskd.sources'), 'utf8')
    expect(sources()).toContain(`URIs: file:${repository}\n`)
    publish(repository, { debs: [], keys, url: 'https://packages.example.com/fiskd' })
    publish(repository, { debs: [maker.deb('1.2.0')], keys })
    expect(sources()).toContain('URIs: https://packages.example.com/fiskd\n')
  })

  test('is believed by old machines and new ones while a new key takes the place of an old one', async () => {
    const { keys, machine, maker, repository } = await published()
    const old = readFileSync(join(repository, 'fiskd-archive-keyring.gpg'))
    publish(repository, { debs: [maker.deb('1.2.0')], keys: [...keys, maker.key('next')] })
    writeFileSync(join(repository, 'fiskd-archive-keyring.gpg'), old)
    machine.update()
    expect(machine.versions()[0]).toBe('1.2.0')
  })

  test('is not made without a key: who makes it is told how to make one', async () => {
    const maker = await createMaker()
    expect(() => signingKeys(undefined)).toThrow('gpg --quick-generate-key')
    expect(() => signingKeys('nobody')).toThrow('gpg has no secret key nobody')
    const fingerprint = maker.key('archive')
    expect(signingKeys('archive')).toEqual([fingerprint])
    maker.key('archive-too')
    expect(() => signingKeys('archive')).toThrow('2 secret keys are called archive')
  })
})

function appendToAll(folder: string, text: string): void {
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (/Packages$|SHA256\//.test(path)) appendFileSync(join(folder, path), text)
    else if (/Packages.gz$/.test(path)) rmSync(join(folder, path))
  }
}
