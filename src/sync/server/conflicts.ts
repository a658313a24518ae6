import type { FleetConflict } from '../../fiscal/ports/gateways.ts'
import type { WireConflict } from '../wire/messages.ts'
import type { CompanyConflict } from './decide-on-rows.ts'

const WHAT = { label: 'the label', isu_number: 'the ISU number' }

export function wireConflict(
  { what, value, devices }: FleetConflict,
  names: ReadonlyMap<string, string>,
): WireConflict {
  const nameOf = (gatewayId: string) => names.get(gatewayId) ?? 'this server'
  const places = devices.map(({ gatewayId, premisesCode }) => `${nameOf(gatewayId)} (premises ${premisesCode})`)
  return {
    what,
    value,
    devices: devices.map(({ id, gatewayId, label, premisesCode }) => ({
      id,
      gateway: nameOf(gatewayId),
      label,
      premises_code: premisesCode,
    })),
    message: `${WHAT[what]} ${value} stands at ${places.join(' and ')}`,
  }
}

export function companyConflict({ oib, fields }: CompanyConflict): WireConflict {
  const message = `company ${oib} differs from what is stored here: ${fields.join(', ')}; what is stored here stays`
  return { what: 'company', value: oib, devices: [], message }
}
