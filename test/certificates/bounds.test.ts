import { X509Certificate } from 'node:crypto'
import forge from 'node-forge'
import { expect, onTestFinished } from 'vitest'
import { CERTIFICATE_BOUNDS } from '../../src/certificates/bounds.ts'
import { createChainValidator } from '../../src/certificates/chain.ts'
import { createKeyDerivation } from '../../src/certificates/key-derivation.ts'
import { openPkcs12 } from '../../src/certificates/pkcs12.ts'
import { FiskError } from '../../src/domain/errors.ts'
import { makePkcs12 } from '../../src/simulator/pkcs12.ts'
import { type Bring, TAKEN, testBounds } from '../support/bounds.ts'
import { authority, type Issued, issue } from '../support/issued-certificates.ts'

const company = issue({ name: 'FISKAL 1', bits: 2048 })
const strange = issue({ name: 'Another' })
const root = issue({ name: 'Root', extensions: authority() })
const issuer = issue({ name: 'CA', by: root, extensions: authority() })
/** Of the same name and another key. */
const strangers = Array.from({ length: CERTIFICATE_BOUNDS.signatures.most }, () =>
  issue({ name: 'CA', by: root, keysOf: company, extensions: authority() }),
)

const fileWith = (certificates: Issued[]) =>
  makePkcs12({
    keyPems: [forge.pki.privateKeyToPem(company.key)],
    certPems: certificates.map(({ der }) => new X509Certificate(der).toString()),
    passphrase: 'x',
    algorithm: 'aes256',
  })

/** A file that no passphrase opens: its MAC has so many bytes and asks for so many rounds. */
function withMac({ bytes = 32, rounds = 1 }): Buffer {
  const { Class, Type, create, fromDer, integerToDer, toDer } = forge.asn1
  const file = fromDer(fileWith([company]).toString('latin1'))
  const mac = membersOf(membersOf(file)[2])
  mac[2] = create(Class.UNIVERSAL, Type.INTEGER, false, integerToDer(rounds).getBytes())
  const digest = membersOf(mac[0])
  digest[1] = create(Class.UNIVERSAL, Type.OCTETSTRING, false, 'x'.repeat(bytes))
  return Buffer.from(toDer(file).getBytes(), 'latin1')
}

const membersOf = (node: forge.asn1.Asn1 | undefined) => (node?.value ?? []) as forge.asn1.Asn1[]

/** A file that is read as far as its MAC is taken: then its passphrase is refused, and not the file. */
async function opened(file: Buffer): Promise<string> {
  try {
    await openPkcs12(file, 'x')
    return TAKEN
  } catch (error) {
    if (!(error instanceof FiskError)) throw error
    return error.param === 'passphrase' ? TAKEN : `${error.status} ${error.code}`
  }
}

/** That this process has started. */
const processes = () => process.getActiveResourcesInfo().filter((name) => name === 'ProcessWrap').length

/** Derives a key in several goes, and says where. */
async function derived(...rounds: number[]): Promise<string> {
  const derivation = createKeyDerivation()
  onTestFinished(derivation.stop)
  await expect.poll(() => processes()).toBe(0)
  for (const count of rounds) await derivation.hashRepeatedly('sha256', Buffer.of(1), count)
  const where = processes() > 0 ? 'done in a process of its own' : TAKEN
  derivation.stop()
  return where
}

async function trusted(leaf: Issued, between: Issued[]): Promise<string> {
  const intermediates = between.map(({ der }) => der)
  const verdict = await createChainValidator().validate(leaf.der, intermediates, [root.der], Date.now())
  return verdict.trusted ? TAKEN : 'not trusted'
}

const cases: Record<keyof typeof CERTIFICATE_BOUNDS, Bring> = {
  rounds: (rounds) => opened(withMac({ rounds })),
  roundsHere: (rounds) => derived(rounds),
  roundsOfFileHere: (rounds) => derived(4000, 4000, 4000, 4000, rounds - 16_000),
  mac: (bytes) => opened(withMac({ bytes })),
  certificates: (count) => opened(fileWith(Array.from({ length: count }, () => company))),
  async certificateBytes(bytes) {
    const padded = (length: number) =>
      issue({ name: 'CA', keysOf: strange, extensions: [...authority(), { id: '1.2.3.4', value: 'x'.repeat(length) }] })
    const bare = padded(90_000).der.length + company.der.length
    return opened(fileWith([company, padded(90_000 + bytes - bare)]))
  },
  async names(length) {
    const { issuer } = await openPkcs12(fileWith([company]), 'x')
    const name = 'x'.repeat(length - issuer.length + company.name.length)
    return opened(fileWith([issue({ name, keysOf: company })]))
  },
  async path(count) {
    const between: Issued[] = []
    // All but the leaf and the root.
    for (let i = 2; i < count; i++) {
      between.push(issue({ name: `CA ${i}`, by: between.at(-1) ?? root, keysOf: company, extensions: authority() }))
    }
    return trusted(issue({ name: 'Leaf', by: between.at(-1) ?? root, keysOf: company }), between)
  },
  signatures(count) {
    // The strangers come first, and are tried in vain; the issuer and the root are the last two.
    const leaf = issue({ name: 'Leaf', by: issuer, keysOf: company })
    return trusted(leaf, [...strangers.slice(0, count - 2), issuer])
  },
}

testBounds(CERTIFICATE_BOUNDS, cases)
