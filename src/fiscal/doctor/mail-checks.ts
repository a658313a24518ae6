import { type Check, failure, fine, warning } from '../../domain/check.ts'
import { type AlertTo, recipientsOf } from '../alerts/recipients.ts'
import type { MailTransport } from '../ports/mail.ts'
import type { StoreTransaction } from '../ports/store.ts'
import type { HealthCheck } from './doctor.ts'

interface Deps {
  store: StoreTransaction
  /** Null without a mail server. */
  transport: Pick<MailTransport, 'check'> | null
  alertTo: AlertTo
  role: 'gateway' | 'server'
}

const NAME = { en: 'mail', hr: 'e-pošta' }
const SET_IT = {
  en: 'set FISKD_SMTP_URL in /etc/fiskd/fiskd.env, restart fiskd, then: fisk alert test',
  hr: 'postavite FISKD_SMTP_URL u /etc/fiskd/fiskd.env, ponovno pokrenite fiskd, a zatim: fisk alert test',
}

/** Whether alerts are mailed to at least one recipient. */
export function mailChecks({ store, transport, alertTo, role }: Deps): HealthCheck[] {
  return [{ name: NAME, run: async () => [await examine()] }]

  async function examine(): Promise<Check> {
    if (!transport) {
      const found = {
        en: 'no mail server is set: alerts stand on the dashboard and in fisk alert list',
        hr: 'poslužitelj e-pošte nije postavljen: upozorenja su na nadzornoj ploči i u naredbi fisk alert list',
      }
      // The central server mails a gateway's alerts, if there is one.
      return role === 'server' ? warning(NAME, found, SET_IT) : fine(NAME, found)
    }
    const { ok, answer } = await transport.check()
    if (!ok) {
      const detail = {
        en: `the mail server cannot be used: ${answer}`,
        hr: `poslužitelj e-pošte ne može se koristiti: ${answer}`,
      }
      return failure(NAME, detail, { en: `mend it, or ${SET_IT.en}`, hr: `popravite ga ili ${SET_IT.hr}` })
    }
    let recipients = 0
    for (const { id } of await store.tenants.list()) recipients += (await recipientsOf(store, id, alertTo)).length
    if (recipients > 0)
      return fine(NAME, {
        en: `${answer}; alerts go to ${recipients} ${recipients === 1 ? 'address' : 'addresses'}`,
        hr: `${answer}; adresa na koje stižu upozorenja: ${recipients}`,
      })
    const detail = { en: `${answer}, but nobody is told of alerts`, hr: `${answer}, ali upozorenja nikomu ne stižu` }
    return warning(NAME, detail, {
      en: 'give a user a mail address, or set FISKD_ALERT_TO',
      hr: 'upišite korisniku adresu e-pošte ili postavite FISKD_ALERT_TO',
    })
  }
}
