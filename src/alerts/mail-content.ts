import type { Severity } from '../domain/alert.ts'
import type { Language } from '../fiscal/ports/model.ts'

/** An alert as it stands in a mail: plain text. */
export interface Entry {
  severity: Severity
  title: string
  /** Since when, and which gateway tells of it: names and values. */
  facts: [name: string, value: string][]
  what: string
  todo: string
  link: string
  /** Alerts of the same kind that are not named. */
  others: number
}

export interface Letter {
  language: Language
  entries: readonly Entry[]
  allLink: string
  why: string
}
