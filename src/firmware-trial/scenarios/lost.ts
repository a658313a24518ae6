import { cutAnswer, cutRequest, loseAnswer, pass, proxyError, refuse } from '../front/actions.ts'
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
