import { explainCodes, restrictiveCodesIn } from '../../domain/sale/refusal.ts'
import { FAULT_LENGTH } from '../../domain/text-lengths.ts'
import { saidIn } from '../../domain/texts/both.ts'
import { cutText } from '../../domain/texts/cut-text.ts'
import type { CommandView } from '../../fiscal/gateways/command-list.ts'
import { toldError } from '../../fiscal/gateways/told-error.ts'
import type { CommandStatus } from '../../fiscal/ports/gateway-commands.ts'
import type { JsonObject, Language } from '../../fiscal/ports/model.ts'
import type { AdminUseCases } from '../../fiscal/use-cases.ts'
import { croatianOfCode } from '../error-texts.ts'
import type { PageContext } from '../page-routes.ts'
import { pathOf } from './list.ts'
import type { GatewayTexts } from './texts.ts'

const KINDS: Record<CommandStatus, 'ok' | 'warn' | 'bad' | 'plain'> = {
  waiting: 'plain',
  done: 'ok',
  failed: 'bad',
  refused: 'bad',
  expired: 'warn',
  interrupted: 'warn',
  withdrawn: 'plain',
}

/** Who has sent a command, by the id of a principal. */
export async function namesOf(admin: Pick<AdminUseCases, 'listUsers'>, { principal }: PageContext, t: GatewayTexts) {
  const users = new Map((await admin.listUsers(principal)).map(({ id, name }) => [id, name]))
  return (id: string) => users.get(id) ?? (id.startsWith('operator') ? t.operator : t.formerUser)
}

type NameOf = Awaited<ReturnType<typeof namesOf>>

export function rowOfCommand({ command }: CommandView, gateway: string, nameOf: NameOf, t: GatewayTexts) {
  const { id, type, issuedAt, issuedBy } = command
  return {
    type: t.types[type],
    at: issuedAt,
    who: nameOf(issuedBy),
    outcome: outcomeOf(command, t),
    path: `${pathOf(gateway)}/commands/${id}`,
  }
}

/** Done is not well: a doctor may have found something, and a retry need not end with a JIR. */
export function outcomeOf({ type, status, result }: CommandView['command'], t: GatewayTexts) {
  const told = { kind: KINDS[status], text: t.statuses[status] }
  const isAmiss =
    (type === 'doctor' && result?.ok === false) ||
    (type === 'invoice.retry' && result?.status !== 'confirmed') ||
    (typeof result?.state === 'string' && result.state !== 'done')
  return status === 'done' && isAmiss ? { ...told, kind: 'warn' as const } : told
}

/** A command with its outcome. The result comes from the gateway: nothing in it is certain. */
export function viewOfCommand(view: CommandView, gateway: string, nameOf: NameOf, t: GatewayTexts, language: Language) {
  const { command, attachment } = view
  const { type, status, result, number, sentAt, answeredAt, expiresAt, body } = command
  const row = rowOfCommand(view, gateway, nameOf, t)
  const error = toldError(result)
  return {
    ...row,
    number,
    sentAt,
    answeredAt,
    expiresAt,
    status,
    isWaiting: status === 'waiting',
    attachment,
    note: status === 'waiting' ? null : t.outcomes[error.code === 'command_unknown' ? error.code : status],
    replacedBy: status === 'withdrawn' ? `${pathOf(gateway)}/commands/${textOf(result?.replaced_by)}` : null,
    about: aboutOf(body),
    error: error.message,
    errorText: language === 'hr' && error.code !== null ? croatianOfCode(error.code) : null,
    explained: explainCodes(restrictiveCodesIn(error.message), language, 'office'),
    diagnosis: type === 'doctor' && status === 'done' ? diagnosisOf(result, t, language) : null,
    retried: type === 'invoice.retry' && status === 'done' ? retriedOf(result, t) : null,
    authority: status === 'done' && typeof result?.state === 'string' ? authorityOf(result) : null,
    fileIsGone: type === 'support_bundle' && status === 'done' && attachment === null,
  }
}

/** What the tax authority answered, and the hours that it has. What the gateway says is not certain to be well-formed. */
function authorityOf({ message, regular, exceptions }: JsonObject): string[] {
  const lines = [regular, exceptions].flatMap((list) => (Array.isArray(list) ? list : []) as JsonObject[])
  return [
    ...(typeof message === 'string' ? [message] : []),
    ...lines.map(({ from, date, hours }) => `${textOf(from ?? date)}: ${textOf(hours)}`),
  ]
}

/** What it is about, by what pages there are. */
function aboutOf({ device_id, invoice_id, company_id }: JsonObject): { href: string; id: string }[] {
  const found: [string, unknown][] = [
    ['devices', device_id],
    ['invoices', invoice_id],
    ['companies', company_id],
  ]
  return found.flatMap(([page, id]) =>
    typeof id === 'string' ? [{ href: `/dashboard/${page}/${encodeURIComponent(id)}`, id }] : [],
  )
}

/** Far more than the doctor has. */
const MOST_CHECKS = 200

function diagnosisOf(result: JsonObject | null, t: GatewayTexts, language: Language) {
  const checks = (Array.isArray(result?.checks) ? result.checks : []).slice(0, MOST_CHECKS).map((one: unknown) => {
    const { name, status, detail, fix } = (one ?? {}) as Record<string, unknown>
    const mark = status === 'ok' || status === 'warn' || status === 'fail' ? status : 'skip'
    return {
      name: textOf(saidIn(name, language)),
      detail: textOf(saidIn(detail, language)),
      fix: fix === null ? null : textOf(saidIn(fix, language)),
      badge: { kind: MARKS[mark], text: t.marks[mark] },
      isAmiss: mark === 'warn' || mark === 'fail',
    }
  })
  const failures = checks.filter(({ badge }) => badge.kind === 'bad').length
  const amiss = checks.filter(({ isAmiss }) => isAmiss)
  return {
    says: amiss.length === 0 ? t.doctorFine : t.doctorFound(failures),
    kind: amiss.length === 0 ? 'ok' : failures > 0 ? 'bad' : 'warn',
    // What has to be looked at first.
    checks: [...amiss, ...checks.filter(({ isAmiss }) => !isAmiss)],
  }
}

const MARKS = { ok: 'ok', warn: 'warn', fail: 'bad', skip: 'plain' } as const

function retriedOf(result: JsonObject | null, t: GatewayTexts): string {
  const isConfirmed = result?.status === 'confirmed' && typeof result.jir === 'string'
  return isConfirmed ? t.confirmed(textOf(result.jir)) : t.notConfirmed
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return cutText(typeof value === 'object' ? JSON.stringify(value) : String(value), FAULT_LENGTH)
}
