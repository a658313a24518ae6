/** What a rule demands, and where that is written: in docs/firmware.md and in the interface specification. */
const inSection = (section: string) => (chapter: string, expected: string) => ({ expected, section, chapter })
const connected = inSection('connect')
const timed = inSection('time-outs')
const posted = inSection('post-a-sale')
const stored = inSection('what-to-store-before-sending')
const answered = inSection('what-the-answer-obliges-you-to-do')
const aged = inSection('the-23-hour-rule')
const shown = inSection('what-a-screen-must-show')
const POST = 'POST /v1/invoices'

/** Every rule of the trial. Names never change: scripts and reports keep them. */
export const RULES = {
  'posts-sale': posted(POST, 'Each press of the button is posted to /v1/invoices.'),
  'sends-json': posted('Headers', 'The body is a JSON object, and Content-Type says application/json.'),
  authorization: connected('Authentication', 'Each request has "Authorization: Bearer" and the key from FISKD_KEY.'),
  'money-string': posted('Data formats', 'total is a JSON string with the two decimals that were pressed.'),
  'sale-fields': posted(POST, 'device_id is FISKD_DEVICE, and payment_method is the one that was pressed.'),
  moment: posted('Data formats', 'occurred_at is the moment of the press, with its UTC offset.'),
  'moment-kept': posted(POST, 'occurred_at stays the same in each attempt of a sale.'),
  'sends-key': posted('Headers', 'Each sale has an Idempotency-Key.'),
  'same-key': stored('Idempotency', 'Each attempt of a sale has the same Idempotency-Key.'),
  'key-survives-restart': stored(
    'Idempotency',
    'The firmware stores the key before it sends, and has it after a restart.',
  ),
  'same-bytes': stored('Idempotency', 'Each attempt of a sale has the same bytes.'),
  'same-api-key': stored('Idempotency', 'An open sale is finished with the API key that it was first sent with.'),
  'new-key': posted('Idempotency', 'Each new sale has a new Idempotency-Key.'),
  'tries-again': answered(
    'Retry guidance',
    'A sale without an answer, or with 429 or 5xx, is sent again until there is an answer.',
  ),
  'goes-on-after-restart': stored(
    'Idempotency',
    'After its own restart the firmware first sends again what was not answered.',
  ),
  'waits-retry-after': answered('Limits', 'The firmware waits for the seconds of Retry-After before it sends again.'),
  'backs-off': answered(
    'Retry guidance',
    'Without Retry-After it waits about a second, then twice as long each time, up to 30 s.',
  ),
  'no-retry-of-refusal': answered('Retry guidance', 'A sale that was refused with 4xx (not 429) is not sent again.'),
  'stops-after-answer': answered('Idempotency', 'A sale that was answered with 200 is not sent again.'),
  patient: timed('Limits', 'The firmware waits more than 9 s for an answer.'),
  'times-out': timed(
    'Limits',
    'A connection that does not come about, and an answer that does not end, are given up: the sale is sent again.',
  ),
  'hands-out': answered(POST, 'On 200 the goods come out.'),
  'hands-out-in-time': answered(POST, 'The goods come out within 5 s after the answer.'),
  'hands-out-without-jir': answered(
    'States and transitions',
    'On 200 the goods come out whether or not there is a JIR.',
  ),
  'takes-replay': answered('Idempotency', 'A replayed answer is the answer to the same sale: the goods come out.'),
  'ignores-new-fields': answered(
    'Versioning',
    'Fields that the firmware does not know are ignored: the goods come out.',
  ),
  'reads-whole-answer': answered(POST, 'An answer in many pieces is read to its end: the goods come out.'),
  'whole-answers': answered(POST, 'A 200 that is not a whole JSON object is no answer: the sale is sent again.'),
  'no-redirect': answered(POST, 'A redirect is not followed: it is no answer of fiskd, and the sale is sent again.'),
  'goods-once': answered('Idempotency', 'The goods of a sale come out once.'),
  'goods-once-after-restart': stored('Idempotency', 'Goods that are out do not come out again after a restart.'),
  'goods-only-on-200': answered(
    POST,
    'No goods come out before the sale was answered with 200, or found by GET /v1/invoices.',
  ),
  refuses: answered(POST, 'A sale that was refused with 4xx is given up at once, and the money returned.'),
  'does-not-give-up': answered(
    'Retry guidance',
    'Only a 4xx (not 429) ends a sale without goods. After 429, 5xx and silence the firmware sends it again.',
  ),
  'keeps-doubtful': answered(
    'Authentication',
    '401 or 403 to a sale that may be stored decides nothing: no goods come out, and no money goes back.',
  ),
  'searches-first': aged(
    'Idempotency',
    'A sale whose key stands for other bytes (409), or is a day old, is looked for, and what is found counts.',
  ),
  order: posted('Receipt number', 'Sales are posted in the order in which they were made.'),
  'tls-verified': connected(
    'What the service does',
    'No request goes to a server whose certificate is not signed by FISKD_CA.',
  ),
  'checks-name': connected(
    'What the service does',
    'No request goes to a server whose certificate has another name than FISKD_URL.',
  ),
  'trusts-ca': connected(
    'What the service does',
    'A renewed certificate of the same CA is trusted: the CA is pinned, not the certificate.',
  ),
  'screen-exact': shown('Invoice', 'The QR code holds exactly qr_payload of the answer.'),
  'shows-qr-code': shown('Invoice', 'Where no receipt comes out, the screen shows the QR code.'),
  'stays-up': posted(POST, 'The firmware runs until its input ends, then finishes what is open and ends with 0.'),
}

export type RuleName = keyof typeof RULES
