import { createHash } from 'node:crypto'
import { chmodSync, createReadStream, createWriteStream, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createVault } from '../certificates/vault.ts'
import { loadVaultKey } from '../certificates/vault-key.ts'
import { formatInstant } from '../domain/instant.ts'
import { audit } from '../fiscal/audit.ts'
import { restoredNumbers } from '../fiscal/restored-numbers.ts'
import type { StatedNumber } from '../fiscal/stated-number.ts'
import { requireOurDatabase } from '../store/backup-file.ts'
import { UnusableDatabase } from '../store/damage.ts'
import { type KnownNumbers, readKnownNumbers } from '../store/known-numbers.ts'
import { DEFAULT_TENANT, type OpenStore, openStore } from '../store/store.ts'
import type { Config } from './config.ts'
import { claimDataDir, VAULT_PROOF } from './data-dir.ts'
import { operatorOf } from './identify.ts'
import { numberFacts } from './restore-facts.ts'
import { handOver, removeSecondNames, replaceDatabase } from './restore-swap.ts'
import { SUFFIXES, setAsideBefore } from './set-aside.ts'
import { databasePath, reportPath } from './sound-database.ts'

export interface RestoreOrder {
  file: string
  stated: StatedNumber[]
  gap: bigint | null
  /** Go on without the vault key of the backup: every certificate has to be uploaded again. */
  forgetKeys: boolean
}

/** What `fiskd --restore` reports. */
export interface Restored {
  database: string
  file: string
  sha256: string
  invoices: number
  newest_invoice_at: string | null
  /** Where the database is that was there before. */
  replaced: string | null
  sequences: RestoredView[]
  certificates_out_of_use: number
}

interface RestoredView extends Record<string, unknown> {
  company: string
  mode: string
  premises_code: string
  year: number
  register: string
  highest: string
  from: string | null
  to: string | null
  why: 'stated' | 'gap'
}

const copyPath = (dataDir: string) => join(dataDir, 'fiskd.db.restoring')

/**
 * Puts a backup in the place of the database, so that no receipt number is given out a second time. Everything happens
 * in a copy, which takes the place when it is complete and on the disk; what was there before is set aside.
 * @throws Error that says what to do; the database is then as it was
 */
export async function restore(config: Config, order: RestoreOrder, now: number): Promise<Restored> {
  const { dataDir } = config
  if (!existsSync(order.file)) throw new Error(`there is no file ${order.file}`)
  const lock = await claimDataDir(dataDir)
  const path = databasePath(dataDir)
  const copy = copyPath(dataDir)
  try {
    removeHalfRestore(dataDir)
    const sha256 = await copyBackup(order.file, copy)
    removeSecondNames(path)
    const refuse = (error: unknown) => {
      throw error instanceof UnusableDatabase ? new Error(`${order.file} cannot be restored: ${error.message}`) : error
    }
    await requireOurDatabase(copy).catch(refuse)
    const left = [...setAsideBefore(path), path].filter((one) => existsSync(one)).map(readKnownNumbers)
    const done = await change(config, copy, order, { sha256, left, now }).catch(refuse)
    handOver(dataDir)
    // Said of the database that goes; the next start would believe it of the one that comes.
    rmSync(reportPath(dataDir), { force: true })
    const replaced = replaceDatabase(path, copy, now)
    return { database: path, file: order.file, sha256, replaced, ...done }
  } finally {
    removeHalfRestore(dataDir)
    handOver(dataDir)
    lock.release()
  }
}

/** Removes what a crash has left of a copy that was being restored. */
export function removeHalfRestore(dataDir: string): void {
  for (const suffix of [...SUFFIXES, '-journal']) rmSync(copyPath(dataDir) + suffix, { force: true })
}

/** With its write-ahead log, if it has one: so have databases that were set aside. @returns the file's SHA-256 */
async function copyBackup(file: string, copy: string): Promise<string> {
  const hash = createHash('sha256')
  const hashed = async function* (source: AsyncIterable<Buffer>) {
    for await (const chunk of source) {
      hash.update(chunk)
      yield chunk
    }
  }
  await pipeline(createReadStream(file), hashed, createWriteStream(copy, { mode: 0o640 }))
  chmodSync(copy, 0o640)
  if (existsSync(`${file}-wal`)) await pipeline(createReadStream(`${file}-wal`), createWriteStream(`${copy}-wal`))
  return hash.digest('hex')
}

/** Reserves the numbers, and writes down that it was done, in the copy. */
async function change(
  config: Config,
  copy: string,
  order: RestoreOrder,
  { sha256, left, now }: { sha256: string; left: KnownNumbers[]; now: number },
): Promise<Pick<Restored, 'invoices' | 'newest_invoice_at' | 'sequences' | 'certificates_out_of_use'>> {
  const store = await openStore(copy, now)
  try {
    const { facts, invoices, newestAt, about } = await numberFacts(
      store,
      left.flatMap(({ sequences }) => sequences),
      now,
    )
    const sequences = restoredNumbers(facts, order, about)
    const proof = await store.meta.get(VAULT_PROOF)
    const forget = proof !== undefined && !(await keyFits(config, proof, left))
    if (forget && !order.forgetKeys) {
      throw new Error(
        'the vault key of this machine is not the one of the backup, so that no certificate in it can be opened: ' +
          `put the vault.key of the old machine into ${config.dataDir}, or go on without: --forget-keys`,
      )
    }
    const views = sequences.map(({ oib, sequence, highest, reserve, why }): RestoredView => {
      const { mode, premisesCode, year, register } = sequence
      const place = { company: oib, mode, premises_code: premisesCode, year, register, highest: `${highest}` }
      return { ...place, from: reserve?.first ?? null, to: reserve?.last ?? null, why }
    })
    const newest_invoice_at = newestAt === null ? null : formatInstant(newestAt)
    const operator = operatorOf(DEFAULT_TENANT)
    const certificates = await store.transaction(async (tx) => {
      for (const { sequence, reserve } of sequences) {
        if (reserve) await tx.numbering.reserve({ ...sequence, ...reserve, reservedAt: now })
      }
      const outOfUse = forget ? await supersedeAll(tx, now) : 0
      const detail = { sha256, invoices, newest_invoice_at, certificates_out_of_use: outOfUse, sequences: views }
      await audit(tx, operator, now, 'database.restored', detail)
      return outOfUse
    })
    if (forget) await store.meta.remove(VAULT_PROOF)
    return { invoices, newest_invoice_at, sequences: views, certificates_out_of_use: certificates }
  } finally {
    await store.close()
  }
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

/** Where the key cannot be read, as that of a systemd credential, the database that it opened until now speaks for it. */
async function keyFits({ dataDir, credentialsDir }: Config, proof: Buffer, left: KnownNumbers[]): Promise<boolean> {
  const place = { dataDir, ...(credentialsDir && { credentialsDir }), mayCreate: false }
  const key = existsSync(join(dataDir, 'vault.key')) || credentialsDir ? loadVaultKey(place) : null
  if (key === null) return left.some(({ vaultProof }) => vaultProof?.equals(proof) === true)
  try {
    createVault(key).open(proof, VAULT_PROOF)
    return true
  } catch {
    return false
  }
}
