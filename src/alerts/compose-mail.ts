import { SEVERITIES, type Severity, severityOf } from '../domain/alert.ts'
import { factsOf } from '../domain/alert-texts/alert-facts.ts'
import { alertWords } from '../domain/alert-texts/alert-texts.ts'
import { inBoth } from '../domain/texts/in-both.ts'
import { escaped } from '../domain/texts/letter-html.ts'
import { plural } from '../domain/texts/plural.ts'
import { shownTime, timeInSentence } from '../domain/zagreb.ts'
import type { Alert } from '../fiscal/ports/alerts.ts'
import type { MailWords, ToldAlert } from '../fiscal/ports/mail.ts'
import type { Language } from '../fiscal/ports/model.ts'

export interface WordsOptions {
  /** The base address of the dashboard, without a slash at the end. */
  dashboardUrl: string
  host: string
}

/** The content of an alert in a mail, as plain text. */
interface Entry {
  severity: Severity
  title: string
  /** Names and values: since when it is raised, and which gateway reported it. */
  facts: [name: string, value: string][]
  what: string
  todo: string
  link: string
  /** A head and a row for each machine, where it is about several. */
  table: string[][]
  /** What is not listed: alerts of the same kind, or machines. */
  others: string | null
  alerts: number
}

interface Letter {
  language: Language
  entries: readonly Entry[]
  allLink: string
  why: string
}

/** At most this many alerts per kind are listed. */
const NAMED = 5
const MOST_ROWS = 100
const LONGEST_SUBJECT = 150

export function createMailWords({ dashboardUrl, host }: WordsOptions): MailWords {
  const base = `${dashboardUrl}/dashboard`
  return {
    digest(alerts, language) {
      const entries = entriesOf(alerts, language, base)
      const { urgent, andMore, why } = PHRASES[language]
      const [loudest] = entries
      const others = alerts.length - (loudest?.alerts ?? 0)
      const title = `${loudest?.severity === 'urgent' ? urgent : ''}${loudest?.title ?? ''}`
      const subject = `[fiskd] ${cut(title, LONGEST_SUBJECT)}${others > 0 ? andMore(others) : ''}`
      const letter: Letter = { language, entries, allLink: `${base}/alerts`, why: why(host) }
      return { subject, text: textOf(letter), html: htmlOf(letter) }
    },
    test(language, at) {
      const { testSubject, test, why } = PHRASES[language]
      const what = test(host, timeInSentence(at, language))
      const letter: Letter = { language, entries: [], allLink: `${base}/alerts`, why: why(host) }
      return { subject: `[fiskd] ${testSubject}`, text: textOf(letter, what), html: htmlOf(letter, what) }
    },
  }
}

/** The most severe first, then the oldest. */
function entriesOf(alerts: readonly ToldAlert[], language: Language, base: string): Entry[] {
  const kinds = Map.groupBy([...alerts].sort(byLoudness), ({ alert }) => `${severityOf(alert)} ${alert.kind}`)
  return [...kinds.values()].flatMap((same) => {
    const table = tableOf(same, language, base)
    if (table) return [table]
    return same
      .slice(0, NAMED)
      .map((told, index) => entryOf(told, language, base, index === NAMED - 1 ? same.length - NAMED : 0))
  })
}

/** Machines of one kind of alert, in one entry; undefined where it is one machine, or none. */
function tableOf(same: readonly ToldAlert[], language: Language, base: string): Entry | undefined {
  const phrases = PHRASES[language]
  const facts = same.map(({ alert }) => factsOf(alert.detail, language))
  const machines = facts.flatMap(({ machines }) => machines)
  const [first] = same
  if (!first || machines.length < 2) return undefined
  const count = facts.reduce((sum, one) => sum + one.count, 0)
  const detail = {
    count,
    is_table: true,
    mode: facts.every(({ isTest }) => isTest) ? 'test' : 'live',
    company: [...new Set(facts.map(({ company }) => company))].join(', '),
  }
  const listed = machines.slice(0, MOST_ROWS)
  return {
    ...entryOf({ alert: { ...first.alert, detail }, gateway: null }, language, base, 0),
    table: [Object.values(phrases.columns), ...listed],
    link: same.length === 1 ? linkTo(first.alert, base) : `${base}/alerts?kind=${first.alert.kind}`,
    others: count > listed.length ? phrases.moreMachines(count - listed.length) : null,
    alerts: same.length,
  }
}

const byLoudness = ({ alert: one }: ToldAlert, { alert: other }: ToldAlert) =>
  SEVERITIES.indexOf(severityOf(one)) - SEVERITIES.indexOf(severityOf(other)) || one.raisedAt - other.raisedAt

function entryOf({ alert, gateway }: ToldAlert, language: Language, base: string, others: number): Entry {
  const phrases = PHRASES[language]
  const facts: Entry['facts'] = [[phrases.since, shownTime(alert.raisedAt, language)]]
  if (gateway !== null) facts.push([phrases.gateway, gateway])
  const link = linkTo(alert, base)
  const words = alertWords(alert, language)
  return {
    severity: severityOf(alert),
    ...words,
    facts,
    link,
    table: [],
    alerts: 1,
    others: others > 0 ? phrases.moreOfThese(others) : null,
  }
}

const linkTo = ({ id }: Alert, base: string) => `${base}/alerts/${encodeURIComponent(id)}`

const cut = (text: string, length: number) => (text.length <= length ? text : `${text.slice(0, length - 1)}…`)

/** A mail as plain text. @param first a paragraph before the alerts */
function textOf({ language, entries, allLink, why }: Letter, first?: string): string {
  const phrases = PHRASES[language]
  const entry = ({ severity, title, facts, what, todo, link, table, others }: Entry) =>
    [
      `${phrases.headings[severity].toUpperCase()}: ${title}`,
      ...facts.map(([name, value]) => `${name}: ${value}`),
      '',
      what,
      '',
      ...(table.length > 0 ? [...table.map((row) => row.join(' | ')), ''] : []),
      `${phrases.todo}: ${todo}`,
      `${phrases.open}: ${link}`,
      ...(others ? ['', others] : []),
    ].join('\n')
  const parts = [...(first ? [first] : []), ...entries.map(entry), `${phrases.all}: ${allLink}`, `-- \n${why}`]
  return `${parts.join('\n\n')}\n`
}

/** Mail programs support style sheets poorly, so each element has its own styles. */
const STYLE = {
  body: 'margin:0;padding:16px;background:#ffffff;color:#1b1b1f;font:16px/1.5 Arial,Helvetica,sans-serif',
  title: 'margin:0 0 4px;font-size:18px;line-height:1.3',
  facts: 'margin:0 0 8px;color:#54545c;font-size:14px',
  paragraph: 'margin:0 0 8px',
  link: 'color:#0b4f9c',
  table: 'margin:0 0 8px;border-collapse:collapse;font-size:14px',
  cell: 'padding:4px 12px 4px 0;border-bottom:1px solid #d0d0d6;text-align:left;vertical-align:top',
  why: 'margin:24px 0 0;color:#54545c;font-size:13px',
}

const COLOURS: Record<Severity, string> = { urgent: '#a3121a', warning: '#8a5300', info: '#0b4f9c' }

/** A mail as HTML, without pictures and external resources. @param first a paragraph before the alerts */
function htmlOf({ language, entries, allLink, why }: Letter, first?: string): string {
  const phrases = PHRASES[language]
  const paragraph = (html: string) => `<p style="${STYLE.paragraph}">${html}</p>`
  const link = (href: string, text: string) => `<a href="${escaped(href)}" style="${STYLE.link}">${escaped(text)}</a>`
  const cells = (row: string[], cell: 'th' | 'td') =>
    `<tr>${row.map((text) => `<${cell} style="${STYLE.cell}">${escaped(text)}</${cell}>`).join('')}</tr>`
  const entry = ({ severity, title, facts, what, todo, link: href, table: [head, ...rows], others }: Entry) => {
    const colour = COLOURS[severity]
    const told = facts.map(([name, value]) => escaped(`${name}: ${value}`)).join(' · ')
    return [
      `<div style="margin:0 0 20px;padding:0 0 0 12px;border-left:4px solid ${colour}">`,
      `<h2 style="${STYLE.title}"><span style="color:${colour}">${escaped(phrases.headings[severity])}:</span> ${escaped(title)}</h2>`,
      `<p style="${STYLE.facts}">${told}</p>`,
      paragraph(escaped(what)),
      ...(head
        ? [
            `<table style="${STYLE.table}">${cells(head, 'th')}${rows.map((row) => cells(row, 'td')).join('\n')}</table>`,
          ]
        : []),
      paragraph(`<strong>${escaped(phrases.todo)}:</strong> ${escaped(todo)}`),
      paragraph(link(href, phrases.open)),
      ...(others ? [paragraph(escaped(others))] : []),
      '</div>',
    ].join('\n')
  }
  return [
    `<!doctype html>`,
    `<html lang="${language}"><head><meta charset="utf-8"><title>fiskd</title></head>`,
    `<body style="${STYLE.body}">`,
    ...(first ? [paragraph(escaped(first))] : []),
    ...entries.map(entry),
    paragraph(link(allLink, phrases.all)),
    `<p style="${STYLE.why}">${escaped(why)}</p>`,
    '</body></html>',
    '',
  ].join('\n')
}

const croatianAlerts = (n: number) => `${n} ${plural(n, 'upozorenje', 'upozorenja', 'upozorenja')}`
const alerts = (n: number) => `${n} more ${n === 1 ? 'alert' : 'alerts'}`

/** The fixed texts of mails. What an alert itself says stands in src/domain/alert-texts: pages say the same. */
const PHRASES = inBoth({
  urgent: { en: 'URGENT: ', hr: 'HITNO: ' },
  headings: {
    urgent: { en: 'Urgent', hr: 'Hitno' },
    warning: { en: 'Warning', hr: 'Upozorenje' },
    info: { en: 'Notice', hr: 'Obavijest' },
  },
  /** The suffix of a subject after the title of the first alert. */
  andMore: {
    en: (others: number) => ` and ${alerts(others)}`,
    hr: (others: number) => ` i još ${croatianAlerts(others)}`,
  },
  moreOfThese: {
    en: (others: number) => `And ${alerts(others)} of this kind.`,
    hr: (others: number) => `I još ${croatianAlerts(others)} iste vrste.`,
  },
  moreMachines: {
    en: (n: number) => `And ${n} more ${n === 1 ? 'device' : 'devices'}.`,
    hr: (n: number) => `I još ${n} ${plural(n, 'uređaj', 'uređaja', 'uređaja')}.`,
  },
  columns: {
    device: { en: 'Device', hr: 'Uređaj' },
    place: { en: 'Place', hr: 'Mjesto' },
    since: { en: 'Last invoice', hr: 'Posljednji račun' },
    usual: { en: 'Invoices a week, usually', hr: 'Inače računa tjedno' },
  },
  since: { en: 'Since', hr: 'Od' },
  gateway: { en: 'Gateway', hr: 'Pristupnik' },
  todo: { en: 'What to do', hr: 'Što učiniti' },
  open: { en: 'Open the alert', hr: 'Otvorite upozorenje' },
  all: { en: 'All alerts', hr: 'Sva upozorenja' },
  why: {
    en: (host: string) =>
      `The program fiskd on the computer ${host} sent this e-mail automatically. Please do not reply to it. ` +
      'You can switch these e-mails off on the page My account.',
    hr: (host: string) =>
      `Ovu je poruku automatski poslao program fiskd na računalu ${host}. Ne odgovarajte na nju. ` +
      'Primanje poruka možete isključiti na stranici Moj profil.',
  },
  testSubject: { en: 'Test e-mail', hr: 'Probna poruka' },
  test: {
    en: (host: string, at: string) =>
      `This is a test e-mail that the program fiskd on the computer ${host} sent on ${at}. Alerts will be sent to this address.`,
    hr: (host: string, at: string) =>
      `Ovo je probna poruka koju je program fiskd na računalu ${host} poslao ${at}. Upozorenja će stizati na ovu adresu.`,
  },
})
