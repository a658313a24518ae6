import type { Bound } from '../../domain/bound.ts'
import { CONFIG_BYTES, MAX_DEPTH } from '../../domain/json-limits.ts'
import { MESSAGE_ARCHIVE } from '../../domain/sale/message-reading-limits.ts'
import { REACH, REACH_OF_EMPTY } from '../../domain/sale/receipt-number.ts'
import { MAX_CHARACTERS, MAX_LINES } from '../../domain/sale/receipt-style.ts'
import {
  FARTHEST_COMMAND,
  FARTHEST_HEARD,
  FARTHEST_PUSHED,
  HIGHEST_COUNT,
  MOST_NUMBERS,
} from '../../domain/sync-bounds.ts'
import {
  CERTIFICATE_NAME_LENGTH,
  FAULT_LENGTH,
  ITEM_NAME_LENGTH,
  ITEMS,
  SPECIAL_PURPOSE_LENGTH,
  TAX_LINES,
  TAX_NAME_LENGTH,
  TOLD_LENGTH,
} from '../../domain/text-lengths.ts'
import { CERTIFICATE_CHAIN_BYTES, STORED_LOGO_BYTES } from '../../domain/upload.ts'

const INVALID = '400 invalid_request'
const LARGE = '413 request_too_large'
const LIMITED = '429 rate_limited'
const REFUSED = 'the record is refused: invalid_record'
const FULL = 'the record is refused: too_many_messages'
const FAR = 'the record is refused: out_of_reach'

const base64 = (bytes: number) => Math.ceil(bytes / 3) * 4

/** What any clock can show. */
const LONGEST_S = 8_640_000_000_000

/** What gateways may send a central server. */
export const SYNC_BOUNDS = {
  small: { most: 256 * 1024, of: 'bytes of a body that is no push and no file, unpacked too', beyond: LARGE },
  // A gateway sends 2 MB at once, or one record with what it rests on.
  push: { most: 4 * 1024 * 1024, of: 'bytes of a push', beyond: LARGE },
  unpacked: { most: 4 * 1024 * 1024, of: 'bytes of a push, unpacked', beyond: LARGE },
  // A full batch of 1000 sales has some 60 each; the rest is for long receipts. The densest honest batch of 2 MB is one of
  // receipt lines, with some 170,000.
  values: { most: 250_000, of: 'values of a body, by its brackets and commas', beyond: LARGE },
  // A bundle for support has 4 MB of a log, before it is packed.
  file: { most: 16 * 1024 * 1024, of: 'bytes of a file for a command', beyond: LARGE },
  records: { most: 1000, of: 'records of a push', beyond: INVALID },
  held: { most: 128 * 1024 * 1024, of: 'bytes of all pushes and files that are held at a time', beyond: LIMITED },
  pushes: { most: 2, of: 'pushes of a gateway at a time', beyond: LIMITED },
  files: { most: 1, of: 'files of a gateway at a time', beyond: LIMITED },
  // Callers without a credential get little, because a machine enrols only once.
  strangersHeld: { most: 4 * 1024 * 1024, of: 'bytes of all enrolments that are held at a time', beyond: LIMITED },
  strangers: { most: 8, of: 'enrolments from an address at a time', beyond: LIMITED },
  waitS: { most: 55, of: 'seconds that a poll may wait', beyond: INVALID },

  namedPremises: { most: 1000, of: 'premises that a hello names', beyond: INVALID },
  skippedNumbers: { most: 500, of: 'sequences that a replacement names at a time', beyond: INVALID },
  // Far more than a real gateway has; it keeps a gateway from filling the table of claims with invented premises.
  claims: { most: 10_000, of: 'premises of a gateway', beyond: '409 premises_owned_by_gateway' },
  host: { most: 200, of: 'characters of the name of a machine', beyond: INVALID },
  key: { most: 200, of: 'characters of a key', beyond: INVALID },
  program: { most: 60, of: 'characters of the version of a program', beyond: INVALID },
  count: { most: HIGHEST_COUNT, of: 'a position, a version or a command, and any count', beyond: INVALID },
  ahead: { most: FARTHEST_PUSHED, of: 'positions that a version lies above all that were heard of', beyond: INVALID },
  commandsAhead: { most: FARTHEST_COMMAND, of: 'commands seen above all that were given', beyond: INVALID },

  depth: { most: MAX_DEPTH, of: 'levels of a heartbeat, or of the body with a result', beyond: INVALID },
  heartbeatList: { most: 100, of: 'problems or printers of a heartbeat', beyond: INVALID },
  heartbeatWord: { most: 200, of: 'characters of a code or a state in a heartbeat', beyond: INVALID },
  leftOut: { most: 20, of: 'disks that a heartbeat leaves out', beyond: INVALID },
  uptimeS: { most: LONGEST_S, of: 'seconds that a program has run', beyond: INVALID },
  offsetMs: { most: LONGEST_S * 1000, of: 'milliseconds that a clock is wrong, either way', beyond: INVALID },

  // The largest sale that `/v1` takes, with all that a receipt says, is a little smaller: `test/sync/largest-sales.test.ts`.
  row: { most: 256 * 1024, of: 'bytes of a record, as JSON', beyond: 'the record is refused: record_too_large' },
  kind: { most: 40, of: 'characters of the kind of a record', beyond: INVALID },
  id: { most: 100, of: 'characters of the id of a record', beyond: INVALID },
  config: { most: CONFIG_BYTES, of: 'bytes of a configuration, an address or a detail, as JSON', beyond: REFUSED },
  configDepth: { most: MAX_DEPTH, of: 'levels of a configuration, an address or a detail', beyond: REFUSED },
  text: { most: 2000, of: 'characters of a text of a record', beyond: REFUSED },
  word: { most: 200, of: 'characters of a code, a subject or a user', beyond: REFUSED },
  reason: { most: FAULT_LENGTH, of: 'characters of what was wrong with a sale', beyond: REFUSED },
  mark: { most: 100, of: 'characters of a JIR or a seal', beyond: REFUSED },
  written: { most: 40, of: 'characters of a quantity or a moment as text', beyond: REFUSED },
  certificate: { most: base64(CERTIFICATE_CHAIN_BYTES), of: 'characters of a certificate in base64', beyond: REFUSED },
  certificateName: {
    most: CERTIFICATE_NAME_LENGTH,
    of: 'characters of the subject, issuer or serial number of a certificate',
    beyond: REFUSED,
  },
  intermediates: { most: 20, of: 'intermediate certificates of a certificate', beyond: REFUSED },
  // What `/v1` takes for a sale, and one that is sold at a gateway is never refused.
  lines: { most: TAX_LINES, of: 'taxes of a kind, or fees, of a sale', beyond: REFUSED },
  taxName: { most: TAX_NAME_LENGTH, of: 'characters of the name of a fee or another tax', beyond: REFUSED },
  specialPurpose: {
    most: SPECIAL_PURPOSE_LENGTH,
    of: 'characters of what is said for a special purpose',
    beyond: REFUSED,
  },
  itemName: { most: ITEM_NAME_LENGTH, of: 'characters of the name of an item', beyond: REFUSED },
  receiptLine: { most: MAX_CHARACTERS, of: 'characters of a line above or below a receipt', beyond: REFUSED },
  logo: { most: base64(STORED_LOGO_BYTES), of: 'characters of the logo of a company in base64', beyond: REFUSED },
  receiptLines: { most: MAX_LINES, of: 'lines above, below or of the address on a receipt', beyond: REFUSED },
  items: { most: ITEMS, of: 'items on a receipt', beyond: REFUSED },
  copies: { most: 1_000_000, of: 'the number of a copy of a receipt', beyond: REFUSED },
  httpStatus: { most: 999, of: 'the HTTP status of an answer', beyond: REFUSED },
  archived: { most: 131_072, of: 'characters of packed XML in base64', beyond: REFUSED },
  archivedText: { most: MESSAGE_ARCHIVE.textBytes, of: 'bytes of such XML, unpacked', beyond: REFUSED },
  messages: { most: MESSAGE_ARCHIVE.messages, of: 'messages about a sale', beyond: FULL },
  messagesWithXml: { most: MESSAGE_ARCHIVE.messagesWithXml, of: 'messages about a sale with XML', beyond: FULL },
  reach: { most: Number(REACH), of: 'numbers that a sale lies above the highest of its sequence', beyond: FAR },
  reachOfEmpty: { most: Number(REACH_OF_EMPTY), of: 'the number of the first sale of a sequence', beyond: FAR },
} as const satisfies Record<string, Bound>

const NOT_UNDERSTOOD = 'the answer is not_understood'

/** What a central server may tell a gateway. */
export const SYNC_ANSWER_BOUNDS = {
  answer: { most: 8 * 1024 * 1024, of: 'bytes of an answer', beyond: 'the server is unreachable' },
  errorCode: { most: 60, of: 'characters of the code of an error', beyond: 'known by its HTTP status alone' },
  errorMessage: { most: TOLD_LENGTH, of: 'characters of the message of an error', beyond: 'cut' },
  retryAfter: { most: 6, of: 'digits of `Retry-After`', beyond: 'ignored' },
  againS: { most: 60, of: 'seconds until the next poll', beyond: 'asked after 60 seconds' },
  key: { most: 200, of: 'characters of a key or a signature', beyond: NOT_UNDERSTOOD },
  identityRecords: { most: 500, of: 'rows of a page of what a gateway was before', beyond: NOT_UNDERSTOOD },
  identityPages: { most: 1000, of: 'pages of what a gateway was before', beyond: 'the replacement fails' },
  numbers: { most: MOST_NUMBERS, of: 'sequences of receipt numbers of an answer', beyond: NOT_UNDERSTOOD },
  heard: {
    most: FARTHEST_HEARD,
    of: 'positions that the server has heard of above the latest one',
    beyond: 'not believed: positions_doubtful',
  },
  commandText: { most: 4_000_000, of: 'characters of a command in base64', beyond: NOT_UNDERSTOOD },
  // What is larger is none that this version knows; it is answered, which what is larger still is not.
  command: { most: 1_000_000, of: 'characters of such a command that are read', beyond: 'refused: command_malformed' },
  // The server's word is a week; nothing that was signed once shall be good for ever.
  commandLifeMs: {
    most: 31 * 24 * 3_600_000,
    of: 'milliseconds that a command is good for',
    beyond: 'refused: command_lives_too_long',
  },
} as const satisfies Record<string, Bound>
