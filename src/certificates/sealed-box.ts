import {
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
} from 'node:crypto'
import type { SealedBoxes } from '../fiscal/ports/gateways.ts'
import { decrypted, encrypted, OVERHEAD_BYTES } from './vault.ts'

/** The first byte of every box, the format version. */
const VERSION = 1
const POINT_BYTES = 32
const HEAD_BYTES = 1 + POINT_BYTES
/** The bytes before the point in the SPKI of an X25519 key (RFC 8410). */
const SPKI_HEAD = Buffer.from('302a300506032b656e032100', 'hex')

/**
 * Boxes for one recipient: X25519 (RFC 7748) with a new sender key per box, HKDF-SHA256 and AES-256-GCM, as `version |
 * point | nonce | tag | ciphertext`. Both points are inputs of the key derivation, so that another pair of keys cannot
 * derive the same key.
 */
export const sealedBoxes: SealedBoxes = {
  seal(publicKey, secret, context) {
    const reader = readerOf(publicKey)
    const own = generateKeyPairSync('x25519')
    const point = pointOf(own.publicKey)
    const key = keyBetween(own.privateKey, reader, point, pointOf(reader))
    return Buffer.concat([Buffer.of(VERSION), point, encrypted(key, secret, context)])
  },

  open(privateKey, box, context) {
    if (box.length < HEAD_BYTES + OVERHEAD_BYTES) throw new Error('the sealed box is cut short')
    if (box[0] !== VERSION) throw new Error(`the sealed box has version ${box[0]}, this fiskd knows ${VERSION}`)
    const own = createPrivateKey({ key: privateKey, format: 'der', type: 'pkcs8' })
    if (own.asymmetricKeyType !== 'x25519') throw new Error('this key opens no sealed boxes: it is not X25519')
    const point = box.subarray(1, HEAD_BYTES)
    try {
      const sender = createPublicKey({ key: Buffer.concat([SPKI_HEAD, point]), format: 'der', type: 'spki' })
      const key = keyBetween(own, sender, point, pointOf(createPublicKey(own)))
      return decrypted(key, box.subarray(HEAD_BYTES), context)
    } catch (cause) {
      throw new Error('the sealed box does not open: it is for another reader or place, or was changed', { cause })
    }
  },
}

function readerOf(publicKey: string): KeyObject {
  const key = createPublicKey({ key: Buffer.from(publicKey, 'base64url'), format: 'der', type: 'spki' })
  if (key.asymmetricKeyType !== 'x25519') throw new Error('nothing can be sealed to this key: it is not X25519')
  return key
}

function pointOf(publicKey: KeyObject): Buffer {
  return publicKey.export({ format: 'der', type: 'spki' }).subarray(SPKI_HEAD.length)
}

/** @throws when the other point is one of those that give the same secret with every key */
function keyBetween(privateKey: KeyObject, publicKey: KeyObject, sender: Buffer, reader: Buffer): Buffer {
  const shared = diffieHellman({ privateKey, publicKey })
  const salt = Buffer.concat([sender, reader])
  return Buffer.from(hkdfSync('sha256', shared, salt, 'fiskd sealed box 1', 32))
}
