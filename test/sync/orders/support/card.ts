import { randomUUID } from 'node:crypto'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { restore } from '../../../../src/daemon/backup-restore/restore.ts'
import { readRestoreOrder } from '../../../../src/daemon/backup-restore/restore-arguments.ts'
import { composeGatewaySync, type GatewaySync } from '../../../../src/daemon/compose/gateway-sync.ts'
import { readConfig } from '../../../../src/daemon/config.ts'
import { operatorOf } from '../../../../src/daemon/http/authenticate.ts'
import { openDataDir } from '../../../../src/daemon/lifecycle/data-dir.ts'
import { ISSUED, openIssued } from '../../../../src/daemon/lifecycle/issued-file.ts'
import { enter } from '../../../../src/domain/sale/journal.ts'
import { createPast } from '../../../../src/fiscal/gateways/heartbeat.ts'
import type { TakenOver } from '../../../../src/fiscal/gateways/replacement.ts'
import { createIssued, type Issued } from '../../../../src/fiscal/numbering/lost-sales.ts'
import { takeNumber } from '../../../../src/fiscal/numbering/take-number.ts'
import type { Sequence } from '../../../../src/fiscal/ports/model.ts'
import { createLiveSales } from '../../../../src/fiscal/sales/live-sales.ts'
import { DEFAULT_TENANT } from '../../../../src/store/store.ts'
import { HEARTBEAT } from '../../../support/commands.ts'
import { fleet } from '../../../support/sync-rows.ts'
import { clock, type Office, SILENT } from './office.ts'

const MADE = fleet()
const { companyId, premisesCode } = { ...MADE.device }
const SEQUENCE: Sequence = { companyId, mode: 'test', premisesCode, year: new Date().getFullYear(), register: '' }
const OPERATOR = operatorOf(DEFAULT_TENANT)
const URL = 'https://office'

/** The memory card of a gateway: everything that it keeps lies in its folder. */
export class Card {
  readonly dir: string
  readonly office: Office

  constructor(dir: string, office: Office) {
    this.dir = dir
    this.office = office
  }

  /** As a process that begins, and ends with the work. */
  private async running<T>(work: (it: Running) => Promise<T>): Promise<T> {
    const config = readConfig({ FISKD_DATA_DIR: this.dir })
    const { store, vault, close } = await openDataDir(config, Date.now())
    const record = await openIssued(this.dir, store, randomUUID())
    const issued = createIssued({ store, record, onLost() {} })
    await store.witness(issued.compareIn)
    const sync = composeGatewaySync({
      ...{ config, store, vault, clock, newUuid: randomUUID, liveSales: createLiveSales(), issued },
      elapsed: () => performance.now(),
      log: SILENT,
      transportTo: this.office.transportTo,
    })
    try {
      await sync.noteStart()
      if (issued.lost().length > 0 || issued.problem() !== null)
        throw new Error(`no sale is lost: ${issued.problem()?.en}`)
      return await work({ store, sync, issued })
    } finally {
      await sync.close()
      await record.close()
      await close()
    }
  }

  /** A company and a device, enrolled at the office. */
  setUp(): Promise<void> {
    return this.running(async (it) => {
      const { store, sync } = it
      const own = { tenantId: DEFAULT_TENANT, gatewayId: '' }
      const { logo: _none, ...company } = MADE.company
      await store.companies.insert({ ...company, ...own, logoHash: null })
      await store.certificates.insert({ ...MADE.certificate, sealedKey: Buffer.alloc(0) })
      await store.devices.insert({ ...MADE.device, ...own })
      await enroll(sync, await this.office.token())
      await told(it, this.office)
    })
  }

  /** @returns the numbers of the sales */
  sell(count: number, isReached: boolean): Promise<number[]> {
    return this.running(async (it) => {
      if (isReached) await told(it, this.office)
      const numbers: number[] = []
      for (let i = 0; i < count; i++) numbers.push(await sellOne(it))
      if (isReached) await told(it, this.office)
      return numbers
    })
  }

  backUp(file: string): Promise<void> {
    return this.running(async ({ store }) => {
      await store.care.backUp(file)
    })
  }

  /** Every database is lost, also those that were set aside, with the record of issued sales; the vault key is there. */
  lose(): void {
    const lost = readdirSync(this.dir).filter((name) => name === ISSUED || name.startsWith('fiskd.db'))
    for (const name of lost) rmSync(join(this.dir, name))
  }

  /** `fisk restore`, with its arguments. @throws Error as it refuses */
  async restore(...args: string[]): Promise<void> {
    await restore(readConfig({ FISKD_DATA_DIR: this.dir }), readRestoreOrder(args), Date.now())
  }

  /** `fisk replace`, which is cut off before it takes anything over; the machine reports meanwhile. */
  beginReplacement(): Promise<void> {
    return this.running(async (it) => {
      await enroll(it.sync, await this.office.token({ again: true }))
      await told(it, this.office)
    })
  }

  /** `fisk replace`, with its options. @throws FiskError as it refuses */
  replace(numbers: { highest?: string[]; gap?: number }): Promise<TakenOver> {
    return this.running(async ({ store, sync }) => {
      const isEnrolled = (await store.enrolment.get()) !== undefined
      if (!isEnrolled) await enroll(sync, await this.office.token({ again: true }))
      const taken = await sync.useCases.replacement.takeOver(OPERATOR, { highest: [], ...numbers })
      await store.certificates.insert({ ...MADE.certificate, sealedKey: Buffer.alloc(0) })
      return taken
    })
  }
}

type Store = Awaited<ReturnType<typeof openDataDir>>['store']
type Running = { store: Store; sync: GatewaySync; issued: Issued }

const enroll = ({ useCases }: GatewaySync, token: string) => useCases.enroll(OPERATOR, { url: URL, token, caPem: null })

/** Until the server has everything, or has refused this card. */
async function told({ store, sync }: Running, office: Office): Promise<void> {
  sync.uplink.start()
  await sync.useCases.now()
  for (let look = 0; look < 5000; look++) {
    await setTimeout(1)
    const status = await sync.useCases.status()
    if (status?.state === 'revoked') return
    if (!sync.uplink.greeted() || status?.waiting !== 0) continue
    const past = createPast({ store, predecessor: sync.predecessor })
    return office.noteHeartbeat({ ...HEARTBEAT, ...(await past()) })
  }
  throw new Error(`never told: ${JSON.stringify(await sync.useCases.status())}`)
}

/** A number and its invoice, in one transaction, as a sale takes them. */
async function sellOne({ store, issued }: Running): Promise<number> {
  const invoice = await store.transaction(async (tx) => {
    await tx.numbering.lockPremises(SEQUENCE)
    const state = await tx.sales.take(SEQUENCE)
    const row = MADE.invoice(0, { status: 'pending', jir: null, confirmedAt: null })
    const taken = await takeNumber(tx, SEQUENCE, state, 'P', null, { invoiceId: row.id, now: row.createdAt })
    const document = { ...row.document, number: taken.number }
    const sale = { ...row, document, year: SEQUENCE.year, tenantId: DEFAULT_TENANT, gatewayId: '' }
    const entered = enter(state.last, sale)
    await tx.invoices.insert(entered)
    await tx.numbering.setHighest(SEQUENCE, taken.highest)
    return entered
  })
  await issued.note(invoice)
  return Number(invoice.document.number)
}
