import { Type } from 'typebox'
import { ActiveStatus, Closed, Free, Id, Mode, Nullable, Text } from './common.ts'

const isuNumber = Type.String({ format: 'mark', description: 'As the portal of the tax authority issued it' })
const label = Text(1, 200, 'Unique within the company')
const premisesAddress = Text(0, 500, 'For people; never sent to the tax authority')

export const CompanyBody = Closed({
  name: Text(1, 200, 'Name of the issuer'),
  oib: Type.String({ description: '11 digits with a correct check digit' }),
  vat_registered: Type.Optional(Type.Boolean()),
  address: Type.Optional(Free('`street`, `city`, `postal_code`, `country`')),
  fiscal_config: Type.Optional(Free('Defaults for sales, `sequence_mode`, `default_vat_rate`')),
  mode: Type.Optional(Mode),
})

export const DeviceBody = Closed({
  company_id: Id('The company that sells'),
  premises_code: Type.String({ format: 'premises-code', description: 'As registered with the tax authority' }),
  premises_address: Type.Optional(Nullable(premisesAddress)),
  label,
  isu_number: Type.Optional(Nullable(isuNumber)),
  device_config: Type.Optional(Free('Defaults for sales of this device')),
})

export const DeviceChangesBody = Closed({
  label: Type.Optional(label),
  premises_address: Type.Optional(Nullable(premisesAddress)),
  isu_number: Type.Optional(Nullable(isuNumber)),
  device_config: Type.Optional(Free('Replaces the stored one as a whole')),
  status: Type.Optional(ActiveStatus),
})

export const DeviceParams = Type.Object({ id: Type.String() })
