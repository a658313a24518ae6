import { attempt } from '../../domain/attempt.ts'
import type { EpochMs } from '../../domain/instant.ts'
import type { Invoice, Language } from '../../fiscal/ports/model.ts'
import type { AskedRequest, CorrectedFields } from '../../fiscal/ports/rows/authority-requests.ts'
import { requireCorrectable } from '../../fiscal/requests/correct-invoice.ts'
import { inBoth } from '../language.ts'
import { REQUEST_STATES } from '../shared-texts.ts'
import { texts } from './texts.ts'

export const correctTexts = inBoth({
  title: { en: 'Corrections', hr: 'Ispravci' },
  correct: { en: 'Correct the payment method', hr: 'Ispravi način plaćanja' },
  about: {
    en: 'On the day of the sale the tax authority takes another payment method, and on attended sales another OIB of the recipient. The invoice itself stays as it was issued.',
    hr: 'Na dan prodaje Porezna uprava prima ispravak načina plaćanja, a za prodaju uz djelatnika i OIB-a kupca. Sam račun ostaje kakav je izdan.',
  },
  method: { en: 'Right payment method', hr: 'Točan način plaćanja' },
  recipient: { en: 'OIB of the recipient, for attended sales', hr: 'OIB kupca, za prodaju uz djelatnika' },
  go: { en: 'Continue', hr: 'Nastavi' },
  question: {
    en: (machine: string, number: string, change: string) =>
      `Machine ${machine}, invoice ${number}: ${change}. Send it?`,
    hr: (machine: string, number: string, change: string) => `Uređaj ${machine}, račun ${number}: ${change}. Poslati?`,
  },
  payment: { en: 'payment method', hr: 'način plaćanja' },
  recipientOib: { en: 'OIB of the recipient', hr: 'OIB kupca' },
  none: { en: 'none', hr: 'nema' },
  send: { en: 'Send the correction', hr: 'Pošalji ispravak' },
  states: REQUEST_STATES,
})

const KINDS = { sent: 'warn', done: 'ok', refused: 'bad', unknown: 'warn' } as const

export const requestBadge = (state: AskedRequest['state'], language: Language) => ({
  kind: KINDS[state],
  text: correctTexts[language].states[state],
})

/** Payment method and recipient, old and new. */
export function changeText(from: CorrectedFields, to: CorrectedFields, language: Language): string {
  const t = correctTexts[language]
  const { payments } = texts[language]
  const changes = [
    ...(from.paymentMethod === to.paymentMethod
      ? []
      : [`${t.payment} ${payments[from.paymentMethod]} → ${payments[to.paymentMethod]}`]),
    ...(from.recipientOib === to.recipientOib
      ? []
      : [`${t.recipientOib} ${from.recipientOib ?? t.none} → ${to.recipientOib ?? t.none}`]),
  ]
  return changes.join(', ')
}

export function correctionRow({ asked, state, sentAt, message }: AskedRequest, language: Language) {
  return {
    change: asked.kind === 'correction' ? changeText(asked.from, asked.to, language) : '',
    badge: requestBadge(state, language),
    at: sentAt,
    said: message,
  }
}

export const isCorrectable = (invoice: Invoice, now: EpochMs): boolean =>
  attempt(() => {
    requireCorrectable(invoice, now)
    return true
  }, false)
