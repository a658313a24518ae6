import { createPrivateKey, X509Certificate } from 'node:crypto'
import { createChainValidator } from '../../../src/certificates/chain.ts'
import { openPkcs12 } from '../../../src/certificates/pkcs12.ts'
import { judge } from '../../../src/cis/answer/judge-answer.ts'
import { createSigners } from '../../../src/cis/answer/trusted-signers.ts'
import { writeMessage } from '../../../src/cis/message/invoice-message.ts'
import { signMessage } from '../../../src/cis/message/sign-message.ts'
import { envelope, soapHeaders } from '../../../src/cis/message/soap.ts'
import { createTransport } from '../../../src/cis/transport/transport.ts'
import type { SigningIdentity } from '../../../src/fiscal/ports/certificates.ts'
import type { TaxAuthority } from '../../../src/fiscal/ports/tax-authority.ts'
import type { AuthorityFacts } from '../../chaos/authority.ts'
import type { Stopwatch } from './stopwatch.ts'

/** What `cis/client.ts` does to send a sale, with the time of each step taken. */
export function authorityInSteps({ url, bundlePem }: AuthorityFacts, watch: Stopwatch): TaxAuthority {
  const pems = bundlePem.split(/(?<=-----END CERTIFICATE-----)\s*/).filter(Boolean)
  const ders = pems.map((pem) => new X509Certificate(pem).raw)
  const signers = createSigners({
    trust: { certificates: () => ders },
    chains: createChainValidator(),
    commonNames: { test: 'fiskalcistest', live: 'fiskalcis' },
  })
  const transport = createTransport({ urls: { test: url, live: url }, bundle: () => bundlePem, timeoutMs: 4000 })
  return {
    expect: transport.expect,
    async sign(message) {
      const unsigned = await watch.during('build', () => writeMessage(message))
      return { ...message, xml: envelope(await signMessage(unsigned, message.identity)) }
    },
    async submit(message, sent) {
      const reply = await watch.during('wait', () => transport.post('test', soapHeaders('racuni'), message.xml, sent))
      const judges = { signers, sha1Answers: 'refuse', present: presentOf } as const
      const { outcome, signature } = await watch.during('verify', () => judge(reply, message, judges))
      if (outcome.kind !== 'confirmed') throw new Error(`a sale is not confirmed: ${outcome.message}`)
      const responseXml = reply.arrived ? reply.body.toString('utf8') : null
      return { requestXml: message.xml, responseXml, httpStatus: reply.status, durationMs: 0, outcome, signature }
    },
    echo: () => Promise.reject(new Error('nobody asks')),
  }
}

/** What the company signs with. @param certificateId under which its certificate is stored */
export async function identityOf({ p12, passphrase }: AuthorityFacts, certificateId: string): Promise<SigningIdentity> {
  const { privateKey, certificate } = await openPkcs12(Buffer.from(p12, 'base64'), passphrase)
  return {
    certificateId,
    privateKey: createPrivateKey({ key: privateKey, format: 'der', type: 'pkcs8' }),
    certificateDer: certificate,
  }
}

function presentOf() {
  const now = Date.now()
  return { now, earliest: now, latest: now }
}
