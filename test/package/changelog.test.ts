import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { CHANGELOG, newestEntry } from '../../scripts/package/changelog.ts'
import { manifestOf } from '../../scripts/package/modules.ts'
import { skipWithout } from '../support/tools.ts'

test('the changelog says first what is new in the version of package.json', () => {
  expect(newestEntry().version).toBe(manifestOf('.').version)
})

test.skipIf(skipWithout('dpkg-parsechangelog'))('the changelog is written as Debian wants it', () => {
  const fields = ['Version', 'Timestamp'].map((field) =>
    execFileSync('dpkg-parsechangelog', ['--all', '-l', CHANGELOG, '-S', field], { encoding: 'utf8' }).trim(),
  )
  const { version, writtenAt } = newestEntry()
  expect(fields).toEqual([version, String(writtenAt.getTime() / 1000)])
})
