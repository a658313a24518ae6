import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { markdownFiles } from '../support/documents.ts'
import { startEmptyGateway } from '../support/gateway.ts'
import { tempDir } from '../support/temp-dir.ts'
import { skipWithout } from '../support/tools.ts'

const run = promisify(execFile)
const page = markdownFiles().find(({ path }) => path === 'docs/pinning.md')
const OPENSSL = /^openssl (x509|s_client)/

test.skipIf(skipWithout('curl') || skipWithout('openssl'))(
  'the commands of the page on pinning bring the CA to a board, and it is the one that fisk status shows',
  async () => {
    const gateway = await startEmptyGateway()
    const board = await tempDir()
    const said: string[] = []
    for (const command of page?.commands ?? []) {
      const { stdout, stderr } = await run(
        'sh',
        ['-ec', command.replaceAll('MACHINE:8443', new URL(gateway.url).host)],
        {
          cwd: board,
        },
      )
      if (OPENSSL.test(command)) said.push(stdout + stderr)
    }
    const pinned = readFileSync(join(board, 'ca.pem'), 'utf8')
    expect(pinned).toBe(readFileSync(join(gateway.dataDir, 'tls/ca.pem'), 'utf8'))
    const { ca } = (await gateway.admin<{ ca: { sha256: string } }>('/admin/status')).body
    expect(said).toHaveLength(2)
    expect(said[0]).toMatch(/^sha256 Fingerprint=/i)
    expect(said[0]?.trim().split('=')[1]).toBe(ca.sha256)
    expect(said[1]).toContain('Verification: OK')

    // A board that has the CA of another machine is told so.
    const other = await startEmptyGateway()
    writeFileSync(join(board, 'ca.pem'), readFileSync(join(other.dataDir, 'tls/ca.pem')))
    const tries = (page?.commands ?? []).filter((command) => command.includes('ca.pem') && !/-k|x509/.test(command))
    expect(tries).toHaveLength(2)
    for (const command of tries) {
      const shell = command.replaceAll('MACHINE:8443', new URL(gateway.url).host)
      await expect(run('sh', ['-ec', shell], { cwd: board })).rejects.toThrow()
    }
  },
)
