import { type CompanyCertificate, createPki, startSimulator } from '../../src/simulator/index.ts'
import type { AuthorityFacts, AuthoritySettings, Received } from './authority.ts'
import { moodOf } from './authority-moods.ts'
import { createChance } from './chance.ts'
import { obey, settingsOfChild } from './child.ts'
import { tick } from './wait.ts'

/** The simulated authority in a process of its own: it outlives every daemon, and ends with whoever started it. */

/** Older than any step of the daemon's clock, so that no certificate is too young for it. */
const PKI_AGE_MS = 60 * 86_400_000

const { port, seed, oib, answerMs } = settingsOfChild<AuthoritySettings>()
const chance = createChance(seed)
const arrivals: number[] = []
let wild = false
const pki = await createPki({ notBefore: new Date(Date.now() - PKI_AGE_MS) })
const company = await pki.issueCompany({ oib })
const simulator = await startSimulator({
  port,
  pki,
  mood: () => (wild ? moodOf(chance) : answerMs === undefined ? null : { delayMs: answerMs }),
  onMessage: () => void arrivals.push(tick()),
})

const fileOf = ({ p12, passphrase }: CompanyCertificate) => ({ p12: p12.toString('base64'), passphrase })

obey({
  facts: (): AuthorityFacts => ({ url: simulator.url, bundlePem: pki.bundlePem, ...fileOf(company) }),
  wild: () => {
    wild = true
  },
  calm: () => {
    wild = false
    simulator.always(null)
    return simulator.comeBack()
  },
  forge: () => simulator.always('tampered'),
  hang: () => simulator.always('timeout'),
  renew: async () => fileOf(await pki.issueCompany({ oib })),
  goDown: () => simulator.goDown(),
  comeBack: () => simulator.comeBack(),
  received: (): Received[] =>
    simulator.received.map((message, i) => {
      const { messageId, number, premisesCode, zki, zkiMatches, total, occurredAt, sentAt, lateDelivery, jir } = message
      const told = { messageId, number, premisesCode, zki, zkiMatches, total, occurredAt, sentAt, lateDelivery, jir }
      return { ...told, arrivedAt: arrivals[i] ?? 0 }
    }),
})
