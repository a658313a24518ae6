import { withMember } from '../../domain/sale/config-chain.ts'
import type { Language } from '../../fiscal/ports/model.ts'
import { changedFields, type Levels, NONE, type Setting, settingsOf, unreadOf } from './effective-settings.ts'
import { type Fault, typedOf } from './field-values.ts'
import { type FieldKey, GROUPS, noneOf } from './fields.ts'
import { texts } from './texts.ts'

/** The form as it was sent, when the page is shown again. */
export interface Sent {
  form: Record<string, string>
  faults?: Map<string, Fault | { fault: 'both' }>
  /** The settings that its sender had seen, when another user has changed them since. */
  seen?: Levels['own']
}

/** The view model of `settings/editor`: every setting by groups, with what applies and where it comes from. */
export function editorOf(levels: Levels, language: Language, sent?: Sent) {
  const t = texts[language]
  const changed = new Set<FieldKey>(sent?.seen ? changedFields(sent.seen, levels.own) : [])
  const rows = settingsOf(levels).map((setting) => rowOf(setting, language, sent, changed))
  const groups = GROUPS.map((group) => ({
    group,
    title: t.groups[group],
    hint: t.groupHints[group],
    rows: rows.filter((row) => row.group === group),
    isOpen:
      group === 'usual' ||
      rows.some((row) => row.group === group && (row.error || row.meanwhile || row.source === 'own')),
  }))
  const about = levels.above === null ? t.aboutCompany : t.about
  const noneHere = levels.above === null ? t.none : t.noneHere
  return { settings: { ...t, about, noneHere }, groups, unread: unreadOf(levels), meanwhile: changed.size > 0 }
}

function rowOf(setting: Setting, language: Language, sent: Sent | undefined, changed: ReadonlySet<FieldKey>) {
  const t = texts[language]
  const { field, name, source, isNone } = setting
  const { key, group } = field
  const fault = sent?.faults?.get(key)
  const isChoice = field.kind.as === 'choice' || field.kind.as === 'yes'
  const none = noneOf(field) !== undefined
  return {
    key,
    group,
    name,
    source,
    isChoice,
    label: t.labels[key],
    hint: wordOf(t.hints, key) ?? '',
    now: said(setting, setting.value, language),
    value: sent?.form[name] ?? (isChoice && isNone ? NONE : setting.typed),
    options: isChoice ? optionsOf(setting, language, none) : null,
    rows: { text: 2, items: 3, paper: 4 }[field.kind.as as string] ?? 1,
    hasNone: none && !isChoice,
    isNone: sent ? sent.form[`${name}-none`] === 'yes' : isNone,
    ignored: setting.ignored && t.ignored(setting.ignored),
    meanwhile: changed.has(key) ? ownSaid(setting, language) : null,
    error: fault ? `${'line' in fault && fault.line ? t.line(fault.line) : ''}${t.faults[fault.fault]}` : null,
  }
}

const wordOf = (words: Partial<Record<FieldKey, string>>, key: FieldKey) => words[key]

function said({ field }: Setting, value: unknown, language: Language): string[] {
  const t = texts[language]
  if (value === undefined) return [wordOf(t.defaults, field.key) ?? t.defaults.none]
  if (value === null) return [t.none]
  if (typeof value === 'boolean') return [value ? t.yes : t.no]
  const words: Record<string, string> = t.values
  if (field.kind.as === 'choice') return [words[String(value)] ?? String(value)]
  const lines = typedOf(field, value).split('\n')
  if (lines.join('') === '') return [t.none]
  return field.kind.as === 'amount' ? [`${lines[0]} €`] : lines
}

/** The value of a setting of a device in one line; null where it has none of its own, so the company's applies. */
export function settingInWords(key: string, value: unknown, language: Language): string | null {
  const setting = settingsOf({ own: withMember({}, key, value), above: {} }).find(({ field }) => field.key === key)
  if (setting?.source === 'own') return said(setting, setting.value, language).join(' / ')
  return setting?.ignored ?? null
}

const ownSaid = (setting: Setting, language: Language) =>
  setting.source === 'own' ? said(setting, setting.value, language) : [inheritedSaid(setting, language)]

function inheritedSaid(setting: Setting, language: Language): string {
  const t = texts[language]
  const value = said(setting, setting.inherited, language).join(', ')
  return setting.inherited === undefined ? t.asDefault(value) : t.asAbove(value)
}

function optionsOf(setting: Setting, language: Language, hasNone: boolean) {
  const { kind } = setting.field
  const values: [string, unknown][] =
    kind.as === 'choice' ? kind.values.map((value) => [value, value]) : Object.entries({ true: true, false: false })
  const t = texts[language]
  const isKnown = setting.typed === '' || values.some(([value]) => value === setting.typed)
  return [
    { value: '', text: inheritedSaid(setting, language) },
    ...values.map(([value, meant]) => ({ value, text: said(setting, meant, language)[0] })),
    // A stored value that the list does not offer stays when other settings are saved.
    ...(isKnown ? [] : [{ value: setting.typed, text: setting.typed }]),
    ...(hasNone ? [{ value: NONE, text: t.noneHere }] : []),
  ]
}
