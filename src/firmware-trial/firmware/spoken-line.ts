import type { Spoken } from '../evidence.ts'

/** What a line of the firmware says to the trial; null for a line of its log. */
export function spokenIn(line: string): Pick<Spoken, 'kind' | 'word' | 'text'> | null {
  const [, kind, word = '', text = ''] = /^(goods|refused|screen) (\S+)(?: (.*))?$/.exec(line.trimEnd()) ?? []
  if (kind === 'screen') return { kind, word, text }
  if ((kind === 'goods' || kind === 'refused') && text === '') return { kind, word, text }
  return null
}
