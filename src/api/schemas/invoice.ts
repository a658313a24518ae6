import { type TSchema, Type } from 'typebox'
import { Closed, Id, Instant, Money, Nullable, Text } from './common.ts'

const optional = <T extends TSchema>(schema: T) => Type.Optional(Nullable(schema))

const taxLine = { rate: Money('Percentage'), base: Money('Tax base'), amount: Money('Tax') }
const TaxLine = Closed(taxLine)
const NamedTaxLine = Closed({ name: Text(1, 100, 'Name of the tax'), ...taxLine })
const Fee = Closed({ name: Text(1, 100, 'Name of the fee'), amount: Money('Already included in `total`') })

/** The shape of a sale; what its values may be is for the local rules (interface.md, POST /v1/invoices). */
export const SaleBody = Closed({
  device_id: Id('The device that sold'),
  occurred_at: Instant('The moment of the sale, not of this call'),
  total: Money('Total, including all taxes and fees'),
  payment_method: optional(
    Type.String({
      description: 'G cash, K card, O other or mixed, T bank transfer (attended only). Required unless configured.',
    }),
  ),
  sale_type: optional(Type.Union([Type.Literal('unattended'), Type.Literal('attended')])),
  number: optional(Type.String({ description: 'Digits, no leading zeros, not 0; allocated when left out' })),
  currency: optional(Type.Literal('EUR')),
  vat: optional(Type.Array(TaxLine)),
  consumption_tax: optional(Type.Array(TaxLine)),
  other_taxes: optional(Type.Array(NamedTaxLine)),
  vat_exempt_amount: optional(Money('Amount exempt from VAT')),
  margin_amount: optional(Money('Amount under the margin scheme')),
  non_taxable_amount: optional(Money('Amount not subject to taxation')),
  fees: optional(Type.Array(Fee)),
  special_purpose: optional(Text(0, 1000, 'Free text carried to the tax authority')),
  late_delivery: optional(Type.Boolean({ description: '`true` forces late delivery on the first attempt' })),
  vat_registered: optional(Type.Boolean({ description: "Default: the company's flag" })),
  sequence_mark: optional(Type.Union([Type.Literal('P'), Type.Literal('N')])),
  register_mark: optional(Type.String({ format: 'mark', description: 'Attended only: the mark of the cash register' })),
  operator_oib: optional(Type.String({ description: 'Attended only: the OIB of the operator' })),
  recipient_oib: optional(Type.String({ description: 'Attended only: the OIB of the buyer' })),
  paragon_number: optional(Text(0, 100, 'Attended only: the number of the hand-written receipt')),
})

export const InvoiceParams = Type.Object({ id: Type.String() })

export const IncludeMessages = Type.Object({
  include_messages: Type.Optional(Type.Union([Type.Literal('true'), Type.Literal('false')])),
})
