import { isAlertKind, isOfferWithdrawn } from '../alert.ts'
import { type AlertWords, factsOf, type InLanguages, type WordsOfKinds } from './alert-facts.ts'
import { certificateWords } from './certificate-alerts.ts'
import { gatewayWords } from './gateway-alerts.ts'
import { invoiceWords } from './invoice-alerts.ts'
import { machineWords } from './machine-alerts.ts'
import { mailWords } from './mail-alerts.ts'
import { numberWords } from './number-alerts.ts'

export type { AlertWords }

const WORDS: WordsOfKinds = {
  ...{ ...invoiceWords, ...certificateWords, ...numberWords },
  ...{ ...gatewayWords, ...machineWords, ...mailWords },
}

const OF_UNKNOWN_KIND: InLanguages<AlertWords> = {
  hr: {
    title: 'Nešto zahtijeva pozornost',
    what: 'Novija inačica programa fiskd javila je nešto za što ova još nema tekst.',
    todo: 'Pogledajte pojedinosti u upozorenju i ažurirajte fiskd na ovom računalu.',
  },
  en: {
    title: 'Something needs attention',
    what: 'A newer version of fiskd has reported an alert that this version does not know.',
    todo: 'Open the alert to see its details, and update fiskd on this computer.',
  },
}

/** The words of an alert in a language, as plain text: escape them for markup. */
export function alertWords(
  alert: { kind: string; detail: Readonly<Record<string, unknown>> },
  language: keyof InLanguages<unknown>,
): AlertWords {
  const kind = isOfferWithdrawn(alert) ? 'invoices_failed' : alert.kind
  return isAlertKind(kind) ? WORDS[kind][language](factsOf(alert.detail, language)) : OF_UNKNOWN_KIND[language]
}
