import { createHmac, hash, timingSafeEqual } from 'node:crypto'

/**
 * The address of a receipt for the phone of a customer: `https://HOST/r/TOKEN`. The token is base64url of a mark of the
 * gateway (4 bytes), the id of the invoice (16) and the first 128 bits of an HMAC-SHA256 over both, by a key that only
 * the gateway and its server have. Who has the key and the invoice makes the same token again, so it is stored nowhere but in
 * the answer to its sale, which stands for a day at the daemon that sold (interface.md, Idempotency).
 */
export interface LinkSource {
  /** `https://HOST`. */
  base: string
  gatewayId: string
  /** 32 bytes, of this gateway alone. */
  key: Buffer
}

const MARK_BYTES = 4
const ID_BYTES = 16
const CHECK_BYTES = 16
const TOKEN_CHARACTERS = ((MARK_BYTES + ID_BYTES + CHECK_BYTES) * 4) / 3
const TOKEN = new RegExp(`^[A-Za-z0-9_-]{${TOKEN_CHARACTERS}}$`)
const INVOICE_ID = /^inv_[0-9a-f]{32}$/

/** The longest address whose QR code of level M has version 6 at most, which worn screens still show. */
const MOST_CHARACTERS = 100
const LINK_PATH = '/r/'
export const MOST_BASE_CHARACTERS = MOST_CHARACTERS - LINK_PATH.length - TOKEN_CHARACTERS

/** What tells the gateways of a server apart in tokens, base64url. */
export const markOf = (gatewayId: string): string =>
  Buffer.from(hash('sha256', `receipt link ${gatewayId}`, 'buffer').subarray(0, MARK_BYTES)).toString('base64url')

/** @returns undefined for an id of another form, which only a foreign database has */
export function linkTo({ base, gatewayId, key }: LinkSource, invoiceId: string): string | undefined {
  if (!INVOICE_ID.test(invoiceId)) return undefined
  const named = Buffer.concat([Buffer.from(markOf(gatewayId), 'base64url'), Buffer.from(invoiceId.slice(4), 'hex')])
  return base + LINK_PATH + Buffer.concat([named, checkOf(named, key)]).toString('base64url')
}

/** What a token says. A text of another form is read, too, so that it costs as much: its check value never holds. */
export interface ReadToken {
  mark: string
  invoiceId: string
  isMadeWith(key: Buffer): boolean
}

export function readToken(text: string): ReadToken {
  const isToken = TOKEN.test(text)
  const bytes = isToken ? Buffer.from(text, 'base64url') : hash('sha512', text, 'buffer')
  const named = bytes.subarray(0, MARK_BYTES + ID_BYTES)
  const check = bytes.subarray(named.length, named.length + CHECK_BYTES)
  return {
    mark: named.subarray(0, MARK_BYTES).toString('base64url'),
    invoiceId: `inv_${named.subarray(MARK_BYTES).toString('hex')}`,
    isMadeWith: (key) => timingSafeEqual(check, checkOf(named, key)) && isToken,
  }
}

const checkOf = (named: Buffer, key: Buffer) =>
  createHmac('sha256', key).update(named).digest().subarray(0, CHECK_BYTES)
