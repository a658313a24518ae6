import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { skipWithout } from '../support/tools.ts'

const DEBIAN = join(import.meta.dirname, '../../scripts/package/debian')
const SYSTEMD = join(import.meta.dirname, '../../systemd')

const scripts = [DEBIAN, SYSTEMD]
  .flatMap((folder) => readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile()))
  .map(({ parentPath, name }) => join(parentPath, name))
  .filter((path) => readFileSync(path, 'utf8').startsWith('#!/bin/sh'))

test.skipIf(skipWithout('shellcheck'))('every script that root runs is free of what shellcheck warns of', () => {
  expect(scripts.length).toBeGreaterThanOrEqual(6)
  expect(() => execFileSync('shellcheck', ['--severity=warning', ...scripts])).not.toThrow()
})

test.each(['preinst', 'postinst', 'prerm', 'postrm'])('%s does nothing for a word that it does not know', (name) => {
  const said = execFileSync('/bin/sh', [join(DEBIAN, name), 'no-such-word'], { encoding: 'utf8' })
  expect(said).toBe('')
})
