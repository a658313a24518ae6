import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import type { Vault } from '../ports/certificates.ts'
import type { KeptFacts } from '../ports/kept-facts.ts'

/** Its name among the facts, and what the vault seals it for. */
const NAME = 'command_signing_key'

/** The key by which gateways believe their server's commands; of processes that make it at once the first counts. */
export function createCommandSigner(facts: Pick<KeptFacts, 'get' | 'keep'>, vault: Vault) {
  let loaded: Promise<Keys> | undefined

  async function load(): Promise<Keys> {
    const sealed = (await facts.get(NAME)) ?? (await facts.keep(NAME, vault.seal(newKey(), NAME)))
    const privateKey = createPrivateKey({ key: vault.open(sealed, NAME), format: 'der', type: 'pkcs8' })
    const der = createPublicKey(privateKey).export({ format: 'der', type: 'spki' })
    return {
      publicKey: der.toString('base64url'),
      sign: (bytes) => sign(null, bytes, privateKey).toString('base64url'),
    }
  }

  function keys(): Promise<Keys> {
    loaded ??= load().catch((error: unknown) => {
      loaded = undefined
      throw error
    })
    return loaded
  }

  return {
    /** Ed25519, SPKI DER as base64url: gateways learn it when they enrol. */
    publicKey: async (): Promise<string> => (await keys()).publicKey,
    /** @returns what signs: Ed25519 over the bytes, base64url */
    signing: async (): Promise<(bytes: Buffer) => string> => (await keys()).sign,
  }
}

interface Keys {
  publicKey: string
  sign: (bytes: Buffer) => string
}

const newKey = (): Buffer => generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' })
