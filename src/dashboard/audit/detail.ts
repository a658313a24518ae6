import { readPeriod, shownPeriod } from '../../domain/sale/closing-period.ts'
import type { JsonObject, Language } from '../../fiscal/ports/model.ts'
import { inBoth } from '../language.ts'
import { MODE_NAMES, USER_TEXTS } from '../shared-texts.ts'

/** The detail of an entry; entries of damaged gateways may lack any field. */
export interface Detail {
  /** A text or a figure; a dash for a missing field. */
  text(name: string): string
  count(name: string): number
  list(name: string): readonly unknown[]
  /** In quotation marks. */
  quoted(name: string): string
  /** The first characters of an id: enough to tell them apart. */
  id(name: string): string
  has(name: string): boolean
  /** `test` or `live`, in words. */
  mode(): string
  /** The day or month of closings. */
  period(): string
  /** Fields that were changed, with their old and new values where the entry has them. */
  changed(): string
}

export function detailOf(detail: JsonObject, language: Language): Detail {
  const t = texts[language]
  const text = (name: string) => scalar(detail[name]) ?? '–'
  return {
    text,
    count: (name) => (typeof detail[name] === 'number' ? detail[name] : 0),
    list: (name) => (Array.isArray(detail[name]) ? detail[name] : []),
    quoted: (name) => (scalar(detail[name]) === undefined ? t.nameless : t.quoted(text(name))),
    id: (name) => text(name).slice(0, 8),
    has: (name) => detail[name] !== undefined && detail[name] !== null,
    mode: () => (detail.mode === 'live' ? t.live : t.test),
    period: () => {
      const period = readPeriod(text('starts'))
      return period ? shownPeriod({ ...period, unit: detail.unit === 'month' ? 'month' : 'day' }, language) : '–'
    },
    changed: () => changesOf(detail.changed, t),
  }
}

function changesOf(changed: unknown, t: (typeof texts)['hr']): string {
  const fields: Record<string, string> = t.fields
  const values: Record<string, string> = t.values
  const nameOf = (field: string) => (Object.hasOwn(fields, field) ? (fields[field] ?? field) : field)
  // Of accounts the names alone are written down.
  if (Array.isArray(changed))
    return [...new Set(changed.flatMap((field) => (typeof field === 'string' ? nameOf(field) : [])))].join(', ')
  if (typeof changed !== 'object' || changed === null) return ''
  const shownAs = (value: unknown) => {
    const shown = scalar(value) ?? t.none
    return Object.hasOwn(values, shown) ? (values[shown] ?? shown) : shown
  }
  return Object.entries(changed)
    .map(([field, change]: [string, { from?: unknown; to?: unknown } | null]) =>
      change?.from === undefined && change?.to === undefined
        ? nameOf(field)
        : `${nameOf(field)}: ${shownAs(change.from)} → ${shownAs(change.to)}`,
    )
    .join('; ')
}

function scalar(value: unknown): string | undefined {
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : undefined
}

const texts = inBoth({
  ...MODE_NAMES,
  quoted_hr: (name: string) => `„${name}”`,
  quoted_en: (name: string) => `“${name}”`,
  none_hr: 'ništa',
  none_en: 'nothing',
  nameless_hr: '(bez naziva)',
  nameless_en: '(without a name)',
  fields: {
    name_hr: 'naziv',
    name_en: 'name',
    label_hr: 'naziv',
    label_en: 'name',
    address_hr: 'adresa',
    address_en: 'address',
    premises_address_hr: 'adresa',
    premises_address_en: 'address',
    vat_registered_hr: 'u sustavu PDV-a',
    vat_registered_en: 'in the VAT system',
    fiscal_config_hr: 'postavke fiskalizacije',
    fiscal_config_en: 'fiscal settings',
    device_config_hr: 'postavke uređaja',
    device_config_en: 'device settings',
    mode_hr: 'način rada',
    mode_en: 'mode',
    status_hr: 'stanje',
    status_en: 'status',
    isu_number_hr: 'ISU broj',
    isu_number_en: 'ISU number',
    isu_status_hr: 'stanje ISU broja',
    isu_status_en: 'state of the ISU number',
    email_hr: 'e-pošta',
    email_en: 'e-mail',
    language_hr: 'jezik',
    language_en: 'language',
    wantsMail_hr: 'upozorenja e-poštom',
    wantsMail_en: 'alerts by e-mail',
    role_hr: 'uloga',
    role_en: 'role',
    passwordHash_hr: 'lozinka',
    passwordHash_en: 'password',
    recoveryCodes_hr: 'rezervni kodovi',
    recoveryCodes_en: 'recovery codes',
    sealedTotp_hr: 'drugi korak prijave',
    sealedTotp_en: 'second step of sign-in',
    totpStep_hr: 'drugi korak prijave',
    totpStep_en: 'second step of sign-in',
  },
  values: {
    ...MODE_NAMES,
    ...USER_TEXTS.roles,
    true_hr: 'da',
    true_en: 'yes',
    false_hr: 'ne',
    false_en: 'no',
    active_hr: 'aktivno',
    active_en: 'active',
    suspended_hr: 'obustavljeno',
    suspended_en: 'suspended',
    archived_hr: 'arhivirano',
    archived_en: 'archived',
    pending_hr: 'nije upisan',
    pending_en: 'missing',
    assigned_hr: 'upisan',
    assigned_en: 'set',
    mismatch_hr: 'ne odgovara',
    mismatch_en: 'does not match',
  },
})
