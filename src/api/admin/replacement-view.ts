import type { TakenOverView } from '../../contract/admin/replacement.ts'
import { formatInstant } from '../../domain/instant.ts'
import type { TakenOver } from '../../fiscal/gateways/replacement.ts'
import type { Predecessor } from '../../fiscal/ports/central-server.ts'
import { moment } from '../views/moment.ts'

export function takenOverView(taken: TakenOver): TakenOverView {
  const { before, gap, isNew, withoutJir } = taken
  return {
    is_new: isNew,
    companies: taken.companies.map(({ id, oib, name, mode }) => ({ id, oib, name, mode })),
    devices: taken.devices.map((device) => ({
      id: device.id,
      company_id: device.companyId,
      label: device.label,
      premises_code: device.premisesCode,
      isu_number: device.isuNumber,
      last_success_at: moment(device.lastSuccessAt),
      printer: printerOf(before, device.id),
    })),
    certificates: taken.certificates.map(({ companyId, subjectCn, issuer, serial, notAfter }) => ({
      company_id: companyId,
      subject_cn: subjectCn,
      issuer,
      serial,
      not_after: formatInstant(notAfter),
    })),
    numbers: taken.numbers.map(({ oib, sequence, seen, reserve, why }) => ({
      company: oib,
      mode: sequence.mode,
      premises_code: sequence.premisesCode,
      year: sequence.year,
      register: sequence.register,
      seen,
      after: reserve?.last ?? '0',
      why,
    })),
    gap: gap && { count: Number(gap.count), days: gap.days },
    without_jir: withoutJir,
    left_out: taken.leftOut.map(({ premisesCode, message }) => ({ premises_code: premisesCode, message })),
    last_seen_at: moment(before?.lastSeenAt ?? null),
  }
}

type KnownPrinter = NonNullable<TakenOverView['devices'][number]['printer']>

function printerOf(before: Predecessor | null, id: string): KnownPrinter | null {
  const printer = before?.printers.find(({ deviceId }) => deviceId === id)
  if (!printer) return null
  const settings = Object.fromEntries(Object.entries(printer.settings).filter(isSimple))
  return { line: printer.line, profile: printer.profile, settings, expire_after_s: printer.expireAfterS }
}

function isSimple(entry: [string, unknown]): entry is [string, string | number] {
  return typeof entry[1] === 'string' || typeof entry[1] === 'number'
}
