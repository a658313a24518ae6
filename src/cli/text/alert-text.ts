import type { AlertView } from '../../contract/admin/alerts.ts'
import { alertWords } from '../../domain/alert-texts/alert-texts.ts'
import { translate } from '../words/translate.ts'
import { clean, fields, paragraph } from './columns.ts'
import type { Screen } from './screen.ts'
import { localTime } from './times.ts'

export function alertText(alert: AlertView, screen: Screen): string {
  const { title, what, todo } = alertWords(alert, screen.language)
  const { id, severity, state, gateway, acknowledged_by, acknowledged_at } = alert
  const say = (text: string) => translate(text, screen.language)
  const rows: [string, string | null][] = [
    ['id', id],
    ['state', say(state)],
    ['raised', localTime(alert.raised_at)],
    ['gateway', gateway && clean(gateway)],
    ['known to', acknowledged_by && `${clean(acknowledged_by)}, ${localTime(acknowledged_at)}`],
    ['over', localTime(alert.resolved_at)],
    ['what', what],
    ['to do', state === 'resolved' ? null : todo],
  ]
  return paragraph(`${severity.toUpperCase()}: `, title, screen) + fields(rows, screen)
}
