import type { Bound } from '../../domain/bound.ts'
import { CONFIG_BYTES, MAX_DEPTH, PAGE_BYTES } from '../../domain/json-limits.ts'
import { MONEY_DIGITS } from '../../domain/money.ts'
import { FISCALIZATION_DEADLINE_DAYS } from '../../domain/sale/invoice.ts'
import { NUMBER_DIGITS, PREMISES_CODE_LENGTH, REACH, REACH_OF_EMPTY } from '../../domain/sale/receipt-number.ts'
import { MAX_CHARACTERS, MAX_LINES } from '../../domain/sale/receipt-style.ts'
import { CASH_AND_CARD_LIMIT, MAX_OTHER_TAX_RATE } from '../../domain/sale/sale-rules.ts'
import { MAX_CONSUMPTION_TAX_RATE } from '../../domain/sale/vat.ts'
import {
  ADDRESS_PART_LENGTH,
  CERTIFICATE_LABEL_LENGTH,
  COMPANY_NAME_LENGTH,
  DEVICE_LABEL_LENGTH,
  ITEM_NAME_LENGTH,
  ITEMS,
  PARAGON_NUMBER_LENGTH,
  PREMISES_ADDRESS_LENGTH,
  SPECIAL_PURPOSE_LENGTH,
  TAX_LINES,
  TAX_NAME_LENGTH,
} from '../../domain/text-lengths.ts'
import {
  CERTIFICATE_FILE_BYTES,
  IMPORT_FILE_BYTES,
  IMPORT_LINES,
  IMPORT_ROWS,
  RECEIPT_LOGO_BYTES,
} from '../../domain/upload.ts'

const INVALID = '400 invalid_request'
const LIMITED = '429 rate_limited'
const NOT_FOLLOWED = 'taken, and counting stays where it is'

/** What callers of `/v1` may send. What is a rule of fiscalization comes from where the rule is. */
export const API_BOUNDS = {
  json: { most: 256 * 1024, of: 'bytes of a JSON body', beyond: '413 request_too_large' },
  depth: { most: MAX_DEPTH, of: 'levels of a JSON body', beyond: INVALID },
  config: { most: CONFIG_BYTES, of: 'bytes of a configuration or an address, as JSON', beyond: INVALID },
  idempotencyKey: { most: 255, of: 'characters of an idempotency key', beyond: INVALID },
  requestId: {
    most: 200,
    of: 'characters of a request id of the caller',
    beyond: 'the request gets an id of the daemon',
  },
  pathText: { most: 1000, of: 'characters of an id in a path', beyond: INVALID },
  pageBytes: { most: PAGE_BYTES, of: 'bytes of a page of a list', beyond: 'the page ends before' },
  pageLimit: { most: 200, of: 'rows of a page', beyond: INVALID },

  // An upload is a few texts and one file.
  uploadText: { most: 10_000, of: 'bytes of a text beside a file', beyond: INVALID },
  uploadTexts: { most: 8, of: 'texts beside a file', beyond: INVALID },
  uploadFiles: { most: 1, of: 'files of an upload', beyond: INVALID },
  certificateFile: { most: CERTIFICATE_FILE_BYTES, of: 'bytes of a certificate file', beyond: '413 file_too_large' },
  logoFile: { most: RECEIPT_LOGO_BYTES, of: 'bytes of the logo on receipts', beyond: '413 file_too_large' },
  certificateLabel: { most: CERTIFICATE_LABEL_LENGTH, of: 'characters of the label of a certificate', beyond: INVALID },
  importFile: { most: IMPORT_FILE_BYTES, of: 'bytes of a list of devices', beyond: '413 file_too_large' },
  importRows: { most: IMPORT_ROWS, of: 'rows of a list of devices', beyond: INVALID },
  importLines: { most: IMPORT_LINES, of: 'lines of a list of devices', beyond: INVALID },

  companyName: { most: COMPANY_NAME_LENGTH, of: 'characters of the name of a company', beyond: INVALID },
  addressPart: { most: ADDRESS_PART_LENGTH, of: 'characters of a part of the address of a company', beyond: INVALID },
  deviceLabel: { most: DEVICE_LABEL_LENGTH, of: 'characters of the label of a device', beyond: INVALID },
  premisesAddress: { most: PREMISES_ADDRESS_LENGTH, of: 'characters of the address of premises', beyond: INVALID },
  premisesCode: { most: PREMISES_CODE_LENGTH, of: 'characters of a premises code', beyond: INVALID },
  registerMark: { most: NUMBER_DIGITS, of: 'digits of an ISU number or a register mark', beyond: INVALID },
  paperLines: { most: MAX_LINES, of: 'lines of the header or footer of a receipt', beyond: INVALID },
  paperLine: { most: MAX_CHARACTERS, of: 'characters of such a line', beyond: INVALID },

  receiptNumber: { most: NUMBER_DIGITS, of: 'digits of a receipt number', beyond: '400 hr.invalid_receipt_number' },
  reach: {
    most: Number(REACH),
    of: 'numbers that a supplied one lies above the highest of its sequence',
    beyond: NOT_FOLLOWED,
  },
  reachOfEmpty: {
    most: Number(REACH_OF_EMPTY),
    of: 'the number that is supplied first in a sequence',
    beyond: NOT_FOLLOWED,
  },
  money: { most: MONEY_DIGITS, of: 'digits of an amount before its dot', beyond: INVALID },
  cash: {
    most: Number(CASH_AND_CARD_LIMIT),
    of: 'cents of a total in cash or by card, either way',
    beyond: '400 hr.amount_out_of_range',
  },
  consumptionTax: {
    most: Number(MAX_CONSUMPTION_TAX_RATE),
    of: 'hundredths of a percent of consumption tax',
    beyond: '400 hr.invalid_pnp_rate',
  },
  otherTax: { most: Number(MAX_OTHER_TAX_RATE), of: 'hundredths of a percent of another tax', beyond: INVALID },
  saleAge: { most: FISCALIZATION_DEADLINE_DAYS, of: 'days since a sale', beyond: '400 hr.sale_older_than_30_days' },
  items: { most: ITEMS, of: 'items of a sale', beyond: INVALID },
  itemName: { most: ITEM_NAME_LENGTH, of: 'characters of the name of an item', beyond: INVALID },
  quantity: { most: 9, of: 'digits of a quantity before its dot', beyond: INVALID },
  taxLines: { most: TAX_LINES, of: 'taxes of a kind, or fees, of a sale', beyond: INVALID },
  taxName: { most: TAX_NAME_LENGTH, of: 'characters of the name of a fee or another tax', beyond: INVALID },
  specialPurpose: { most: SPECIAL_PURPOSE_LENGTH, of: 'characters of `special_purpose`', beyond: INVALID },
  paragonNumber: { most: PARAGON_NUMBER_LENGTH, of: 'characters of `paragon_number`', beyond: INVALID },

  // The first, second and last are what is taken unless `RATE_LIMIT_*` says otherwise.
  requests: { most: 20_000, of: 'requests of a key or user in a minute', beyond: LIMITED },
  requestsOfAddress: { most: 20_000, of: 'requests from an address in a minute', beyond: LIMITED },
  uploads: { most: 60, of: 'uploads of a key or user in a minute', beyond: LIMITED },
  signIns: { most: 30, of: 'sign-ins from an address in 15 minutes', beyond: LIMITED },
} as const satisfies Record<string, Bound>
