import { ERRORS, type ErrorCode, FiskError, type Reason } from '../../domain/errors.ts'
import { hoursLines } from '../../domain/hours/hours-text.ts'
import { REASON_TEXTS } from '../../domain/texts/reason-texts.ts'
import { isAboutInvoices } from '../../fiscal/jobs/forecast.ts'
import type { JobProgress } from '../../fiscal/jobs/jobs.ts'
import type { Job, JobKind, JobRefusal, JobRow } from '../../fiscal/ports/jobs.ts'
import type { Language } from '../../fiscal/ports/model.ts'
import { texts as deviceTexts } from '../devices/texts.ts'
import { textOfError } from '../error-texts.ts'
import { type Badge, stateCell } from '../lists/cells.ts'
import type { ListColumn } from '../lists/list.ts'
import { settingInWords } from '../settings/editor.ts'
import { type JobTexts, texts } from './texts.ts'
import { aboutOf } from './typed.ts'

/** What a job does, by the name of its texts. */
export function nameOf({ kind, parameters }: Pick<Job, 'kind' | 'parameters'>): keyof JobTexts['kinds'] {
  if (kind !== 'status') return kind
  const { status } = parameters
  return status === 'suspended' || status === 'archived' ? status : 'active'
}

export function viewOfJob({ job, counts }: JobProgress, t: JobTexts, language: Language) {
  const about = aboutOf(job, language)
  const finished = counts.done + counts.unchanged + counts.refused
  const isEnded = job.endedAt !== null || finished === job.total
  return {
    job,
    counts,
    finished,
    seen: Object.values(counts).join('.'),
    isEnded,
    name: about === '' ? t.kinds[nameOf(job)] : `${t.kinds[nameOf(job)]}: ${about}`,
    path: `/dashboard/jobs/${job.id}`,
    badge: badgeOf(isEnded, counts.refused > 0, t),
  }
}

function badgeOf(isEnded: boolean, isAmiss: boolean, t: JobTexts): Badge {
  if (!isEnded) return { kind: 'plain', text: t.running }
  return isAmiss ? { kind: 'warn', text: t.endedAmiss } : { kind: 'ok', text: t.ended }
}

const KINDS = { todo: 'plain', waiting: 'plain', done: 'ok', unchanged: 'ok', refused: 'bad' } as const

export function rowColumns(job: Job, t: JobTexts, language: Language): ListColumn<JobRow>[] {
  const list = isAboutInvoices(job.kind) ? 'invoices' : 'devices'
  return [
    { title: t.row, cell: ({ position }) => ({ count: position + 1 }), place: 'num rank2 c-time' },
    {
      title: t.subject,
      cell: ({ label }) => label,
      page: ({ position, label, subjectId }) => ({
        ...{ id: `row-${position + 1}`, text: label },
        href: `/dashboard/${list}/${subjectId}`,
      }),
      place: 'm1',
    },
    {
      title: t.change,
      ...(!isAboutInvoices(job.kind) && { place: 'm4' }),
      page: (row) => ({ change: changeOf(job, row, language) }),
    },
    {
      title: t.outcome,
      page: ({ state, refusal }) => {
        const why = refusal === null ? '' : `: ${reasonOf(refusal, t, language)}`
        return stateCell({ kind: KINDS[state], text: `${t.states[state]}${why}` })
      },
      place: 'm2',
    },
  ]
}

/** What a row changes, in words: to what, and from what where that is known and differs. */
export function changeOf(job: Pick<Job, 'kind' | 'parameters'>, { input, was }: JobRow, language: Language) {
  const { tag, status, setting, value } = job.parameters
  const statuses: Record<string, string> = deviceTexts[language].statuses
  const ofSetting = (one: unknown) => settingInWords(String(setting), one, language) ?? texts[language].asCompany
  const toldBy: Partial<Record<JobKind, () => [from: string | null, to: string | null]>> = {
    tag: () => [null, String(tag)],
    untag: () => [String(tag), null],
    status: () => [statuses[was ?? ''] ?? null, statuses[String(status)] ?? null],
    settings: () => [ofSetting(was === null ? undefined : JSON.parse(was)), ofSetting(value)],
  }
  const [from, to] = toldBy[job.kind]?.() ?? [was, inputText(input)]
  return { from: from === to ? null : from, to }
}

/** Hours as people write them; any other input as it is. */
export function inputText(input: string | null): string | null {
  return input?.startsWith('{') ? hoursLines(JSON.parse(input)).join('; ') : input
}

/** Why a row was refused. What a gateway or the tax authority has said follows in its own words. */
export function reasonOf({ code, reason, about, message }: JobRefusal, t: JobTexts, language: Language): string {
  if (reason !== null && Object.hasOwn(t.outcomes, reason)) {
    return [t.outcomes[reason as keyof JobTexts['outcomes']], message].filter(Boolean).join(' ')
  }
  const isKnown = Object.hasOwn(ERRORS, code)
  const known = reason !== null && Object.hasOwn(REASON_TEXTS.hr, reason) ? { reason: reason as Reason } : {}
  const refusal = new FiskError(isKnown ? (code as ErrorCode) : 'invalid_request', message, {
    ...known,
    ...(about !== null && { about }),
  })
  return textOfError(refusal, language)
}
