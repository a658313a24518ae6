import { setTimeout } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ClaimLost, type InvoiceLock } from '../../../src/fiscal/ports/store.ts'
import { type OpenStore, openStore } from '../../../src/store/store.ts'
import { postgresDatabase, query, skipWithoutPostgres } from '../../support/postgres.ts'
import { openShop } from '../../support/shop.ts'

async function opened(url: string) {
  const store = await openStore(url, 1)
  onTestFinished(() => store.close())
  return store
}

async function twoProcesses() {
  const url = await postgresDatabase()
  return { url, one: (await opened(url)).invoiceLock, other: (await opened(url)).invoiceLock }
}

/** Work that ends when it is told to. */
function work() {
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  onTestFinished(end)
  return { run: () => ended, end }
}

/** What another process does with one that was silent for too long. */
const removeAll = (url: string) => query(url, 'DELETE FROM processes')

describe.skipIf(skipWithoutPostgres)('the claims of processes on invoices', () => {
  test('let one process at a time work on an invoice, and different ones on different invoices', async () => {
    const { one, other } = await twoProcesses()
    const first = work()
    const running = one.run('inv_1', first.run)
    await expect.poll(() => other.isHeld('inv_1')).toBe(true)
    expect([await one.isHeld('inv_1'), await other.isHeld('inv_2')]).toEqual([true, false])
    let begun = false
    const waiting = other.run('inv_1', async () => {
      begun = true
    })
    await other.run('inv_2', async () => {})
    await setTimeout(150)
    expect(begun).toBe(false)
    first.end()
    await Promise.all([running, waiting])
    expect(begun).toBe(true)
    await expect.poll(() => one.isHeld('inv_1')).toBe(false)
  })

  test('are given back by work that fails', async () => {
    const { one, other } = await twoProcesses()
    const failing = one.run('inv_1', async () => {
      throw new Error('no answer')
    })
    await expect(failing).rejects.toThrow('no answer')
    expect(await other.run('inv_1', async () => 'sent')).toBe('sent')
  })

  test('are free as soon as their process was removed, which notices before it sends anything', async () => {
    const { url, one, other } = await twoProcesses()
    const held = work()
    const running = one.run('inv_1', async () => {
      await held.run()
      await one.requireHeld('inv_1')
    })
    await expect.poll(() => other.isHeld('inv_1')).toBe(true)
    await one.run('inv_2', () => one.requireHeld('inv_2'))
    await removeAll(url)
    expect(await other.run('inv_1', async () => 'taken')).toBe('taken')
    // The next beat shows it.
    await setTimeout(2500)
    held.end()
    await expect(running).rejects.toBeInstanceOf(ClaimLost)
    expect(await one.run('inv_3', async () => 'sent')).toBe('sent')
  })

  test('that a failure has left over are taken again by the same process', async () => {
    const { url, one, other } = await twoProcesses()
    await one.run('inv_1', () =>
      query(url, `INSERT INTO claims (name, key, process) SELECT name, 'inv_2', process FROM claims`),
    )
    expect([await one.isHeld('inv_2'), await other.isHeld('inv_2')]).toEqual([false, true])
    expect(await one.run('inv_2', async () => 'taken')).toBe('taken')
    expect(await other.isHeld('inv_2')).toBe(false)
  })

  test('go with a process that ends', async () => {
    const url = await postgresDatabase()
    const [one, other] = [await openStore(url, 1), await opened(url)]
    const held = work()
    void one.invoiceLock.run('inv_1', held.run).catch(() => {})
    await expect.poll(() => other.invoiceLock.isHeld('inv_1')).toBe(true)
    await one.close()
    expect(await other.invoiceLock.isHeld('inv_1')).toBe(false)
    expect(await query(url, 'SELECT count(*)::int AS count FROM processes')).toEqual([{ count: 1 }])
  })
})

describe.skipIf(skipWithoutPostgres)('a queue that several processes send', () => {
  test('is shared out: each claims the first ones that nobody holds, until none are left', async () => {
    const url = await postgresDatabase()
    const stores = [await opened(url), await opened(url), await opened(url)]
    const shop = await openShop(stores[0] as OpenStore)
    const waiting: string[] = []
    for (let i = 0; i < 30; i++) waiting.push((await shop.sold({ status: 'retrying', jir: null })).id)
    const final = await shop.sold({})
    const ids = [final.id, ...waiting]
    const [one, other, third] = stores.map((store) => store.invoiceLock) as [InvoiceLock, InvoiceLock, InvoiceLock]
    expect(await one.claim(ids, 4)).toEqual(waiting.slice(0, 4))
    const [second] = await Promise.all([other.claim(ids, 8), third.claim(ids, 8)])
    const rest = await third.claim(ids, 30)
    const all = [...waiting.slice(0, 4), ...second, ...rest]
    expect(all.toSorted()).toEqual(waiting.toSorted())
    expect(await query(url, 'SELECT count(*)::int AS count FROM claims')).toEqual([{ count: 30 }])
    await one.run(waiting[0] as string, () => one.requireHeld(waiting[0] as string))
    expect(await third.claim(ids, 1)).toEqual([waiting[0]])
  })

  test('has nothing that a failure has left over: its process claims it again, once', async () => {
    const url = await postgresDatabase()
    const [store, second] = [await opened(url), await opened(url)]
    const { id } = await (await openShop(store)).sold({ status: 'retrying', jir: null })
    await store.invoiceLock.run('inv_1', () =>
      query(url, `INSERT INTO claims (name, key, process) SELECT name, $1, process FROM claims`, [id]),
    )
    expect(await second.invoiceLock.claim([id], 8)).toEqual([])
    expect(await store.invoiceLock.claim([id], 8)).toEqual([id])
    await store.invoiceLock.run(id, () => store.invoiceLock.requireHeld(id))
    expect(await second.invoiceLock.claim([id], 8)).toEqual([id])
  })
})

describe.skipIf(skipWithoutPostgres)('the row of a process', () => {
  test('replaces that of an earlier start on the same data directory at once', async () => {
    const url = await postgresDatabase()
    const identity = { instance: 'kiosk /var/lib/fiskd 1:2', version: '1.0' }
    const open = async () => {
      const store = await openStore(url, 1, { identity })
      onTestFinished(() => store.close())
    }
    await open()
    const [first] = await query(url, 'SELECT id FROM processes')
    await open()
    const rows = await query(url, 'SELECT * FROM processes')
    expect(rows).toMatchObject([{ instance: identity.instance, version: '1.0', pid: String(process.pid) }])
    expect(rows[0]?.id).not.toBe(first?.id)
  })

  test('is removed by another process once it was silent for eight seconds, and not before', async () => {
    const url = await postgresDatabase()
    const store = await opened(url)
    let removals = 0
    store.ownProcess.onRemoval(() => removals++)
    await query(
      url,
      `INSERT INTO processes (instance, host, pid, version, started_at) VALUES ('silent', 'h', 1, '', 1)`,
    )
    const silent = () => query(url, `SELECT id FROM processes WHERE instance = 'silent'`)
    await setTimeout(7000)
    expect(await silent()).toHaveLength(1)
    await expect.poll(silent, { timeout: 6000 }).toEqual([])
    expect(removals).toBe(1)
  })
})
