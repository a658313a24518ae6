import { execFile } from 'node:child_process'
import { symlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import openapiTypescript, { astToString } from 'openapi-typescript'
import ts from 'typescript'
import { beforeAll, expect, test } from 'vitest'
import { atTheEndOfFile } from '../../support/file-end.ts'
import { type Gateway, startSharedGateway } from '../../support/gateway.ts'
import { certificateOf, OIBS } from '../../support/pki.ts'
import { makeTempDir } from '../../support/temp-dir.ts'
import { clientOf } from './support/client.ts'
import { CLIENT_PROGRAM, WRONG_PROGRAM } from './support/client-program.ts'
import { documentOf } from './support/document.ts'

/** A project of its own, with types generated from what a running gateway says of itself. */
let project: string
let gateway: Gateway
let compiled: Compiled
beforeAll(async () => {
  gateway = await startSharedGateway()
  project = await makeTempDir(atTheEndOfFile)
  const document = await documentOf(clientOf(gateway))
  const types = astToString(await openapiTypescript(JSON.stringify(document)))
  await symlink(resolve(import.meta.dirname, '../../../node_modules'), join(project, 'node_modules'))
  await writeFile(join(project, 'package.json'), '{ "type": "module" }')
  await writeFile(join(project, 'api.d.ts'), types)
  await writeFile(join(project, 'client.ts'), CLIENT_PROGRAM)
  await writeFile(join(project, 'wrong.ts'), WRONG_PROGRAM)
  compiled = compile(['client.ts', 'wrong.ts'])
}, 60_000)

interface Compiled {
  /** `line: message` of everything that the compiler objects to, by file. */
  problems: Map<string, { line: number; message: string }[]>
}

/** Type-checks files of the project as strictly as the compiler can, and writes JavaScript beside them. */
function compile(files: string[]): Compiled {
  const program = ts.createProgram({
    rootNames: files.map((file) => join(project, file)),
    options: {
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      strict: true,
      noUncheckedIndexedAccess: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: true,
      types: ['node'],
      typeRoots: [join(project, 'node_modules/@types')],
    },
  })
  const problems = new Map<string, { line: number; message: string }[]>()
  for (const { file, start = 0, messageText } of ts.getPreEmitDiagnostics(program)) {
    const name = file?.fileName.split('/').at(-1) ?? 'the project'
    const line = (file?.getLineAndCharacterOfPosition(start).line ?? -1) + 1
    const message = ts.flattenDiagnosticMessageText(messageText, ' ')
    problems.set(name, [...(problems.get(name) ?? []), { line, message }])
  }
  program.emit()
  return { problems }
}

test('a client that is generated from the document compiles in strict mode', () => {
  expect([...compiled.problems].filter(([file]) => file !== 'wrong.ts')).toEqual([])
})

test('its compiler finds each mistake, and nothing where there is none', () => {
  const lines = WRONG_PROGRAM.split('\n')
  const mistakes = lines.flatMap((line, i) => (line.includes('// mistake:') ? [i + 1] : []))
  const found = compiled.problems.get('wrong.ts') ?? []
  expect([...new Set(found.map(({ line }) => line))].sort((a, b) => a - b)).toEqual(mistakes)
  expect(mistakes).toHaveLength(15)
})

test('it takes a new company to its first JIR over real TLS, and gets a JIR for a sale of an outage', async () => {
  await gateway.cis.goDown()
  const unsent = await gateway.sell({ total: '7.00' })
  await gateway.cis.comeBack()
  expect(unsent.status).toBe('retrying')

  const { p12, passphrase } = await certificateOf(OIBS[1])
  await writeFile(join(project, 'company.p12'), p12)
  const run = promisify(execFile)(process.execPath, ['client.js'], {
    cwd: project,
    timeout: 20_000,
    env: {
      PATH: process.env.PATH,
      NODE_EXTRA_CA_CERTS: join(gateway.dataDir, 'tls', 'ca.pem'),
      BASE_URL: gateway.url,
      API_KEY: await gateway.createKey({
        scopes: ['invoices:write', 'invoices:read', 'fleet:read', 'fleet:write', 'certificates:write'],
      }),
      OIB: OIBS[1],
      P12: join(project, 'company.p12'),
      PASSPHRASE: passphrase,
      UNSENT: unsent.id,
    },
  })
  const { stdout, stderr } = await run
  expect(stderr).toBe('')
  expect(JSON.parse(stdout)).toEqual({
    company: [OIBS[1], 'test', 'missing', true],
    certificate: [OIBS[1], 'valid', 'the first one'],
    device: ['4711', 'assigned', true],
    sold: ['confirmed', '1', '2.50', 'string'],
    messages: [[1, 200]],
    refused: [400, 'validation_error', 'invalid_request', 'total', null],
    list: ['list', 1, false, true, 1],
    shown: [true, true, '1/AUT1/4711'],
    receipt: [true, false],
    retried: [true, 'confirmed', 'string', null],
  })
  expect(gateway.cis.received.map(({ zki }) => zki)).toContain(unsent.zki)
})
