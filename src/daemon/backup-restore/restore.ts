import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createVault } from '../../certificates/vault.ts'
import { loadVaultKey } from '../../certificates/vault-key.ts'
import type { Restored, RestoredSequence } from '../../contract/reports/restored.ts'
import { formatInstant } from '../../domain/instant.ts'
import { audit } from '../../fiscal/access/audit-log.ts'
import { carryNumbersAhead } from '../../fiscal/numbering/numbers-of-older-databases.ts'
import { restoredNumbers } from '../../fiscal/numbering/restored-numbers.ts'
import { statedByServer, withServerNumbers } from '../../fiscal/numbering/server-numbers.ts'
import type { StatedNumber } from '../../fiscal/numbering/stated-number.ts'
import type { Vault } from '../../fiscal/ports/certificates.ts'
import { describePostgresUrl } from '../../store/database-url.ts'
import { UnusableDatabase } from '../../store/shared/damage.ts'
import { type KnownNumbers, missingInvoices, readKnownNumbers } from '../../store/shared/sync/known-numbers.ts'
import { requireOurDatabase } from '../../store/sqlite/backup-file.ts'
import { DEFAULT_TENANT, type OpenStore, openStore } from '../../store/store.ts'
import type { Config } from '../config.ts'
import { operatorOf } from '../http/authenticate.ts'
import { claimDataDir, VAULT_PROOF } from '../lifecycle/data-dir.ts'
import { databasePath, reportPath } from '../lifecycle/open-database.ts'
import {
  closeBackup,
  copyBackup,
  copyPath,
  type OpenBackup,
  openBackup,
  proveCopy,
  removeHalfRestore,
  requireRoomFor,
} from './restore-copy.ts'
import { numberFacts } from './restore-facts.ts'
import { numbersOfServer, requireToldOfAll } from './restore-server.ts'
import { handOver, removeSecondNames, replaceDatabase } from './restore-swap.ts'
import { SUFFIXES, setAsideBefore } from './set-aside.ts'

export interface RestoreOrder {
  file: string
  /** The file as the caller has opened it; null: it is opened here. */
  opened: OpenBackup | null
  stated: StatedNumber[]
  gap: bigint | null
  /** Ask the central server of the backup for the numbers that it has seen. */
  askServer: boolean
  /** Go on without the vault key of the backup: every certificate has to be uploaded again. */
  forgetKeys: boolean
}

export type LastSteps = { proveCopy: typeof proveCopy; replaceDatabase: typeof replaceDatabase }

/**
 * Puts a backup in the place of the database, so that no receipt number is given out a second time. Everything happens
 * in a copy, which takes the place when it is complete and on the disk; what was there before is set aside.
 * @param last the steps after which nothing can be taken back
 * @throws Error that says what to do; the database is then as it was
 */
export async function restore(
  config: Config,
  order: RestoreOrder,
  now: number,
  last: LastSteps = { proveCopy, replaceDatabase },
): Promise<Restored> {
  const { dataDir, databaseUrl } = config
  if (databaseUrl !== null) {
    const which = describePostgresUrl(databaseUrl)
    throw new Error(
      `the database is PostgreSQL (${which}): restore a dump of it into an empty database with pg_restore`,
    )
  }
  const backup = order.opened ?? openBackup(order.file)
  const lock = await claimDataDir(dataDir).catch((error: unknown) => {
    closeBackup(backup)
    throw error
  })
  const path = databasePath(dataDir)
  const copy = copyPath(dataDir)
  let replaced: string | null = null
  try {
    removeHalfRestore(dataDir)
    requireRoomFor(order.file, backup, dataDir)
    const sha256 = await copyBackup(backup, copy)
    removeSecondNames(path)
    const refuse = (error: unknown) => {
      throw error instanceof UnusableDatabase ? new Error(`${order.file} cannot be restored: ${error.message}`) : error
    }
    await requireOurDatabase(copy).catch(refuse)
    const left = [...setAsideBefore(path), path].filter((one) => existsSync(one)).map(readKnownNumbers)
    const done = await change(config, copy, order, { sha256, left, now }).catch(refuse)
    const reserved = done.sequences.filter(({ from }) => from !== null).length
    await last.proveCopy(copy, { reserved, sha256, at: now })
    handOver([copy])
    replaced = last.replaceDatabase(path, copy, now)
    // Said of the database that has gone; the next start would believe it of the one that came.
    rmSync(reportPath(dataDir), { force: true })
    return { database: path, file: order.file, sha256, replaced, ...done }
  } finally {
    closeBackup(backup)
    removeHalfRestore(dataDir)
    const databases = [path, ...(replaced === null ? [] : [replaced])]
    const locks = ['fiskd.lock', 'fiskd.pid'].map((name) => join(dataDir, name))
    handOver([...databases.flatMap((one) => SUFFIXES.map((suffix) => one + suffix)), ...locks])
    lock.release()
  }
}

/** Reserves the numbers, and writes down that it was done, in the copy. */
async function change(
  config: Config,
  copy: string,
  order: RestoreOrder,
  { sha256, left, now }: { sha256: string; left: KnownNumbers[]; now: number },
): Promise<Omit<Restored, 'database' | 'file' | 'sha256' | 'replaced'>> {
  const store = await openStore(copy, now)
  try {
    const { facts: here, invoices, newestAt, about } = await numberFacts(store, left, now)
    const asked = order.askServer ? await numbersOfServer(config, store, vaultOf(config)) : null
    const facts = asked ? withServerNumbers(here, asked.numbers) : here
    // A gap is added to the numbers that the server has seen, because the server may not know of all sales.
    const byServer = asked && order.gap === null ? statedByServer(facts, asked.numbers, order.stated) : []
    if (asked) requireToldOfAll(asked, byServer)
    const sequences = restoredNumbers(facts, { ...order, stated: [...order.stated, ...byServer] }, about)
    const server = asked && {
      url: asked.url,
      sequences: asked.numbers.length,
      reported_at: asked.reported && formatInstant(asked.reported.at),
      waiting: asked.reported?.waiting ?? null,
    }
    const lost = lostInvoices(left, copy)
    const unreadable = left.filter(({ problem }) => problem !== null).map(({ path }) => path)
    const proof = await store.meta.get(VAULT_PROOF)
    const forget = proof !== undefined && !(await keyFits(config, proof, left))
    if (forget && !order.forgetKeys) {
      throw new Error(
        'the vault key of this machine is not the one of the backup, so that no certificate in it can be opened: ' +
          `put the vault.key of the old machine into ${config.dataDir}, or go on without: --forget-keys`,
      )
    }
    const views = sequences.map(({ oib, sequence, highest, reserve, why }): RestoredSequence => {
      const { mode, premisesCode, year, register } = sequence
      const place = { company: oib, mode, premises_code: premisesCode, year, register, highest: `${highest}` }
      return {
        ...place,
        from: reserve?.first ?? null,
        to: reserve?.last ?? null,
        used_to: reserve?.usedTo ?? null,
        why,
      }
    })
    const newest_invoice_at = newestAt === null ? null : formatInstant(newestAt)
    const operator = operatorOf(DEFAULT_TENANT)
    const certificates = await store.transaction(async (tx) => {
      for (const { sequence, reserve } of sequences) {
        if (reserve) await tx.numbering.reserve({ ...sequence, ...reserve, reservedAt: now })
      }
      const ahead = left.flatMap((one) => one.ahead)
      await carryNumbersAhead(tx, ahead, now)
      const outOfUse = forget ? await supersedeAll(tx, now) : 0
      const known = { invoices, newest_invoice_at, lost, unreadable, sequences: views, server }
      const detail = { sha256, certificates_out_of_use: outOfUse, ...known }
      await audit(tx, operator, now, 'database.restored', detail)
      return outOfUse
    })
    if (forget) await store.meta.remove(VAULT_PROOF)
    const numbers = { lost, unreadable, sequences: views, server }
    return { invoices, newest_invoice_at, ...numbers, certificates_out_of_use: certificates }
  } finally {
    await store.close()
  }
}

/** Counts the invoices that the copy lacks: they are no longer sent, because the database does not know them. */
function lostInvoices(left: readonly KnownNumbers[], copy: string): Restored['lost'] {
  for (const { path } of [...left].reverse()) {
    try {
      const { invoices, withoutJir } = missingInvoices(path, copy)
      return { invoices, without_jir: withoutJir }
    } catch {
      // This file is already listed as unreadable; try the one before it.
    }
  }
  return null
}

/** The next start proves the key that is there, or makes one. */
async function supersedeAll(tx: Parameters<Parameters<OpenStore['transaction']>[0]>[0], now: number): Promise<number> {
  let count = 0
  for (const { id, tenantId, oib } of await tx.companies.all()) {
    const current = await tx.certificates.current(id)
    if (!current) continue
    await tx.certificates.supersedeCurrent(id, now)
    const detail = { id: current.id, oib, serial: current.serial }
    await audit(tx, operatorOf(tenantId), now, 'certificate.superseded', detail)
    count++
  }
  return count
}

/** Null where there is no key. */
function vaultOf({ dataDir, credentialsDir }: Config): Vault | null {
  const place = { dataDir, ...(credentialsDir && { credentialsDir }), mayCreate: false }
  return existsSync(join(dataDir, 'vault.key')) || credentialsDir ? createVault(loadVaultKey(place)) : null
}

/** Where the key cannot be read, as that of a systemd credential, the database that it opened until now speaks for it. */
async function keyFits(config: Config, proof: Buffer, left: KnownNumbers[]): Promise<boolean> {
  const vault = vaultOf(config)
  if (vault === null) return left.some(({ vaultProof }) => vaultProof?.equals(proof) === true)
  try {
    vault.open(proof, VAULT_PROOF)
    return true
  } catch {
    return false
  }
}
