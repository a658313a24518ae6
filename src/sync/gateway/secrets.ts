import { createHash, createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto'
import type { Vault } from '../../fiscal/ports.ts'
import type { Enrolment } from '../../fiscal/sync-port.ts'

/** What the vault seals the secrets of an enrolment for. */
export const SYNC_CREDENTIAL = 'sync credential'
export const SYNC_KEY = 'sync key'

export interface GatewaySecrets {
  credential: string
  /** X25519, PKCS#8 DER. */
  privateKey: Buffer
}

export function newSecrets(): GatewaySecrets {
  const { privateKey } = generateKeyPairSync('x25519')
  return {
    credential: `fisk_sync_${randomBytes(32).toString('base64url')}`,
    privateKey: privateKey.export({ format: 'der', type: 'pkcs8' }),
  }
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
