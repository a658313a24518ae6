import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { inProject } from '../support/stand-in.ts'
import { skipWithout } from '../support/tools.ts'

test.skipIf(skipWithout('shellcheck')).each(['initrd-init.sh', 'second-stage.sh'])(
  'shellcheck has nothing to say about %s, which a machine runs as root',
  (name) => {
    const file = inProject(`scripts/machine/guest/${name}`)
    expect(execFileSync('shellcheck', [file], { encoding: 'utf8' })).toBe('')
  },
)
