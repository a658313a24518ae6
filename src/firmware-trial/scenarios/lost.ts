import {
  cutAnswer,
  cutRequest,
  halfClose,
  loseAnswer,
  pass,
  proxyError,
  redirect,
  refuse,
  stallAnswer,
} from '../front/actions.ts'
import { oneSale, type Scenario } from './scenario.ts'

const RETRY_AFTER_S = 3

export const LOST: Scenario[] = [
  {
    name: 'answer-lost',
    title: 'the sale is stored, and its answer is lost',
    seconds: 4,
    instead: { 'hands-out': 'takes-replay' },
    play: oneSale(loseAnswer),
  },
  {
    name: 'request-cut',
    title: 'the connection is cut before fiskd has the request',
    seconds: 4,
    play: oneSale(cutRequest),
  },
  {
    name: 'answer-cut',
    title: 'the connection is cut in the middle of the answer, twice',
    seconds: 6,
    instead: { 'hands-out': 'takes-replay' },
    play: oneSale(cutAnswer, cutAnswer),
  },
  {
    name: 'half-close',
    title: 'an answer without Content-Length ends in the middle, as if it were whole',
    seconds: 4,
    instead: {
      'hands-out': 'takes-replay',
      'goods-only-on-200': 'whole-answers',
      'does-not-give-up': 'whole-answers',
      'tries-again': 'whole-answers',
    },
    play: oneSale(halfClose),
  },
  {
    name: 'answer-stalls',
    title: 'the answer begins, and no more of it comes',
    seconds: 18,
    instead: { 'hands-out': 'takes-replay', 'tries-again': 'times-out' },
    play: oneSale(stallAnswer),
  },
  {
    name: 'handshake-stalls',
    title: 'the connection is accepted, and the TLS handshake never begins',
    seconds: 16,
    instead: { 'posts-sale': 'times-out' },
    async play({ stallNext, press, finished }) {
      stallNext()
      await finished(await press())
    },
  },
  {
    name: 'redirect',
    title: 'something between answers 307 and names another address',
    seconds: 4,
    instead: { 'tries-again': 'no-redirect', 'does-not-give-up': 'no-redirect' },
    play: oneSale(redirect),
  },
  {
    name: 'error-500',
    title: 'fiskd answers 500 with Retry-After, and a second time without',
    seconds: 8,
    play: oneSale(refuse(500, 'internal_error', RETRY_AFTER_S), refuse(500, 'internal_error', null)),
  },
  {
    name: 'error-503',
    title: 'a proxy answers 503 with Retry-After',
    seconds: 6,
    play: oneSale(proxyError(RETRY_AFTER_S)),
  },
  {
    name: 'rate-limited',
    title: 'fiskd answers 429 with Retry-After',
    seconds: 6,
    play: oneSale(refuse(429, 'rate_limited', RETRY_AFTER_S)),
  },
  {
    name: 'errors-in-a-row',
    title: 'three attempts in a row fail, each in another way',
    seconds: 9,
    play: oneSale(cutRequest, refuse(500, 'internal_error', null), loseAnswer, pass),
  },
]
