import { execFileSync, spawn } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { runDaemon } from '../../support/daemon-process.ts'
import { fisk } from '../../support/fisk.ts'
import { startGateway } from '../../support/gateway.ts'
import { mayMount, mountExt4 } from '../../support/small-disk.ts'
import { tempDir } from '../../support/temp-dir.ts'
import { skipWithout } from '../../support/tools.ts'

/** From now on the kernel answers these calls of a daemon so. */
async function disturb(pid: number, calls: string, how: string): Promise<void> {
  const strace = spawn('strace', [
    ...['-f', '-p', String(pid), '-o', '/dev/null', '-e', `trace=${calls}`, '-e', `inject=${calls}:${how}`],
  ])
  onTestFinished(() => void strace.kill('SIGKILL'))
  for await (const said of strace.stderr) if (String(said).includes('attached')) return
  throw new Error('strace could not attach')
}

describe.skipIf(skipWithout('strace'))('a card that refuses a flush', () => {
  test('ends the daemon, and the next one sells the same sale once', async () => {
    const gateway = await startGateway()
    const first = await gateway.sell()
    const daemon = await runDaemon(gateway, onTestFinished)
    await disturb(daemon.pid, 'fsync,fdatasync', 'error=EIO')
    const refused = await daemon.post()
    expect(refused).toMatchObject({ status: 500, body: { error: { code: 'internal_error' } } })
    expect(refused.body.error.message).toContain('refuses to write')
    expect(refused.headers['retry-after']).toBe('10')
    expect(await daemon.ended).toEqual([1, null])
    expect(daemon.log.join('\n')).toContain('the disk has refused a write')
    expect(gateway.cis.received).toHaveLength(1)

    await gateway.restart()
    const next = await gateway.sell()
    expect([first.number, next.number]).toEqual(['1', '2'])
  })
})

describe.skipIf(!mayMount())('a card that has become read-only', () => {
  test('is named to every caller by the next start, and sells on once it takes writes', async () => {
    const disk = mountExt4(48)
    onTestFinished(() => disk.close())
    const socket = join(await tempDir(), 'fiskd.sock')
    const gateway = await startGateway({ FISKD_DATA_DIR: disk.path, FISKD_SOCKET: socket, FISKD_DISK_FLOOR_MB: '0' })
    await gateway.sell()
    await gateway.stop()
    execFileSync('mount', ['-o', 'remount,ro', disk.path])
    await gateway.restart()
    const refused = await gateway.post()
    expect(refused).toMatchObject({ status: 500, body: { error: { code: 'internal_error' } } })
    expect(refused.body.error.message).toContain('refuses to write')
    expect((await gateway.v1('/health')).status).toBe(503)
    const status = await fisk(['status'], { socket })
    expect(status).toMatchObject({ code: 1, stdout: expect.stringContaining('refuses to write') })

    execFileSync('mount', ['-o', 'remount,rw', disk.path])
    await gateway.restart()
    expect((await gateway.sell()).number).toBe('2')
  })
})
