import type { Severity } from '../domain/alert.ts'
import type { Language } from '../fiscal/ports/model.ts'

/** The content of an alert in a mail, as plain text. */
export interface Entry {
  severity: Severity
  title: string
  /** Names and values: since when it is raised, and which gateway reported it. */
  facts: [name: string, value: string][]
  what: string
  todo: string
  link: string
  /** The number of alerts of the same kind that are not listed. */
  others: number
}

export interface Letter {
  language: Language
  entries: readonly Entry[]
  allLink: string
  why: string
}
