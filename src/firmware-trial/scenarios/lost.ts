import { cutAnswer, cutRequest, loseAnswer, pass, proxyError, refuse } from '../front/actions.ts'
import type { Scenario } from './scenario.ts'

const RETRY_AFTER_S = 3

export const LOST: Scenario[] = [
  {
    name: 'answer-lost',
    title: 'the sale is stored, and its answer is lost',
    seconds: 4,
    instead: { 'hands-out': 'takes-replay' },
    async play({ plan, press, settled }) {
      plan(loseAnswer)
      await settled(await press())
    },
  },
  {
    name: 'request-cut',
    title: 'the connection is cut before fiskd has the request',
    seconds: 4,
    async play({ plan, press, settled }) {
      plan(cutRequest)
      await settled(await press())
    },
  },
  {
    name: 'answer-cut',
    title: 'the connection is cut in the middle of the answer, twice',
    seconds: 6,
    instead: { 'hands-out': 'takes-replay' },
    async play({ plan, press, settled }) {
      plan(cutAnswer, cutAnswer)
      await settled(await press())
    },
  },
  {
    name: 'error-500',
    title: 'fiskd answers 500 with Retry-After, and a second time without',
    seconds: 8,
    async play({ plan, press, settled }) {
      plan(refuse(500, 'internal_error', RETRY_AFTER_S), refuse(500, 'internal_error', null))
      await settled(await press())
    },
  },
  {
    name: 'error-503',
    title: 'a proxy answers 503 with Retry-After',
    seconds: 6,
    async play({ plan, press, settled }) {
      plan(proxyError(RETRY_AFTER_S))
      await settled(await press())
    },
  },
  {
    name: 'rate-limited',
    title: 'fiskd answers 429 with Retry-After',
    seconds: 6,
    async play({ plan, press, settled }) {
      plan(refuse(429, 'rate_limited', RETRY_AFTER_S))
      await settled(await press())
    },
  },
  {
    name: 'errors-in-a-row',
    title: 'three attempts in a row fail, each in another way',
    seconds: 9,
    async play({ plan, press, settled }) {
      plan(cutRequest, refuse(500, 'internal_error', null), loseAnswer, pass)
      await settled(await press())
    },
  },
]
