import { isAlertKind, isOfferWithdrawn } from '../alert.ts'
import { en } from './en.ts'
import { type AlertWords, factsOf } from './facts.ts'
import { hr } from './hr.ts'

export type { AlertWords }

const WORDS = { hr, en }

/** The words of an alert in a language, as plain text: escape them for markup. */
export function alertWords(
  alert: { kind: string; detail: Readonly<Record<string, unknown>> },
  language: keyof typeof WORDS,
): AlertWords {
  const kind = isOfferWithdrawn(alert) ? 'invoices_failed' : alert.kind
  return WORDS[language][isAlertKind(kind) ? kind : 'other'](factsOf(alert.detail))
}
