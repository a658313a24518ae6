import { execFileSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openScratch } from '../../../scripts/chaos/scratch.ts'
import { ask, type Node, openCluster } from '../../../scripts/chaos-sync/cluster.ts'
import type { SaidCheck } from '../../../src/domain/check.ts'
import { durabilityChecks } from '../../../src/fiscal/doctor/durability-checks.ts'
import { serverMaintenance } from '../../../src/store/postgres/maintenance.ts'
import { openPool } from '../../../src/store/postgres/pool.ts'
import { inEnglish } from '../../support/diagnosis.ts'
import { skipWithoutPostgres } from '../../support/postgres.ts'
import { ownAccount, postgresPrograms } from '../../support/postgres-cluster.ts'

describe.skipIf(skipWithoutPostgres)('the doctor of a server on PostgreSQL', () => {
  const scratch = openScratch(false)
  let node: Node
  beforeAll(async () => {
    node = await openCluster({}, scratch)
  })
  afterAll(() => scratch.close())

  /** What it says in a session that fiskd opens now, by the name of the check. */
  async function diagnose(url = node.url('postgres')): Promise<Record<string, SaidCheck | undefined>> {
    const { db } = openPool(url)
    try {
      const found = await Promise.all(durabilityChecks(serverMaintenance(db, url)).map(({ run }) => run()))
      return Object.fromEntries(inEnglish(found.flat()).map((check) => [check.name, check]))
    } finally {
      await db.destroy()
    }
  }

  /** Until the test ends. */
  async function withSetting(name: string, value: string): Promise<void> {
    const reload = async (statement: string) => {
      await ask(node.url('postgres'), statement)
      await ask(node.url('postgres'), 'SELECT pg_reload_conf()')
    }
    onTestFinished(() => reload(`ALTER SYSTEM RESET ${name}`))
    await reload(`ALTER SYSTEM SET ${name} = '${value}'`)
    await expect.poll(() => ask(node.url('postgres'), `SHOW ${name}`)).toEqual([{ [name]: value }])
  }

  test('finds nothing wrong with the settings that PostgreSQL comes with', async () => {
    expect((await diagnose()).durability).toMatchObject({ status: 'ok' })
  })

  test.each(['fsync', 'full_page_writes'])('finds that %s is off', async (name) => {
    await withSetting(name, 'off')
    expect((await diagnose()).durability).toMatchObject({
      status: 'fail',
      detail: `${name} is off in PostgreSQL: what was answered may be lost with the power`,
      fix: 'set it to on in postgresql.conf',
    })
  })

  test('warns of synchronous_commit that is off by default, though fiskd turns it on for itself', async () => {
    await withSetting('synchronous_commit', 'off')
    expect((await diagnose()).durability).toMatchObject({
      status: 'warn',
      detail: expect.stringContaining('synchronous_commit is off in PostgreSQL'),
      fix: 'set it to on in postgresql.conf',
    })
  })

  test('knows Patroni, which overwrites postgresql.conf', async () => {
    const patroni = ['cluster_name=shop', 'wal_log_hints=on', 'track_commit_timestamp=off']
    const restart = async (given: string[]) => {
      const options = given.map((one) => `--${one}`).join(' ')
      const args = ['restart', '-w', '-D', join(dirname(node.socket), 'data'), '-l', node.log, '-o', options]
      execFileSync(join(postgresPrograms() ?? '', 'pg_ctl'), args, { ...ownAccount(), cwd: '/', stdio: 'ignore' })
    }
    onTestFinished(() => restart([]))
    await restart(patroni)
    await withSetting('fsync', 'off')
    expect(await diagnose()).toMatchObject({
      durability: { status: 'fail', fix: 'set it to on with patronictl edit-config' },
      standby: { status: 'warn', fix: expect.stringMatching(/^turn on synchronous_mode with patronictl edit-config/) },
    })
    // A name alone says nothing of Patroni.
    await restart(patroni.slice(0, 1))
    expect((await diagnose()).standby).toMatchObject({ fix: expect.stringContaining('synchronous_standby_names') })
  })

  test('warns of a primary without a standby that each commit waits for, and says how to get one', async () => {
    expect((await diagnose()).standby).toMatchObject({
      status: 'warn',
      detail: expect.stringContaining('PostgreSQL has no standby'),
      fix: expect.stringContaining('synchronous_standby_names'),
    })

    const standby = await node.standby()
    expect((await diagnose()).standby).toMatchObject({ status: 'ok' })

    await ask(node.url('postgres'), 'CREATE ROLE stranger LOGIN')
    const asStranger = node.url('postgres').replace('fiskd@', 'stranger@')
    expect((await diagnose(asStranger)).standby).toMatchObject({
      status: 'skip',
      fix: expect.stringContaining('pg_read_all_stats'),
    })

    await withSetting('synchronous_commit', 'local')
    expect((await diagnose()).standby).toMatchObject({
      status: 'warn',
      detail: expect.stringContaining('no commit waits for a standby'),
    })
    await ask(node.url('postgres'), 'ALTER SYSTEM RESET synchronous_commit')
    await ask(node.url('postgres'), 'SELECT pg_reload_conf()')

    await standby.crash()
    await expect
      .poll(async () => (await diagnose()).standby)
      .toMatchObject({ status: 'warn', detail: expect.stringContaining('commits wait for it') })
  })
})
