import type { AlertKind } from '../alert.ts'
import { withoutControls } from '../control-characters.ts'
import { parseInstant } from '../instant.ts'
import { FINDING_CODES } from '../sale/findings.ts'
import { canBeConfirmed, isRestrictiveCode } from '../sale/refusal.ts'
import { shownTime, timeInSentence } from '../zagreb.ts'

export type AlertFacts = ReturnType<typeof factsOf>

/** The company of the sales, with a mark for test sales. */
export const salesOf = ({ company, isTest }: AlertFacts) => (isTest ? `${company}, test` : company)

export const noteOfTest: InLanguages<(facts: AlertFacts) => string> = {
  hr: ({ isTest }) => (isTest ? ' Riječ je o testnim računima.' : ''),
  en: ({ isTest }) => (isTest ? ' This concerns test sales.' : ''),
}

/** Whether the restrictive codes show that none of the refused sales can be confirmed any more. */
export const isLost = ({ restrictiveCodes: codes }: AlertFacts) => codes.length > 0 && !codes.some(canBeConfirmed)

/** An alert for readers without technical knowledge: what is wrong, since when and by when, and what to do next. */
export interface AlertWords {
  /** Without a full stop, and short enough for the subject of a mail. */
  title: string
  what: string
  todo: string
}

export type InLanguages<T> = Record<'hr' | 'en', T>
export type WordsOfKind = InLanguages<(facts: AlertFacts) => AlertWords>
export type WordsOfKinds = Record<AlertKind, WordsOfKind>

/** Own names are short; a longer text is foreign. */
const LONGEST = 200

function readerOf(detail: Readonly<Record<string, unknown>> | null, language: keyof InLanguages<unknown>) {
  return {
    /** Any text in the detail; `-` when missing. */
    text(name: string) {
      const value = detail?.[name]
      const shown = typeof value === 'string' ? withoutControls(value).trim() : ''
      return shown.slice(0, LONGEST) || '-'
    },
    number(name: string) {
      const value = detail?.[name]
      return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0
    },
    /** Date and time in Zagreb, `-` when unknown. */
    time(name: string, shown = timeInSentence) {
      const at = parseInstant(detail?.[name])
      return at === undefined ? '-' : shown(at, language)
    },
    list: (name: string): unknown[] => (Array.isArray(detail?.[name]) ? detail[name] : []),
  }
}

/** The detail of an alert, made safe to show: it may come from a gateway, so every field is checked. */
export function factsOf(detail: Readonly<Record<string, unknown>>, language: keyof InLanguages<unknown>) {
  const { text, number, time, list } = readerOf(detail, language)
  const found = list('codes')
  return {
    company: text('company'),
    device: text('device'),
    gateway: text('gateway'),
    isTest: detail.mode === 'test',
    count: number('count'),
    oldestAt: time('oldest_at'),
    deadlineAt: time('deadline_at'),
    /** Name, place, last sale and usual sales a week of each machine that it lists. */
    machines: list('machines').map((one) => {
      const { text, number, time } = readerOf(one as Readonly<Record<string, unknown>> | null, language)
      return [text('device'), text('place'), time('since', shownTime), String(number('sales_per_week'))]
    }),
    notAfter: time('not_after'),
    since: time('since'),
    lastAt: time('last_at'),
    /** The restrictive codes (`s013`) of refused sales, each once. */
    restrictiveCodes: [...new Set(list('restrictive_codes').filter(isRestrictiveCode))],
    findings: FINDING_CODES.filter((code) => found.includes(code)),
    text,
    is: (name: string) => detail[name] === true,
    number,
  }
}
