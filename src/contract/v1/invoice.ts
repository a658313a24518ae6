import * as Type from 'typebox'
import { PRINT_JOB_STATUSES, PRINTER_REASONS } from '../../domain/printer.ts'
import { ANSWER_SIGNATURES } from '../../domain/sale/answer-signature.ts'
import { ERROR_CLASSES, FISCAL_ERRORS, INVOICE_STATUSES } from '../../domain/sale/invoice.ts'
import type { SaleRequest } from '../../domain/sale/resolve-sale.ts'
import { Closed, ClosedAs, Id, Instant, Mode, Money, Nullable, Text, Titled, TitledClosed } from '../common.ts'
import { ListOf, PAGE } from '../list.ts'
import { API_BOUNDS } from './bounds.ts'

const optional = <T extends Type.TSchema>(schema: T) => Type.Optional(Nullable(schema))

const Lines = <T extends Type.TSchema>(line: T, description?: string) =>
  optional(Type.Array(line, { maxItems: API_BOUNDS.taxLines.most, ...(description && { description }) }))

const taxLine = { rate: Money('Percentage'), base: Money('Tax base'), amount: Money('Tax') }
const TaxLine = Closed(taxLine, { title: 'TaxLine' })
const NamedTaxLine = TitledClosed('NamedTaxLine', {
  name: Text(1, API_BOUNDS.taxName.most, 'Name of the tax'),
  ...taxLine,
})
const Fee = TitledClosed('Fee', {
  name: Text(1, API_BOUNDS.taxName.most, 'Name of the fee'),
  amount: Money('Already included in `total`'),
})

const Item = TitledClosed('Item', {
  name: Text(1, API_BOUNDS.itemName.most, 'What was sold'),
  quantity: Type.String({ format: 'quantity', description: 'How much of it', examples: ['1', '0.250'] }),
  unit_price: Money('Of one, taxes included'),
  amount: Money('Of all, taxes included'),
})

/** A cup of coffee from a machine. */
const SOLD = {
  device_id: '6f1c2f7e-3f0a-4a53-9d0e-2f6b7c1d8e90',
  occurred_at: '2026-11-23T14:05:00+01:00',
  total: '2.50',
  payment_method: 'G',
  items: [{ name: 'Kava', quantity: '1', unit_price: '2.50', amount: '2.50' }],
}

/** The shape of a sale; what its values may be is for the local rules (docs/spec/interface.md, POST /v1/invoices). */
export const SaleBody = ClosedAs<SaleRequest>()(
  {
    device_id: Id('The device that sold'),
    occurred_at: Instant('The moment of the sale, not of this call'),
    total: Money('Total, including all taxes and fees'),
    payment_method: Type.Optional(
      Type.String({
        format: 'payment-method',
        description: 'G cash, K card, O other or mixed, T bank transfer (attended only). Required unless configured.',
      }),
    ),
    sale_type: optional(Type.Enum(['unattended', 'attended'])),
    number: optional(
      Type.String({
        description:
          'Digits, no leading zeros, not 0; allocated when left out. One far above the highest is taken as sent, and later ' +
          'numbers do not go on after it',
      }),
    ),
    currency: optional(Type.Literal('EUR')),
    vat: Lines(TaxLine, 'Rates: 0.00, 5.00, 13.00, 25.00'),
    consumption_tax: Lines(TaxLine, 'Rates: 0.00 to 3.00'),
    other_taxes: Lines(NamedTaxLine),
    vat_exempt_amount: optional(Money('Amount exempt from VAT')),
    margin_amount: optional(Money('Amount under the margin scheme')),
    non_taxable_amount: optional(Money('Amount not subject to taxation')),
    fees: Lines(Fee),
    items: optional(
      Type.Array(Item, {
        maxItems: API_BOUNDS.items.most,
        description:
          'Printed on the receipt, never sent to the tax authority. The amounts add up to `total`, or to `total` without `fees`',
      }),
    ),
    storno_of: optional(
      Type.String({
        description:
          'The receipt that this refund takes back, of the same company: its `id`, `number/premises/register`, or a number ' +
          "of the device's own sequence. Printed, never sent to the tax authority",
      }),
    ),
    special_purpose: optional(Text(0, API_BOUNDS.specialPurpose.most, 'Free text carried to the tax authority')),
    late_delivery: optional(Type.Boolean({ description: '`true` forces late delivery on the first attempt' })),
    vat_registered: optional(Type.Boolean({ description: "Default: the company's flag" })),
    sequence_mark: optional(Type.Enum(['P', 'N'], { description: 'Attended only: number per premises or register' })),
    register_mark: optional(
      Type.String({ format: 'mark', description: 'Attended only: the mark of the cash register' }),
    ),
    operator_oib: optional(Type.String({ description: 'Attended only: the OIB of the operator' })),
    recipient_oib: optional(Type.String({ description: 'Attended only: the OIB of the buyer' })),
    paragon_number: optional(
      Text(0, API_BOUNDS.paragonNumber.most, 'Attended only: the number of the hand-written receipt'),
    ),
  },
  { title: 'NewSale', examples: [SOLD] },
)

export const IncludeMessages = Type.Object({
  include_messages: Type.Optional(
    Type.String({ format: 'flag', description: 'Adds `messages`, the trail of what was sent and answered' }),
  ),
})

export const InvoicesQuery = Closed({
  company_id: Type.Optional(Id('Of this company')),
  device_id: Type.Optional(Id('Of this device')),
  premises_code: Type.Optional(Type.String({ description: 'Of this premises' })),
  status: Type.Optional(Type.Enum(INVOICE_STATUSES)),
  from: Type.Optional(Type.String({ format: 'query-instant', description: 'Sold at this moment or later' })),
  to: Type.Optional(Type.String({ format: 'query-instant', description: 'Sold before this moment' })),
  ...PAGE,
})

const FiscalError = Type.Object(
  {
    code: Type.String({ description: 'New ones may be added', examples: Object.keys(FISCAL_ERRORS) }),
    message: Type.String({ description: 'For people' }),
    retry_scheduled: Type.Boolean({ description: 'Whether it is sent again by itself' }),
  },
  { title: 'FiscalError', description: 'Why there is no JIR. It does not invalidate the sale.' },
)

export const Message = Titled('Message', {
  id: Id('Of this record'),
  message_uuid: Id('IdPoruke, a fresh one for every attempt'),
  attempt_no: Type.Integer({ description: '1 for the original send' }),
  http_status: Nullable(Type.Integer({ description: 'null when no answer came' })),
  error_code: Nullable(Type.String()),
  error_message: Nullable(Type.String({ description: 'What the tax authority said, if it said something' })),
  duration_ms: Type.Integer(),
  created_at: Instant('When it was sent'),
  request_xml: Nullable(Type.String({ description: 'Verbatim; null when it was not kept for want of room' })),
  response_xml: Nullable(Type.String({ description: 'Verbatim' })),
  answer_signature: Type.Optional(
    Nullable(
      Type.String({
        description:
          'GET only: what the answer is signed with by its own word; null when it names nothing that is allowed',
        examples: Object.keys(ANSWER_SIGNATURES),
      }),
    ),
  ),
})
export type MessageView = Type.Static<typeof Message>

const MessagesLeftOut = Type.Object(
  {
    messages: Type.Integer({ description: 'Older ones, which are not in `messages`' }),
    xml: Type.Integer({ description: 'How many `request_xml` and `response_xml` are null for want of room here' }),
  },
  { title: 'MessagesLeftOut', description: 'Only where `messages` is too long for one answer: the newest are there' },
)

const sale = {
  id: Type.String({ description: 'Handle for retrieval and retry', pattern: '^inv_' }),
  status: Type.Enum(['confirmed', 'retrying', 'failed'], {
    description: 'Branch on this, never on whether `jir` is null',
  }),
  jir: Nullable(Id('The identifier of the tax authority; null means not confirmed yet')),
  zki: Type.String({ description: 'Printed on the receipt', pattern: '^[0-9a-f]{32}$' }),
  qr_payload: Type.String({ description: 'The exact text of the QR code' }),
  number: Type.String({ format: 'mark', description: 'Printed on the receipt' }),
  occurred_at: Instant('As it was sent'),
  total: Money('As it was sent'),
  currency: Type.Literal('EUR'),
  receipt_url: Type.Optional(
    Type.String({
      description: 'Where the phone of the customer sees the receipt; absent where `receipt_link` is off',
    }),
  ),
  fiscal_error: Type.Optional(FiscalError),
  messages: Type.Optional(Type.Array(Message, { description: 'Only when asked for; the oldest first' })),
}

const ZKI = '4d3e6e1c9a0b5f7788c1d2e3f4a5b6c7'
const JIR = 'c9d2f1a4-5b6e-4f70-8a91-b2c3d4e5f607'
const CHECK = 'https://porezna.gov.hr/rn'
const ANSWERED = {
  id: 'inv_0mh3p1c6x2k9',
  zki: ZKI,
  number: '418',
  occurred_at: SOLD.occurred_at,
  total: SOLD.total,
  currency: 'EUR',
}
const CONFIRMED = {
  ...ANSWERED,
  status: 'confirmed',
  jir: JIR,
  qr_payload: `${CHECK}?jir=${JIR}&datv=20261123_1405&izn=250`,
}
const WITHOUT_JIR = {
  ...ANSWERED,
  status: 'retrying',
  jir: null,
  qr_payload: `${CHECK}?zki=${ZKI}&datv=20261123_1405&izn=250`,
  fiscal_error: {
    code: 'upstream_unavailable',
    message: FISCAL_ERRORS.upstream_unavailable.means,
    retry_scheduled: true,
  },
}

/** The answer to a sale or a retry (docs/spec/interface.md, Invoice). */
export const Sale = Type.Object(sale, { title: 'Sale', examples: [CONFIRMED, WITHOUT_JIR] })
export type SaleView = Type.Static<typeof Sale>

export const InvoiceSchema = Titled('Invoice', {
  ...sale,
  status: Type.Enum(INVOICE_STATUSES, { description: 'Branch on this, never on whether `jir` is null' }),
  company_id: Id('Whose sale it is'),
  device_id: Id('Where it was made'),
  payment_method: Type.Enum(['G', 'K', 'O', 'T']),
  mode: Mode,
  findings: Type.Optional(
    Type.Array(Type.String({ pattern: '^v[0-9]{3}$' }), {
      description:
        'What the tax authority will find in the sale when it analyses it, such as parts that do not add up (`v166`); the ' +
        'sale stays valid. Absent where there is nothing; those that depend on the time of delivery come with the JIR',
      examples: [['v166']],
    }),
  ),
  attempts: Type.Integer({ description: 'How many times it has been sent' }),
  messages_left_out: Type.Optional(MessagesLeftOut),
  late_delivery: Type.Boolean({ description: 'NakDost' }),
  deadline_at: Instant('After this it cannot be fiscalized any more'),
  confirmed_at: Nullable(Instant('When the JIR arrived')),
  created_at: Instant('When it was stored'),
  last_error_class: Nullable(Type.Enum(ERROR_CLASSES, { description: 'Only `transient` is sent again by itself' })),
  country_data: Type.Object(
    {
      premises_code: Type.String(),
      sequence_mark: Type.Enum(['P', 'N']),
      register_mark: Type.String(),
      receipt_number: Type.String({ description: '`number/premises/register`' }),
    },
    { title: 'CountryData' },
  ),
  receipt_print: Nullable(
    Type.Object(
      {
        status: Type.Enum(PRINT_JOB_STATUSES, {
          description: 'Of the original; `unconfirmed`: it was sent, and the printer does not say whether it is out',
        }),
        printed_at: Nullable(Instant('When the printer said that it is out')),
        reason: Nullable(
          Type.Enum(PRINTER_REASONS, {
            description:
              'Why it does not come out: of the printer now while it is `queued` or `sending`, at its end later; null ' +
              'when all is well, or nothing is known. Where there is one, show the QR code on the screen.',
          }),
        ),
      },
      { title: 'ReceiptPrint', description: 'null where fiskd prints no receipt' },
    ),
  ),
})
export type InvoiceView = Type.Static<typeof InvoiceSchema>

export const InvoiceList = ListOf(InvoiceSchema, 'InvoiceList')
