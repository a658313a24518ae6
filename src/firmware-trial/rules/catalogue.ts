/** What a rule demands, and where that is written. */
interface Rule {
  expected: string
  /** A section of docs/firmware.md. */
  section:
    | 'connect'
    | 'time-outs'
    | 'post-a-sale'
    | 'what-to-store-before-sending'
    | 'what-the-answer-obliges-you-to-do'
    | 'what-a-screen-must-show'
  /** A chapter of the interface specification. */
  chapter: string
}

const ANSWERS = 'what-the-answer-obliges-you-to-do'
const STORE = 'what-to-store-before-sending'
const SCREEN = 'what-a-screen-must-show'
const POST = 'POST /v1/invoices'
const rule = (section: Rule['section'], chapter: string, expected: string): Rule => ({ expected, section, chapter })

/** Every rule of the trial. Names never change: scripts and reports keep them. */
export const RULES = {
  'posts-sale': rule('post-a-sale', POST, 'Each press of the button is posted to /v1/invoices.'),
  'sends-json': rule('post-a-sale', 'Headers', 'The body is a JSON object, and Content-Type says application/json.'),
  authorization: rule(
    'connect',
    'Authentication',
    'Each request has "Authorization: Bearer" and the key from FISKD_KEY.',
  ),
  'money-string': rule(
    'post-a-sale',
    'Data formats',
    'total is a JSON string with the two decimals that were pressed.',
  ),
  'sale-fields': rule(
    'post-a-sale',
    POST,
    'device_id is FISKD_DEVICE, and payment_method is the one that was pressed.',
  ),
  moment: rule('post-a-sale', 'Data formats', 'occurred_at is the moment of the press, with its UTC offset.'),
  'moment-kept': rule('post-a-sale', POST, 'occurred_at stays the same in each attempt of a sale.'),
  'sends-key': rule('post-a-sale', 'Headers', 'Each sale has an Idempotency-Key.'),
  'same-key': rule(STORE, 'Idempotency', 'Each attempt of a sale has the same Idempotency-Key.'),
  'key-survives-restart': rule(
    STORE,
    'Idempotency',
    'The firmware stores the key before it sends, and has it after a restart.',
  ),
  'same-bytes': rule(STORE, 'Idempotency', 'Each attempt of a sale has the same bytes.'),
  'new-key': rule('post-a-sale', 'Idempotency', 'Each new sale has a new Idempotency-Key.'),
  'tries-again': rule(
    ANSWERS,
    'Retry guidance',
    'A sale without an answer, or with 429 or 5xx, is sent again until there is an answer.',
  ),
  'goes-on-after-restart': rule(
    STORE,
    'Idempotency',
    'After its own restart the firmware first sends again what was not answered.',
  ),
  'waits-retry-after': rule(
    ANSWERS,
    'Limits',
    'The firmware waits for the seconds of Retry-After before it sends again.',
  ),
  'backs-off': rule(
    ANSWERS,
    'Retry guidance',
    'Without Retry-After it waits about a second, then twice as long each time, up to 30 s.',
  ),
  'no-retry-of-refusal': rule(
    ANSWERS,
    'Retry guidance',
    'A sale that was refused with 4xx (not 429) is not sent again.',
  ),
  'stops-after-answer': rule(ANSWERS, 'Idempotency', 'A sale that was answered with 200 is not sent again.'),
  patient: rule('time-outs', 'Limits', 'The firmware waits more than 9 s for an answer.'),
  'hands-out': rule(ANSWERS, POST, 'On 200 the goods come out.'),
  'hands-out-in-time': rule(ANSWERS, POST, 'The goods come out within 5 s after the answer.'),
  'hands-out-without-jir': rule(
    ANSWERS,
    'States and transitions',
    'On 200 the goods come out whether or not there is a JIR.',
  ),
  'takes-replay': rule(ANSWERS, 'Idempotency', 'A replayed answer is the answer to the same sale: the goods come out.'),
  'ignores-new-fields': rule(
    ANSWERS,
    'Versioning',
    'Fields that the firmware does not know are ignored: the goods come out.',
  ),
  'reads-whole-answer': rule(ANSWERS, POST, 'An answer in many pieces is read to its end: the goods come out.'),
  'goods-once': rule(ANSWERS, 'Idempotency', 'The goods of a sale come out once.'),
  'goods-once-after-restart': rule(STORE, 'Idempotency', 'Goods that are out do not come out again after a restart.'),
  'goods-only-on-200': rule(
    ANSWERS,
    POST,
    'No goods come out before the sale was answered with 200, or found by GET /v1/invoices.',
  ),
  refuses: rule(ANSWERS, POST, 'A sale that was refused with 4xx is given up at once, and the money returned.'),
  'does-not-give-up': rule(
    ANSWERS,
    'Retry guidance',
    'Only a 4xx (not 429) ends a sale without goods. After 429, 5xx and silence the firmware sends it again.',
  ),
  order: rule('post-a-sale', 'Receipt number', 'Sales are posted in the order in which they were made.'),
  'tls-verified': rule(
    'connect',
    'What the service does',
    'No request goes to a server whose certificate is not signed by FISKD_CA.',
  ),
  'trusts-ca': rule(
    'connect',
    'What the service does',
    'A renewed certificate of the same CA is trusted: the CA is pinned, not the certificate.',
  ),
  'screen-exact': rule(SCREEN, 'Invoice', 'The QR code holds exactly qr_payload of the answer.'),
  'shows-qr-code': rule(SCREEN, 'Invoice', 'Where no receipt comes out, the screen shows the QR code.'),
  'stays-up': rule(
    'post-a-sale',
    POST,
    'The firmware runs until its input ends, then finishes what is open and ends with 0.',
  ),
} as const satisfies Record<string, Rule>

export type RuleName = keyof typeof RULES
