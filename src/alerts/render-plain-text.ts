import type { Entry, Letter } from './mail-content.ts'
import { PHRASES } from './mail-texts.ts'

/** A mail as plain text. @param first a paragraph before the alerts */
export function textOf({ language, entries, allLink, why }: Letter, first?: string): string {
  const phrases = PHRASES[language]
  const entry = ({ severity, title, facts, what, todo, link, others }: Entry) =>
    [
      `${phrases.headings[severity].toUpperCase()}: ${title}`,
      ...facts.map(([name, value]) => `${name}: ${value}`),
      '',
      what,
      '',
      `${phrases.todo}: ${todo}`,
      `${phrases.open}: ${link}`,
      ...(others > 0 ? ['', phrases.moreOfThese(others)] : []),
    ].join('\n')
  const parts = [...(first ? [first] : []), ...entries.map(entry), `${phrases.all}: ${allLink}`, `-- \n${why}`]
  return `${parts.join('\n\n')}\n`
}
