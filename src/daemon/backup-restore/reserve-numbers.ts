import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createVault } from '../../certificates/vault.ts'
import { loadVaultKey } from '../../certificates/vault-key.ts'
import type { Restored, RestoredSequence } from '../../contract/reports/restored.ts'
import { attempt } from '../../domain/attempt.ts'
import { formatInstant } from '../../domain/instant.ts'
import { audit } from '../../fiscal/access/audit-log.ts'
import { FOR_RESTORES, MOST_SKIPPED_UNTOLD } from '../../fiscal/gateways/replacement.ts'
import { carryNumbersAhead } from '../../fiscal/numbering/numbers-of-older-databases.ts'
import { type RestoredSequence as Decided, restoredNumbers } from '../../fiscal/numbering/restored-numbers.ts'
import { statedByServer, withServerNumbers } from '../../fiscal/numbering/server-numbers.ts'
import type { StatedNumber } from '../../fiscal/numbering/stated-number.ts'
import type { Vault } from '../../fiscal/ports/certificates.ts'
import { SKIPPED_UNTOLD } from '../../fiscal/ports/rows/numbering.ts'
import { forgetLinkKeys } from '../../fiscal/receipt-links/links.ts'
import { MACHINE } from '../../fiscal/registry/machine-identity.ts'
import type { KnownNumbers } from '../../store/shared/sync/known-numbers.ts'
import { DEFAULT_TENANT, type OpenStore } from '../../store/store.ts'
import type { Config } from '../config.ts'
import { operatorOf } from '../http/authenticate.ts'
import { VAULT_PROOF } from '../lifecycle/data-dir.ts'
import { issuedPath } from '../lifecycle/issued-file.ts'
import { databasePath } from '../lifecycle/open-database.ts'
import { numberFacts } from './restore-facts.ts'
import { numbersOfServer, requireToldOfAll } from './restore-server.ts'

export interface NumbersOrder {
  stated: StatedNumber[]
  /** Nothing where no number can be missing. */
  gap: bigint | null
  /** Ask the central server of the backup for the numbers that it has seen. */
  askServer: boolean
  /** Go on without the vault key of the backup: every certificate has to be uploaded again. */
  forgetKeys: boolean
}

export interface KnownBeside {
  /** Of the file that was restored; null of a dump. */
  sha256: string | null
  left: KnownNumbers[]
  lost(): Restored['lost']
}

/** It stands in the audit log then. @throws Error that says which numbers are open; nothing is changed then */
export async function reserveNumbers(
  config: Config,
  store: OpenStore,
  order: NumbersOrder,
  { sha256, left, lost: countLost }: KnownBeside,
  now: number,
): Promise<Omit<Restored, 'database' | 'file' | 'sha256' | 'replaced'>> {
  const { facts: here, invoices, newestAt, about } = await numberFacts(store, left, now)
  const asked = order.askServer ? await numbersOfServer(config, store, vaultOf(config)) : null
  const facts = asked ? withServerNumbers(here, asked.numbers) : here
  // A gap is added to the numbers that the server has seen, because the server may not know of all sales.
  const byServer = asked && order.gap === null ? statedByServer(facts, asked.numbers, order.stated) : []
  if (asked) requireToldOfAll(asked, byServer, left.some(isOfLastSales(config)))
  const sequences = restoredNumbers(facts, { ...order, stated: [...order.stated, ...byServer] }, about)
  // A gap of nothing: the copy of a move, which lacks no sale.
  if (order.gap === 0n && sequences.some(({ reserve }) => reserve !== null)) {
    throw new Error(`${left.map(({ path }) => path)} knows numbers that the copy lacks: say them, without --moved`)
  }
  const server = asked && {
    url: asked.url,
    sequences: asked.numbers.length,
    reported_at: asked.reported && formatInstant(asked.reported.at),
    waiting: asked.reported?.waiting ?? null,
  }
  const untold = await skippedUntold(config, store, left, sequences, order.gap)
  const lost = countLost()
  const unreadable = left.filter(({ problem }) => problem !== null).map(({ path }) => path)
  const proof = await store.meta.get(VAULT_PROOF)
  const forget = proof !== undefined && !(await keyFits(config, proof, left))
  if (forget && !order.forgetKeys) {
    throw new Error(
      'the vault key of this machine is not the one of the backup, so that no certificate in it can be opened: ' +
        `put the vault.key of the old machine into ${config.sharedDir}, or go on without: --forget-keys`,
    )
  }
  const views = sequences.map(({ oib, sequence, highest, reserve, why }): RestoredSequence => {
    const { mode, premisesCode, year, register } = sequence
    const told = { company: oib, mode, premises_code: premisesCode, year, register, highest: `${highest}` }
    return {
      ...told,
      from: reserve?.first ?? null,
      to: reserve?.last ?? null,
      used_to: reserve?.usedTo ?? null,
      why,
    }
  })
  const newest_invoice_at = newestAt === null ? null : formatInstant(newestAt)
  const operator = operatorOf(DEFAULT_TENANT)
  // Before the numbers: a crash between the two then counts too much, never too little.
  await store.meta.put(SKIPPED_UNTOLD, Buffer.from(`${untold}`))
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
  if (forget) {
    await store.meta.remove(VAULT_PROOF)
    await forgetLinkKeys(store)
  }
  // The operator has said that its numbers go on here.
  await store.meta.remove(MACHINE)
  const { newestAt: newestOfGateways, ...held } = await store.invoices.fromGateways()
  const of_gateways = { ...held, newest_invoice_at: newestOfGateways === null ? null : formatInstant(newestOfGateways) }
  const numbers = { of_gateways, lost, unreadable, sequences: views, server }
  return { invoices, newest_invoice_at, ...numbers, certificates_out_of_use: certificates }
}

/** The last database, or the record of issued sales. One that a start has made anew knows nothing of the gateway. */
const isOfLastSales = ({ dataDir }: Config) => {
  const last = [databasePath(dataDir), issuedPath(dataDir)]
  return ({ path, problem, sequences }: KnownNumbers) => last.includes(path) && problem === null && sequences.length > 0
}

/**
 * How many numbers restores have skipped, this one too, that the central server was not told. The number on a paper may
 * be one above those that another restore has skipped.
 * @throws Error when a machine that replaces this gateway could not know that it has to skip so many
 */
async function skippedUntold(
  config: Config,
  store: OpenStore,
  left: readonly KnownNumbers[],
  sequences: readonly Decided[],
  gap: bigint | null,
): Promise<bigint> {
  const own = BigInt((await store.meta.get(SKIPPED_UNTOLD))?.toString() ?? 0)
  // The last one that was restored counts those before it, and knows what was told since.
  const last = left.find(({ path }) => path === databasePath(config.dataDir))
  const before = last?.skippedUntold ?? mostOf([own, ...left.map((one) => one.skippedUntold ?? 0n)])
  const least = mostOf([0n, MOST_SKIPPED_UNTOLD - before])
  const stated = mostOf([0n, ...sequences.map(({ skips }) => (skips < least ? skips : least))])
  if (gap === null || sequences.every(({ why, reserve }) => why === 'stated' || reserve === null))
    return before + stated
  const after = before + gap
  if (after <= MOST_SKIPPED_UNTOLD || !(await store.enrolment.get())?.gatewayId) return mostOf([after, before + stated])
  const first = before === 0n ? 'this gap' : `this gap, and ${before} numbers that earlier restores skipped`
  throw new Error(
    `a machine that replaces this gateway skips ${FOR_RESTORES} numbers for restores that the central server does not know ` +
      `of, and ${first}: that is too many. Say the highest numbers, from paper: --highest PREMISES@YEAR=NUMBER` +
      (before < MOST_SKIPPED_UNTOLD ? `, or leave a smaller gap: --gap ${MOST_SKIPPED_UNTOLD - before}` : ''),
  )
}

const mostOf = (all: readonly bigint[]) => all.reduce((most, one) => (one > most ? one : most))

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
function vaultOf({ sharedDir, credentialsDir }: Config): Vault | null {
  const location = { dataDir: sharedDir, ...(credentialsDir && { credentialsDir }), mayCreate: false }
  return existsSync(join(sharedDir, 'vault.key')) || credentialsDir ? createVault(loadVaultKey(location)) : null
}

/** Where the key cannot be read, as that of a systemd credential, the database that it opened until now speaks for it. */
async function keyFits(config: Config, proof: Buffer, left: KnownNumbers[]): Promise<boolean> {
  const vault = vaultOf(config)
  if (vault === null) return left.some(({ vaultProof }) => vaultProof?.equals(proof) === true)
  return attempt(() => vault.open(proof, VAULT_PROOF), null) !== null
}
