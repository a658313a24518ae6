import { type Check, failure, fine, warning } from '../../domain/check.ts'
import { type AlertTo, recipientsOf } from '../alerts/recipients.ts'
import type { MailTransport } from '../ports/mail.ts'
import type { StoreTransaction } from '../ports/store.ts'
import type { HealthCheck } from './doctor.ts'

interface Deps {
  store: Pick<StoreTransaction, 'tenants' | 'users'>
  /** Null without a mail server. */
  transport: Pick<MailTransport, 'check'> | null
  alertTo: AlertTo
  role: 'gateway' | 'server'
}

const NAME = 'mail'
const SET_IT = 'set FISKD_SMTP_URL in /etc/fiskd/fiskd.env, restart fiskd, then: fisk alert test'

/** Whether alerts are mailed to at least one recipient. */
export function mailChecks({ store, transport, alertTo, role }: Deps): HealthCheck[] {
  return [{ name: NAME, run: async () => [await examine()] }]

  async function examine(): Promise<Check> {
    if (!transport) {
      const found = 'no mail server is set: alerts stand on the dashboard and in fisk alert list'
      // The central server mails a gateway's alerts, if there is one.
      return role === 'server' ? warning(NAME, found, SET_IT) : fine(NAME, found)
    }
    const { ok, answer } = await transport.check()
    if (!ok) return failure(NAME, `the mail server cannot be used: ${answer}`, `mend it, or ${SET_IT}`)
    let recipients = 0
    for (const { id } of await store.tenants.list()) recipients += (await recipientsOf(store, id, alertTo)).length
    if (recipients > 0)
      return fine(NAME, `${answer}; alerts go to ${recipients} ${recipients === 1 ? 'address' : 'addresses'}`)
    return warning(NAME, `${answer}, but nobody is told of alerts`, 'give a user a mail address, or set FISKD_ALERT_TO')
  }
}
