import type { JsonObject, Language } from '../../fiscal/ports/model.ts'
import { inBoth } from '../language.ts'

/** What an entry is about; entries of older versions and of damaged gateways may lack what is looked for. */
export interface Detail {
  /** A text or a figure; a dash for what is not there. */
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
  /** Fields that were changed, with their old and new values where those are told. */
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

const texts = inBoth(
  {
    quoted: (name: string) => `„${name}”`,
    test: 'testni rad',
    live: 'stvarni rad',
    none: 'ništa',
    nameless: '(bez naziva)',
    fields: {
      name: 'naziv',
      label: 'naziv',
      address: 'adresa',
      premises_address: 'adresa',
      vat_registered: 'obveznik PDV-a',
      fiscal_config: 'postavke fiskalizacije',
      device_config: 'postavke uređaja',
      mode: 'način rada',
      status: 'stanje',
      isu_number: 'ISU broj',
      isu_status: 'stanje ISU broja',
      email: 'e-pošta',
      language: 'jezik',
      wantsMail: 'obavijesti e-poštom',
      role: 'uloga',
      passwordHash: 'lozinka',
      sealedTotp: 'drugi faktor',
      totpStep: 'drugi faktor',
    },
    values: {
      true: 'da',
      false: 'ne',
      active: 'u radu',
      suspended: 'privremeno isključeno',
      archived: 'arhivirano',
      test: 'testni rad',
      live: 'stvarni rad',
      pending: 'čeka se',
      assigned: 'upisan',
      mismatch: 'ne odgovara',
      viewer: 'preglednik',
      operator: 'operater',
      admin: 'administrator',
    },
  },
  {
    quoted: (name: string) => `“${name}”`,
    test: 'test mode',
    live: 'live mode',
    none: 'nothing',
    nameless: '(without a name)',
    fields: {
      name: 'name',
      label: 'name',
      address: 'address',
      premises_address: 'address',
      vat_registered: 'VAT registration',
      fiscal_config: 'fiscal settings',
      device_config: 'device settings',
      mode: 'mode',
      status: 'state',
      isu_number: 'ISU number',
      isu_status: 'state of the ISU number',
      email: 'e-mail',
      language: 'language',
      wantsMail: 'alerts by e-mail',
      role: 'role',
      passwordHash: 'password',
      sealedTotp: 'second factor',
      totpStep: 'second factor',
    },
    values: {
      true: 'yes',
      false: 'no',
      active: 'active',
      suspended: 'suspended',
      archived: 'archived',
      test: 'test mode',
      live: 'live mode',
      pending: 'awaited',
      assigned: 'set',
      mismatch: 'does not match',
      viewer: 'viewer',
      operator: 'operator',
      admin: 'administrator',
    },
  },
)
