import { setTimeout } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { LOCK_HOLDER, openLocks } from '../../../src/store/postgres/locks.ts'
import { postgresDatabase, query, skipWithoutPostgres } from '../../support/postgres.ts'

/** The locks of two processes on a database, and what the first one was told of losing them. */
async function twoProcesses() {
  const url = await postgresDatabase()
  const told: string[] = []
  const times = { pollMs: 5, beatMs: 20, silenceMs: 200 }
  const open = async (onLost: (problem: string) => void) => {
    const locks = await openLocks(url, onLost, times)
    onTestFinished(() => locks.close())
    return locks
  }
  const [one, other] = [await open((problem) => told.push(problem)), await open(() => {})]
  return { url, told, one, other }
}

/** Work that ends when it is told to. */
function work() {
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  return { run: () => ended, end }
}

describe.skipIf(skipWithoutPostgres)('the locks of processes on one database', () => {
  test('let one work at a time per key, and different keys and kinds at once', async () => {
    const { one, other } = await twoProcesses()
    const [here, there] = [one.named('invoice'), other.named('invoice')]
    const first = work()
    const running = here.run('inv_1', first.run)
    await expect.poll(() => there.isHeld('inv_1')).toBe(true)
    expect([await here.isHeld('inv_1'), await there.isHeld('inv_2'), await other.named('key').isHeld('inv_1')]).toEqual(
      [true, false, false],
    )
    let begun = false
    const waiting = there.run('inv_1', async () => {
      begun = true
    })
    await there.run('inv_2', async () => {})
    await setTimeout(60)
    expect(begun).toBe(false)
    first.end()
    await Promise.all([running, waiting])
    expect(begun).toBe(true)
    await expect.poll(() => here.isHeld('inv_1')).toBe(false)
  })

  test('are given back by work that fails', async () => {
    const { one, other } = await twoProcesses()
    const failing = one.named('invoice').run('inv_1', async () => {
      throw new Error('no answer')
    })
    await expect(failing).rejects.toThrow('no answer')
    expect(await other.named('invoice').run('inv_1', async () => 'sent')).toBe('sent')
  })

  test('are free as soon as their process is gone, which is told, and takes no others', async () => {
    const { url, told, one, other } = await twoProcesses()
    const held = work()
    onTestFinished(held.end)
    void one.named('invoice').run('inv_1', held.run)
    await expect.poll(() => other.named('invoice').isHeld('inv_1')).toBe(true)
    const [holder] = await query<{ pid: number }>(
      url,
      `SELECT pid FROM pg_locks JOIN pg_stat_activity USING (pid)
       WHERE locktype = 'advisory' AND application_name = $1 AND datname = current_database()`,
      [LOCK_HOLDER],
    )
    await query(url, 'SELECT pg_terminate_backend($1)', [holder?.pid])
    expect(await other.named('invoice').run('inv_1', async () => 'taken')).toBe('taken')
    await expect.poll(() => told).toEqual([expect.stringContaining('the connection that holds the locks')])
    await expect(one.named('invoice').run('inv_2', async () => 'sent')).rejects.toThrow('are lost')
  })

  test('are lost, too, when the server does not answer any more', async () => {
    const { url, told } = await twoProcesses()
    // Like a line that was cut: nobody says goodbye.
    const [holder] = await query<{ pid: number }>(
      url,
      `SELECT pid FROM pg_stat_activity WHERE application_name = $1 AND datname = current_database()
       ORDER BY backend_start LIMIT 1`,
      [LOCK_HOLDER],
    )
    process.kill(holder?.pid ?? 0, 'SIGSTOP')
    onTestFinished(() => void process.kill(holder?.pid ?? 0, 'SIGCONT'))
    await expect.poll(() => told).toEqual([expect.stringContaining('it does not answer')])
    process.kill(holder?.pid ?? 0, 'SIGCONT')
  })
})
