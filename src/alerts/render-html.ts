import type { Severity } from '../domain/alert.ts'
import { escaped } from '../domain/texts/escaped.ts'
import type { Entry, Letter } from './mail-content.ts'
import { PHRASES } from './mail-texts.ts'

/** Mail programs support style sheets poorly, so each element has its own styles. */
const STYLE = {
  body: 'margin:0;padding:16px;background:#ffffff;color:#1b1b1f;font:16px/1.5 Arial,Helvetica,sans-serif',
  title: 'margin:0 0 4px;font-size:18px;line-height:1.3',
  facts: 'margin:0 0 8px;color:#54545c;font-size:14px',
  paragraph: 'margin:0 0 8px',
  link: 'color:#0b4f9c',
  why: 'margin:24px 0 0;color:#54545c;font-size:13px',
}

const COLOURS: Record<Severity, string> = { urgent: '#a3121a', warning: '#8a5300', info: '#0b4f9c' }

/** A mail as HTML, without pictures and external resources. @param first a paragraph before the alerts */
export function htmlOf({ language, entries, allLink, why }: Letter, first?: string): string {
  const phrases = PHRASES[language]
  const paragraph = (html: string) => `<p style="${STYLE.paragraph}">${html}</p>`
  const link = (href: string, text: string) => `<a href="${escaped(href)}" style="${STYLE.link}">${escaped(text)}</a>`
  const entry = ({ severity, title, facts, what, todo, link: href, others }: Entry) => {
    const colour = COLOURS[severity]
    const told = facts.map(([name, value]) => escaped(`${name}: ${value}`)).join(' · ')
    return [
      `<div style="margin:0 0 20px;padding:0 0 0 12px;border-left:4px solid ${colour}">`,
      `<h2 style="${STYLE.title}"><span style="color:${colour}">${escaped(phrases.headings[severity])}:</span> ${escaped(title)}</h2>`,
      `<p style="${STYLE.facts}">${told}</p>`,
      paragraph(escaped(what)),
      paragraph(`<strong>${escaped(phrases.todo)}:</strong> ${escaped(todo)}`),
      paragraph(link(href, phrases.open)),
      ...(others > 0 ? [paragraph(escaped(phrases.moreOfThese(others)))] : []),
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
