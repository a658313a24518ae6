import { FiskError } from '../../domain/errors.ts'
import { memberOf } from '../../domain/sale/config-chain.ts'
import { isAboutTags } from '../../fiscal/jobs/forecast.ts'
import { readTag } from '../../fiscal/machines/tags.ts'
import type { Job } from '../../fiscal/ports/jobs.ts'
import type { Language } from '../../fiscal/ports/model.ts'
import { textOfError } from '../error-texts.ts'
import type { DashboardDeps, PageContext } from '../page-routes.ts'
import { editorOf, type Sent } from '../settings/editor.ts'
import { readSettings } from '../settings/effective-settings.ts'
import { texts as settingTexts } from '../settings/texts.ts'
import { texts } from './texts.ts'

/** What is to be typed before work begins, as the page that asks shows it again when it is wrong. */
export interface Typed {
  errors?: Record<string, string>
  faults?: Sent['faults']
}

/** Of a device, above a company whose settings are not known: those of all the chosen ones may differ. */
const ANY_DEVICE = { own: {}, above: {} }

export function readTyped(
  { kind, parameters }: Pick<Job, 'kind' | 'parameters'>,
  { form, language }: Pick<PageContext, 'form' | 'language'>,
): { parameters: Job['parameters'] } | Typed {
  if (isAboutTags(kind)) {
    try {
      return { parameters: { tag: readTag(form.tag ?? '') } }
    } catch (error) {
      if (!(error instanceof FiskError)) throw error
      return { errors: { tag: textOfError(error, language) } }
    }
  }
  if (kind !== 'settings') return { parameters }
  const setting = form.setting ?? ''
  if (!settingsOfDevices(language).some(({ value }) => value === setting)) {
    return { errors: { setting: texts[language].chooseSetting } }
  }
  const read = readSettings(form, {})
  if ('faults' in read && read.faults.has(setting)) return { faults: read.faults }
  const value = 'config' in read ? memberOf(read.config, setting) : undefined
  return { parameters: { setting, ...(value !== undefined && { value }) } }
}

/** What the page that asks has to ask for; `setting` is null until it was chosen which one. */
export async function typedOf(
  { office }: DashboardDeps,
  { principal, language, form }: PageContext,
  kind: Job['kind'],
  { errors = {}, faults }: Typed,
) {
  const rows = kind === 'settings' ? rowsOf(language, faults && { form, faults }) : []
  return {
    errors,
    form,
    tags: isAboutTags(kind) ? await office.machines.tags(principal) : null,
    settings: kind === 'settings' ? settingsOfDevices(language) : null,
    setting: rows.find(({ key }) => key === form.setting) ?? null,
    noneHere: settingTexts[language].noneHere,
  }
}

function rowsOf(language: Language, sent?: Sent) {
  const asCompany = texts[language].asCompany
  return editorOf(ANY_DEVICE, language, sent)
    .groups.flatMap(({ rows }) => rows)
    .map((row) => ({
      ...row,
      options: row.options?.map((option) => (option.value === '' ? { value: '', text: asCompany } : option)) ?? null,
    }))
}

const settingsOfDevices = (language: Language) =>
  rowsOf(language).map(({ key, label }) => ({ value: key, text: label }))

/** What a job was given, in words; empty where its name says all. */
export function aboutOf({ kind, parameters }: Pick<Job, 'kind' | 'parameters'>, language: Language): string {
  if (isAboutTags(kind)) return String(parameters.tag)
  const labels: Record<string, string> = settingTexts[language].labels
  return kind === 'settings' ? (labels[String(parameters.setting)] ?? String(parameters.setting)) : ''
}
