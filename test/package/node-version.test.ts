import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { inProject } from '../support/stand-in.ts'
import { tempDir } from '../support/temp-dir.ts'

/** Makes a program believe that it runs on a Node whose interface is too old for the driver. */
const ON_OLD_NODE = [
  '--import',
  `data:text/javascript,${encodeURIComponent(
    `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2', napi: '9' } })`,
  )}`,
]
const TOO_OLD = 'fiskd does not run on Node 20.20.2: use 22.14 or newer, best of all 24.\n'

/** An installation whose programs are one script. @returns its `bin/fiskd.js` */
async function install(script: string, { brought = true } = {}): Promise<string> {
  const dir = await tempDir()
  cpSync(inProject('bin'), join(dir, 'bin'), { recursive: true })
  for (const program of ['daemon', 'cli']) {
    mkdirSync(join(dir, 'dist', program), { recursive: true })
    writeFileSync(join(dir, 'dist', program, 'main.js'), script)
  }
  writeFileSync(join(dir, 'package.json'), '{ "type": "module" }')
  const node = join(dir, 'node_modules', `node-linux-${process.arch}`, 'bin/node')
  mkdirSync(dirname(node), { recursive: true })
  if (brought) symlinkSync(process.execPath, node)
  return join(dir, 'bin/fiskd.js')
}

const run = (args: string[]) => spawnSync(process.execPath, args, { encoding: 'utf8', input: 'typed' })

test('on a Node that is new enough a program runs in the process that was started', async () => {
  const fiskd = await install('console.log(process.pid)')
  const { pid, stdout } = run([fiskd])
  expect(Number(stdout)).toBe(pid)
})

test('on a Node that is too old it runs on the one that npm brought along, with the same words, input and end', async () => {
  const fiskd = await install(`
    import { text } from 'node:stream/consumers'
    console.log(process.versions.napi, process.argv.slice(2).join(), await text(process.stdin))
    process.exit(7)`)
  const { status, stdout } = run([...ON_OLD_NODE, fiskd, '--one', 'two'])
  expect([status, stdout]).toEqual([7, `${process.versions.napi} --one,two typed\n`])
})

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  '%s reaches it there, and it may end in its own way',
  async (signal) => {
    const fiskd = await install(`
    process.on('${signal}', () => process.exit(5))
    setInterval(() => {}, 1000)
    console.log('ready')`)
    const child = spawn(process.execPath, [...ON_OLD_NODE, fiskd], { stdio: ['ignore', 'pipe', 'inherit'] })
    await once(child.stdout, 'data')
    child.kill(signal)
    expect(await once(child, 'exit')).toEqual([5, null])
  },
)

test('who asks how it ended is told the signal that killed it', async () => {
  const fiskd = await install(`process.kill(process.pid, 'SIGKILL')`)
  expect(run([...ON_OLD_NODE, fiskd]).signal).toBe('SIGKILL')
})

test('where npm brought none along it does not start, and says which to use', async () => {
  const fiskd = await install('', { brought: false })
  const { status, stderr } = run([...ON_OLD_NODE, fiskd])
  expect([status, stderr]).toEqual([2, TOO_OLD])
})

test('the daemon says so, too, when it is started without `bin/`', () => {
  const { status, stderr } = run([...ON_OLD_NODE, '--import', 'tsx', inProject('src/daemon/main.ts')])
  expect([status, stderr]).toEqual([2, TOO_OLD])
})

test('the engine knows the settings that the daemon gives it', () => {
  const main = readFileSync(inProject('src/daemon/main.ts'), 'utf8')
  const named = [...main.matchAll(/'(--[a-z-]+)[=']/g)].map(([, name]) => String(name).replace('--no-', '--'))
  const settings = [...new Set(named)]
  expect(settings).toHaveLength(6)
  const { stdout } = spawnSync(process.execPath, ['--v8-options'], { encoding: 'utf8' })
  expect(settings.filter((name) => !stdout.includes(`  ${name} (`))).toEqual([])
})
