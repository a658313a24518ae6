import { SEVERITIES, severityOf } from '../domain/alert.ts'
import { alertWords } from '../domain/alert-texts/alert-texts.ts'
import { shownTime } from '../domain/zagreb.ts'
import type { MailWords, ToldAlert } from '../fiscal/ports/mail.ts'
import type { Language } from '../fiscal/ports/model.ts'
import type { Entry, Letter } from './mail-content.ts'
import { PHRASES } from './mail-texts.ts'
import { htmlOf } from './render-html.ts'
import { textOf } from './render-plain-text.ts'

export interface WordsOptions {
  /** The base address of the dashboard, without a slash at the end. */
  dashboardUrl: string
  /** The name of this machine, shown in mails. */
  host: string
}

/** At most this many alerts per kind are listed. */
const NAMED = 5
const LONGEST_SUBJECT = 150

/** Creates the texts of mails in the recipient's language. */
export function createMailWords({ dashboardUrl, host }: WordsOptions): MailWords {
  const base = `${dashboardUrl}/dashboard`
  return {
    digest(alerts, language) {
      const entries = entriesOf(alerts, language, base)
      const { urgent, andMore, why } = PHRASES[language]
      const [loudest] = entries
      const others = alerts.length - 1
      const title = `${loudest?.severity === 'urgent' ? urgent : ''}${loudest?.title ?? ''}`
      const subject = `[fiskd] ${cut(title, LONGEST_SUBJECT)}${others > 0 ? andMore(others) : ''}`
      const letter: Letter = { language, entries, allLink: `${base}/alerts`, why: why(host) }
      return { subject, text: textOf(letter), html: htmlOf(letter) }
    },
    test(language, at) {
      const { testSubject, test, why } = PHRASES[language]
      const what = test(host, shownTime(at, language))
      const letter: Letter = { language, entries: [], allLink: `${base}/alerts`, why: why(host) }
      return { subject: `[fiskd] ${testSubject}`, text: textOf(letter, what), html: htmlOf(letter, what) }
    },
  }
}

/** The most severe first, then the oldest. */
function entriesOf(alerts: readonly ToldAlert[], language: Language, base: string): Entry[] {
  const kinds = new Map<string, ToldAlert[]>()
  for (const told of [...alerts].sort(byLoudness)) {
    const key = `${severityOf(told.alert)} ${told.alert.kind}`
    const same = kinds.get(key)
    if (same) same.push(told)
    else kinds.set(key, [told])
  }
  return [...kinds.values()].flatMap((same) =>
    same
      .slice(0, NAMED)
      .map((told, index) => entryOf(told, language, base, index === NAMED - 1 ? same.length - NAMED : 0)),
  )
}

const byLoudness = ({ alert: one }: ToldAlert, { alert: other }: ToldAlert) =>
  SEVERITIES.indexOf(severityOf(one)) - SEVERITIES.indexOf(severityOf(other)) || one.raisedAt - other.raisedAt

function entryOf({ alert, gateway }: ToldAlert, language: Language, base: string, others: number): Entry {
  const phrases = PHRASES[language]
  const facts: Entry['facts'] = [[phrases.since, shownTime(alert.raisedAt, language)]]
  if (gateway !== null) facts.push([phrases.gateway, gateway])
  const link = `${base}/alerts/${encodeURIComponent(alert.id)}`
  return { severity: severityOf(alert), ...alertWords(alert, language), facts, link, others }
}

const cut = (text: string, length: number) => (text.length <= length ? text : `${text.slice(0, length - 1)}…`)
