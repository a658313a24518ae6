import { createHmac, randomBytes } from 'node:crypto'
import { attempt } from '../../domain/attempt.ts'
import type { Vault } from '../ports/certificates.ts'
import type { Enrolment } from '../ports/enrolment.ts'
import type { KeptFacts } from '../ports/kept-facts.ts'
import type { Invoice } from '../ports/model.ts'
import type { KeepLinks, ToldLinks } from '../ports/receipt-links.ts'
import type { StoreTransaction } from '../ports/store.ts'
import { linkTo } from './link.ts'

/** The link to the receipt of an invoice; undefined where it has none. */
export type ReceiptUrlOf = (invoice: Pick<Invoice, 'id' | 'gatewayId' | 'receipt'>) => string | undefined

export interface ReceiptLinks {
  /** What makes links now; null where nobody would show the receipts, or the vault key is another one: a sale goes on. */
  maker(): Promise<((invoice: Pick<Invoice, 'id' | 'gatewayId'>) => string | undefined) | null>
}

/** What the vault seals the key of a gateway for. */
const TOLD = 'receipt links'
/** Name of the secret among the facts of a server, and what the vault seals it for. */
const SECRET = 'receipt_link_secret'

const KEY_BYTES = 32

/** What no vault key opens any more goes: a server makes other links from then on, a gateway is told by its server. */
export async function forgetLinkKeys({ meta, enrolment }: { meta: KeptFacts } & Pick<StoreTransaction, 'enrolment'>) {
  await meta.remove(SECRET)
  await enrolment.update({ sealedLinks: null })
}

export async function receiptUrls(links: ReceiptLinks): Promise<ReceiptUrlOf> {
  const make = await links.maker()
  return (invoice) => (invoice.receipt?.hasLink && make ? make(invoice) : undefined)
}

/** Links of a gateway, by what its server has told it; they end with its enrolment. */
export function linksOfGateway(store: Pick<StoreTransaction, 'enrolment'>, vault: Vault): ReceiptLinks & KeepLinks {
  const read = (sealed: Buffer | null): ToldLinks | null =>
    sealed && attempt(() => JSON.parse(vault.open(sealed, TOLD).toString('utf8')), null)
  return {
    async maker() {
      const { sealedLinks, gatewayId } = (await store.enrolment.get()) ?? NOT_ENROLLED
      const told = read(sealedLinks)
      return told && (({ id }) => linkTo({ base: told.base, gatewayId, key: Buffer.from(told.key, 'base64url') }, id))
    },
    async keep({ sealedLinks }, told) {
      const before = read(sealedLinks)
      const isKept = told === null ? sealedLinks === null : before?.base === told.base && before.key === told.key
      if (isKept) return
      await store.enrolment.update({ sealedLinks: told && vault.seal(Buffer.from(JSON.stringify(told)), TOLD) })
    },
  }
}

const NOT_ENROLLED: Pick<Enrolment, 'sealedLinks' | 'gatewayId'> = { sealedLinks: null, gatewayId: '' }

/** The keys of all gateways of a server, and of its own sales; they follow from one secret of its database. */
export function createLinkKeys(facts: Pick<KeptFacts, 'get' | 'keep'>, vault: Vault) {
  let secret: Buffer | undefined
  /** @returns what gives the key of a gateway, 32 bytes; null where the vault key is another one */
  return async (): Promise<((gatewayId: string) => Buffer) | null> => {
    if (secret === undefined) {
      const kept = await facts.get(SECRET)
      const sealed = kept ?? (await facts.keep(SECRET, vault.seal(randomBytes(KEY_BYTES), SECRET)))
      secret = attempt(() => vault.open(sealed, SECRET), undefined)
    }
    const known = secret
    return known === undefined ? null : (gatewayId) => createHmac('sha256', known).update(gatewayId).digest()
  }
}

export type LinkKeys = ReturnType<typeof createLinkKeys>

export interface TellLinks {
  /** What makes the links of a gateway; null as for `maker`. */
  tell(gatewayId: string): Promise<ToldLinks | null>
}

/** Links of a server: of its own sales and those of its gateways. @param base null where it shows no receipts */
export function linksOfServer(base: string | null, keys: LinkKeys): ReceiptLinks & TellLinks {
  return {
    async maker() {
      if (base === null) return null
      const keyOf = await keys()
      return keyOf && (({ id, gatewayId }) => linkTo({ base, gatewayId, key: keyOf(gatewayId) }, id))
    },
    async tell(gatewayId) {
      if (base === null) return null
      const keyOf = await keys()
      return keyOf && { base, key: keyOf(gatewayId).toString('base64url') }
    },
  }
}
