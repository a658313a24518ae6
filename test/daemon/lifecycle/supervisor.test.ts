import { spawn } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import pino from 'pino'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createSupervisor } from '../../../src/daemon/lifecycle/supervisor.ts'
import { runDaemon } from '../../support/daemon-process.ts'
import { startGateway } from '../../support/gateway.ts'
import { tempDir } from '../../support/temp-dir.ts'
import { skipWithout } from '../../support/tools.ts'

/** Listens where systemd would. @returns where, and what was said, field by field */
async function startSystemd(): Promise<{ socket: string; said: string[]; hears(what: string): Promise<void> }> {
  const socket = join(await tempDir(), 'notify')
  const child = spawn('python3', [join(import.meta.dirname, '../../support/systemd.py'), socket])
  onTestFinished(() => void child.kill())
  const said: string[] = []
  createInterface({ input: child.stdout }).on('line', (line) => said.push(line))
  const hears = async (what: string) => {
    while (!said.includes(what)) await setTimeout(10)
  }
  await hears('listening')
  return { socket, said, hears }
}

describe.skipIf(skipWithout('systemd-notify', 'python3'))('systemd', () => {
  test('is told when sales are taken, that the daemon is alive, and that the end has begun', async () => {
    const gateway = await startGateway()
    const systemd = await startSystemd()
    const env = { NOTIFY_SOCKET: systemd.socket, WATCHDOG_USEC: '400000' }
    const daemon = await runDaemon(gateway, onTestFinished, { env })
    await systemd.hears('READY=1')
    const alive = () => systemd.said.filter((line) => line === 'WATCHDOG=1').length
    while (alive() < 3) await setTimeout(10)
    await daemon.stop()
    expect(systemd.said).toContain('STOPPING=1')
    expect(systemd.said.indexOf('READY=1')).toBeLessThan(systemd.said.indexOf('WATCHDOG=1'))
    expect((await daemon.ended)[0]).toBe(0)
  })

  test('is told nothing while the database takes no writes, and starts the daemon anew', async () => {
    const systemd = await startSystemd()
    const supervisor = createSupervisor(
      { ...process.env, NOTIFY_SOCKET: systemd.socket, WATCHDOG_USEC: '20000' },
      pino({ level: 'silent' }),
    )
    let writes = true
    let asked = 0
    supervisor.watch(async () => {
      asked++
      if (!writes) throw new Error('the disk is full')
    })
    onTestFinished(() => supervisor.stopping())
    await systemd.hears('WATCHDOG=1')
    writes = false
    const before = asked
    while (asked < before + 20) await setTimeout(5)
    const heard = systemd.said.length
    while (asked < before + 40) await setTimeout(5)
    expect(systemd.said.length).toBe(heard)
  })

  test('is told again at once what the command could not tell it', async () => {
    const systemd = await startSystemd()
    const dir = await tempDir()
    // The first time it ends before it has said anything, as one that took too long.
    const command = `#!/bin/sh\nPATH=$REAL_PATH\nmkdir "${dir}/tried-$#" 2>/dev/null && kill -TERM $$\nexec systemd-notify "$@"\n`
    writeFileSync(join(dir, 'systemd-notify'), command, { mode: 0o755 })
    const env = { REAL_PATH: process.env.PATH, PATH: dir, NOTIFY_SOCKET: systemd.socket, WATCHDOG_USEC: '60000000' }
    const supervisor = createSupervisor(env, pino({ level: 'silent' }))
    await supervisor.ready()
    expect(systemd.said).toContain('READY=1')
    supervisor.watch(async () => {})
    onTestFinished(() => supervisor.stopping())
    await systemd.hears('WATCHDOG=1')
    expect(readdirSync(dir).sort()).toEqual(['systemd-notify', 'tried-1', 'tried-2'])
  })
})

test('without systemd nobody is asked for a sign of life', async () => {
  const supervisor = createSupervisor({ WATCHDOG_USEC: '1000' }, pino({ level: 'silent' }))
  let asked = 0
  supervisor.watch(async () => void asked++)
  await supervisor.ready()
  await setTimeout(20)
  expect(asked).toBe(0)
})

test('SIGTERM ends the daemon soon though the authority is silent, and what was under way is answered', async () => {
  const gateway = await startGateway()
  const daemon = await runDaemon(gateway, onTestFinished)
  gateway.cis.always('timeout')
  const selling = daemon.post()
  await setTimeout(500)
  const asked = performance.now()
  daemon.signal('SIGTERM')
  const [{ status, body }, [code]] = await Promise.all([selling, daemon.ended])
  expect(performance.now() - asked).toBeLessThan(60_000)
  expect([status, body.status, code]).toEqual([200, 'retrying', 0])
})

test('an error that nobody handles is logged and ends the daemon, for a fresh one is better than a limping one', async () => {
  const gateway = await startGateway()
  const preload = join(gateway.dataDir, 'preload.mjs')
  writeFileSync(preload, "process.on('SIGWINCH', () => void Promise.reject(new Error('nobody handles this')))")
  const daemon = await runDaemon(gateway, onTestFinished, { preload: [preload] })
  expect((await daemon.post()).status).toBe(200)
  daemon.signal('SIGWINCH')
  expect((await daemon.ended)[0]).toBe(1)
  const fatal = daemon.log.map((line) => JSON.parse(line)).filter(({ level }) => level === 60)
  expect(fatal).toMatchObject([{ err: { message: 'nobody handles this' } }])
  await gateway.restart()
  expect((await gateway.sell()).number).toBe('2')
})
