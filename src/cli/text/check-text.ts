import type { DiagnosisView } from '../../contract/admin/diagnosis.ts'
import type { SaidCheck } from '../../domain/check.ts'
import type { Both } from '../../domain/texts/both.ts'
import { type Language, translate } from '../words/translate.ts'
import { columns, paragraph } from './columns.ts'
import { painted, type Screen } from './screen.ts'

/** Names of companies stand in names of checks, and are as long as they like: what is longer gets a line of its own. */
const WIDEST_NAME = 28

const COLOURS = { ok: 'green', warn: 'yellow', fail: 'red', skip: 'cyan' } as const

export function checksText(found: DiagnosisView['checks'], screen: Screen): string {
  const checks = found.map((check) => inWordsOf(screen.language, check))
  const width = Math.min(WIDEST_NAME, Math.max(0, ...checks.map(({ name }) => columns(name))))
  const widest = Math.max(...Object.keys(COLOURS).map((status) => translate(status, screen.language).length))
  // Names of companies and machines stand in them, which are no words of ours.
  const line = (first: string, text: string) => paragraph(first, text, { ...screen, language: 'en' })
  const rows = checks.map(({ name, status, detail, fix }) => {
    const word = translate(status, screen.language)
    const lead = `${word.padEnd(widest)}  `
    const beside = `${lead}${name}${' '.repeat(Math.max(0, width - columns(name)))}  `
    const below = ' '.repeat(columns(lead) + width + 2)
    const isWide = columns(name) > width
    const shown = isWide ? line(lead, name) + line(below, detail) : line(beside, detail)
    const todo = fix === null ? '' : line(`${below}${translate('Fix:', screen.language)} `, fix)
    return shown.replace(word, painted(COLOURS[status], word, screen)) + todo
  })
  return rows.join('')
}

function inWordsOf(language: Language, { name, status, detail, fix }: DiagnosisView['checks'][number]): SaidCheck {
  // A daemon without a database says in English what `fisk` has its own words for.
  const say = ({ en, hr }: Both) => (en === hr ? translate(en, language) : { en, hr }[language])
  return { name: name[language], status, detail: say(detail), fix: fix && say(fix) }
}
