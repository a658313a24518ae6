import { createHash, createPublicKey, hkdfSync, randomBytes } from 'node:crypto'
import type { Vault } from '../../fiscal/ports/certificates.ts'
import type { Enrolment } from '../../fiscal/ports/enrolment.ts'
import type { KeptFacts } from '../../fiscal/ports/kept-facts.ts'

/** What the vault seals the secrets of an enrolment for. */
const SYNC_CREDENTIAL = 'sync credential'
export const SYNC_KEY = 'sync key'

export interface GatewaySecrets {
  credential: string
  /** X25519, PKCS#8 DER. */
  privateKey: Buffer
}

/** Key in the keep, and what the vault seals it for. */
const SEED = 'sync_seed'
const SECRET_BYTES = 32
/** What stands before the key in the PKCS#8 of an X25519 key (RFC 8410). */
const PKCS8_HEAD = Buffer.from('302e020100300506032b656e04220420', 'hex')

/**
 * The secrets that go with a token, as long as no enrolment has succeeded: the same ones each time, so that an answer
 * that was lost is had again, and others for another token. The enrolment that there is stays as it is.
 */
export async function secretsFor(token: string, keep: KeptFacts, vault: Vault): Promise<GatewaySecrets> {
  const seed = await seedIn(keep, vault)
  const derived = (what: string) => Buffer.from(hkdfSync('sha256', seed, token, what, SECRET_BYTES))
  return {
    credential: `fisk_sync_${derived(SYNC_CREDENTIAL).toString('base64url')}`,
    privateKey: Buffer.concat([PKCS8_HEAD, derived(SYNC_KEY)]),
  }
}

/** The next enrolment has secrets that have nothing to do with these. */
export const forgetSeed = (keep: KeptFacts) => keep.remove(SEED)

async function seedIn(keep: KeptFacts, vault: Vault): Promise<Buffer> {
  const kept = await keep.get(SEED)
  if (kept) {
    try {
      return vault.open(kept, SEED)
    } catch {
      // The vault key is another one since.
      await keep.remove(SEED)
    }
  }
  return vault.open(await keep.keep(SEED, vault.seal(randomBytes(SECRET_BYTES), SEED)), SEED)
}

export const credentialHash = (credential: string) => createHash('sha256').update(credential).digest('hex')

/** X25519, SPKI DER as base64url. */
export function publicKeyOf(privateKey: Buffer): string {
  const key = createPublicKey({ key: privateKey, format: 'der', type: 'pkcs8' } as never)
  return key.export({ format: 'der', type: 'spki' }).toString('base64url')
}

type Sealed = Pick<Enrolment, 'sealedCredential' | 'sealedKey'>

export function seal(vault: Vault, { credential, privateKey }: GatewaySecrets): Sealed {
  return {
    sealedCredential: vault.seal(Buffer.from(credential), SYNC_CREDENTIAL),
    sealedKey: vault.seal(privateKey, SYNC_KEY),
  }
}

/** @throws Error when the vault key is another one */
export function unseal(vault: Vault, { sealedCredential, sealedKey }: Sealed): GatewaySecrets {
  return {
    credential: vault.open(sealedCredential, SYNC_CREDENTIAL).toString('utf8'),
    privateKey: vault.open(sealedKey, SYNC_KEY),
  }
}
