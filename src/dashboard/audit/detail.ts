import { readPeriod, shownPeriod } from '../../domain/sale/closing-period.ts'
import type { JsonObject, Language } from '../../fiscal/ports/model.ts'
import { COMMAND_TEXTS } from '../gateways/command-texts.ts'
import { inBoth, wordIn } from '../language.ts'
import { texts as settingTexts } from '../settings/texts.ts'
import { INVOICE_STATUSES, MODE_NAMES, REQUEST_STATES, USER_TEXTS } from '../shared-texts.ts'

export type Detail = ReturnType<typeof detailOf>

/** The detail of an entry; entries of damaged gateways may lack any field. */
export function detailOf(detail: JsonObject, language: Language) {
  const t = texts[language]
  /** A text or a figure; a dash for a missing field. */
  const text = (name: string) => scalar(detail[name]) ?? '–'
  return {
    text,
    count: (name: string): number => (typeof detail[name] === 'number' ? detail[name] : 0),
    list: (name: string): readonly unknown[] => (Array.isArray(detail[name]) ? detail[name] : []),
    quoted: (name: string) => (scalar(detail[name]) === undefined ? t.nameless : t.quoted(text(name))),
    /** The first characters of an id: enough to tell them apart. */
    id: (name: string) => text(name).slice(0, 8),
    has: (name: string) => detail[name] !== undefined && detail[name] !== null,
    /** In the words of a list; one that is not in it, of another version, as it stands in the log. */
    word: (list: 'roles' | 'statuses' | 'requests' | 'values', name: string) => wordIn(t[list], text(name)),
    /** What a gateway was asked for, within a sentence. */
    command: () => wordIn(t.commands, text('type')).replace(/^./u, (letter) => letter.toLocaleLowerCase('hr')),
    mode: () => (detail.mode === 'live' ? t.live : t.test),
    /** Whose certificates a list of CAs has. */
    trusted: () => (detail.list === 'uploads' ? t.uploads : t.service),
    period: () => {
      const period = readPeriod(text('starts'))
      return period ? shownPeriod({ ...period, unit: detail.unit === 'month' ? 'month' : 'day' }, language) : '–'
    },
    /** Fields that were changed, with their old and new values where the entry has them. */
    changed: () => changesOf(detail.changed, t, language),
  }
}

function changesOf(changed: unknown, t: (typeof texts)['hr'], language: Language): string {
  const settings = settingTexts[language].labels as Record<string, string>
  const nameOf = (field: string) => wordIn({ ...settings, ...t.fields }, field.replace(/^(device|fiscal)_config\./, ''))
  // Of accounts the names alone are written down.
  if (Array.isArray(changed))
    return [...new Set(changed.flatMap((field) => (typeof field === 'string' ? nameOf(field) : [])))].join(', ')
  if (typeof changed !== 'object' || changed === null) return ''
  const shownAs = (value: unknown) => wordIn(t.values, scalar(value) || t.none)
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
  quoted: { en: (name: string) => `“${name}”`, hr: (name: string) => `„${name}”` },
  none: { en: 'nothing', hr: 'ništa' },
  nameless: { en: '(without a name)', hr: '(bez naziva)' },
  service: { en: 'the tax authority', hr: 'certifikata Porezne uprave' },
  uploads: { en: 'issuers of uploaded certificates', hr: 'izdavatelja učitanih certifikata' },
  fields: {
    name: { en: 'name', hr: 'naziv' },
    label: { en: 'name', hr: 'naziv' },
    address: { en: 'address', hr: 'adresa' },
    premises_address: { en: 'address', hr: 'adresa' },
    vat_registered: { en: 'in the VAT system', hr: 'u sustavu PDV-a' },
    fiscal_config: { en: 'fiscal settings', hr: 'postavke fiskalizacije' },
    device_config: { en: 'device settings', hr: 'postavke uređaja' },
    note: { en: 'note', hr: 'bilješka' },
    contact: { en: 'contact', hr: 'kontakt' },
    mode: { en: 'mode', hr: 'način rada' },
    status: { en: 'status', hr: 'evidencija' },
    isu_number: { en: 'ISU number', hr: 'ISU broj' },
    isu_status: { en: 'state of the ISU number', hr: 'stanje ISU broja' },
    email: { en: 'e-mail', hr: 'e-pošta' },
    language: { en: 'language', hr: 'jezik' },
    wantsMail: { en: 'alerts by e-mail', hr: 'upozorenja e-poštom' },
    role: { en: 'role', hr: 'uloga' },
    passwordHash: { en: 'password', hr: 'lozinka' },
    recoveryCodes: { en: 'recovery codes', hr: 'rezervni kodovi' },
    sealedTotp: { en: 'second step of sign-in', hr: 'drugi korak prijave' },
    totpStep: { en: 'second step of sign-in', hr: 'drugi korak prijave' },
  },
  values: {
    ...MODE_NAMES,
    ...USER_TEXTS.roles,
    true: { en: 'yes', hr: 'da' },
    false: { en: 'no', hr: 'ne' },
    active: { en: 'active', hr: 'aktivno' },
    suspended: { en: 'suspended', hr: 'obustavljeno' },
    archived: { en: 'archived', hr: 'arhivirano' },
    pending: { en: 'missing', hr: 'nije upisan' },
    assigned: { en: 'set', hr: 'upisan' },
    mismatch: { en: 'does not match', hr: 'ne odgovara' },
  },
  roles: USER_TEXTS.roles,
  statuses: INVOICE_STATUSES,
  requests: REQUEST_STATES,
  commands: COMMAND_TEXTS.types,
})
