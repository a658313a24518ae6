import { attempt } from '../../domain/attempt.ts'
import type { JsonObject, Role } from '../../fiscal/ports/model.ts'
import { isChangedMeanwhile, readExpected, writeExpected } from '../expected-fields.ts'
import type { PageContext, Pages, ShowAgain } from '../page-routes.ts'
import { editorOf, type Sent } from './editor.ts'
import type { Levels } from './effective-settings.ts'
import { readSettings } from './effective-settings.ts'

/** What differs between the settings of companies and those of devices. */
export interface SettingsOf<File> {
  path: string
  /** Who may change them. */
  role: Role
  /** The name of the field that holds them. */
  key: string
  find(context: PageContext): Promise<File>
  levelsOf(file: File): Levels
  viewOf(context: PageContext, file: File): { title: string; t: object } & Record<string, unknown>
  change(context: PageContext, file: File, config: JsonObject, refused: ShowAgain): Promise<unknown>
}

export function settingsPages<File>(pages: Pages, settings: SettingsOf<File>): void {
  const { path, role, key, find, levelsOf } = settings
  const seenOf = (text: string | undefined) => readExpected<Record<string, JsonObject>, string>(text, [key])[key] ?? {}

  pages.get(path, async (context) => show(context, await find(context)))

  pages.post(path, { role }, async (context) => {
    const file = await find(context)
    const { form } = context
    const read = readSettings(form, levelsOf(file).own)
    if ('faults' in read) return show(context, file, { form, faults: read.faults })
    return settings.change(context, file, read.config, async (errors, error) => {
      const sent = { form, ...(isChangedMeanwhile(error) && { seen: attempt(() => seenOf(form.seen), {}) }) }
      return show(context, await find(context), sent, errors)
    })
  })

  function show(context: PageContext, file: File, sent?: Sent, errors: Record<string, string> = {}) {
    const levels = levelsOf(file)
    const it = {
      ...editorOf(levels, context.language, sent),
      ...settings.viewOf(context, file),
      // What is refused as a whole belongs to no field of the editor.
      errors: { form: Object.values(errors)[0] ?? null },
      // A form with a field that is wrong was looked at with what it came with.
      seen: sent?.faults ? (sent.form.seen ?? '') : writeExpected({ [key]: levels.own }, [key]),
    }
    return context.show('settings/editor', it, sent ? 422 : 200)
  }
}
