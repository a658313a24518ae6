import type { GatewayCommandView } from '../../contract/admin/gateway-commands.ts'
import { explainCodes, restrictiveCodesIn } from '../../domain/sale/refusal.ts'
import { saidIn } from '../../domain/texts/both.ts'
import type { Language } from '../words/translate.ts'
import { fields, paragraph } from './columns.ts'
import type { Screen } from './screen.ts'
import { localTime } from './times.ts'

export function gatewayCommandText(command: GatewayCommandView, { language }: Screen): string {
  const { id, type, number, body, issued_by, issued_at, expires_at, sent_at, answered_at, attachment } = command
  const about = fields([
    ['command', id],
    ['what', `${type} (number ${number})`],
    ...Object.entries(body).map(([name, value]): [string, string] => [wordsOf(name), textOf(value)]),
    ['sent by', issued_by],
    ['at', localTime(issued_at)],
    ['fetched', sent_at === null ? 'not yet' : localTime(sent_at)],
    ['status', command.status === 'waiting' && sent_at !== null ? FETCHED : STATUS[command.status]],
    ['answered', localTime(answered_at)],
    ['good until', answered_at === null ? localTime(expires_at) : null],
    ['file', attachment && `${attachment.name} (${Math.ceil(attachment.bytes / 1024)} kB)`],
  ])
  const result = resultText(command, language)
  return result === '' ? about : `${about}\n${result}`
}

/** Whether what was asked for is so now: a retry without a JIR and a doctor who finds something broken are not. */
export function isFine({ type, status, result }: GatewayCommandView): boolean {
  if (status !== 'done') return false
  if (type === 'invoice.retry') return result?.status === 'confirmed'
  // Of what the tax authority was asked.
  if (typeof result?.state === 'string') return result.state === 'done'
  return type !== 'doctor' || result?.ok === true
}

const STATUS: Record<GatewayCommandView['status'], string> = {
  waiting: 'waiting for the gateway',
  done: 'done',
  failed: 'failed: a rule of the gateway forbids it, or something went wrong there',
  refused: 'refused by the gateway',
  expired: 'expired: it reached the gateway too late, or not at all',
  interrupted: 'interrupted: the gateway stopped while it was done',
  withdrawn: 'withdrawn: a newer command replaced it before the gateway had fetched it',
}

const FETCHED = 'fetched by the gateway, not answered yet'

function resultText({ result }: GatewayCommandView, language: Language): string {
  if (result === null) return ''
  const { error, checks, ...plain } = result
  const rows = Object.entries(plain).map(([name, value]): [string, string] => [wordsOf(name), textOf(value)])
  return (
    fields(rows) +
    errorText(error) +
    (Array.isArray(checks) ? checks.map((check) => checkText(check, language)).join('') : '')
  )
}

function errorText(error: unknown): string {
  if (typeof error !== 'object' || error === null) return ''
  const { code, message, param } = error as Record<string, unknown>
  const field = typeof param === 'string' ? ` (field ${param})` : ''
  const explained = explainCodes(restrictiveCodesIn(textOf(message)), 'en')
  return [
    paragraph('Error: ', `${textOf(message)} [${textOf(code)}]${field}`),
    ...explained.map(({ label, means, fix }) => paragraph(`${label}: `, `${means} ${fix}`)),
  ].join('')
}

function checkText(check: unknown, language: Language): string {
  const { name, status, detail, fix } = (check ?? {}) as Record<string, unknown>
  const found = paragraph(
    `${textOf(status).slice(0, 4).padEnd(4)}  `,
    `${textOf(saidIn(name, language))}: ${textOf(saidIn(detail, language))}`,
  )
  return fix === null || fix === undefined ? found : found + paragraph('      Fix: ', textOf(saidIn(fix, language)))
}

const wordsOf = (name: string) => name.replaceAll('_', ' ')

function textOf(value: unknown): string {
  if (value === null || value === undefined) return 'none'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
