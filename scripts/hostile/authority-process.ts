import { createPki, startSimulator } from '../../src/simulator/index.ts'
import { obey, settingsOfChild } from '../chaos/child.ts'
import { changedXml, endless } from './changes.ts'
import { openChangingProxy } from './changing-proxy.ts'

/**
 * Two simulated tax authorities in a process of their own: an honest one for the test mode, and for the live mode one whose
 * answers are changed on their way when that is wanted.
 */

const { seed } = settingsOfChild<{ seed: number }>()
const PKI_AGE_MS = 60 * 86_400_000
const STATUSES = [200, 200, 200, 200, 500, 200, 500, 204, 302, 404, 503]
const TYPES = ['text/xml;charset=UTF-8', 'text/xml', 'application/soap+xml', 'text/html', 'text/xml;charset=UTF-16']
const pki = await createPki({ notBefore: new Date(Date.now() - PKI_AGE_MS) })
const honest = await startSimulator({ pki })
const live = new URL((await startSimulator({ pki, mode: 'live' })).url)

const proxy = await openChangingProxy({
  tls: { cert: pki.tls.certPem, key: pki.tls.keyPem },
  base: live.origin,
  ca: pki.bundlePem,
  spoil: (xml, n) => ({
    body: endless(changedXml(xml), seed + n * 31).next().value,
    status: STATUSES[n % STATUSES.length] ?? 200,
    headers: { 'content-type': TYPES[n % TYPES.length] },
  }),
})

obey({
  facts: () => ({
    url: honest.url,
    liveUrl: `https://127.0.0.1:${proxy.port}${live.pathname}`,
    bundlePem: pki.bundlePem,
    issuing: pki.toJSON().issuing,
  }),
  async issue(oib: string) {
    const { p12, passphrase } = await pki.issueCompany({ oib })
    return { p12: p12.toString('base64'), passphrase }
  },
  change: proxy.change,
  changed: proxy.changed,
})
