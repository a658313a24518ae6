import type { Judge } from './breach.ts'

/** No request may reach a server that the CA of the firmware has not signed. */
export const judgeTls: Judge = ({ attempts }) => {
  const foreign = attempts.filter(({ shown }) => shown === 'foreign')
  const [first] = foreign
  if (!first) return []
  const seen = 'The firmware sent its request, with its API key, to a server with a certificate of a foreign CA.'
  return [{ rule: 'tls-verified', sale: first.sale, seen, attempts: foreign.slice(0, 1) }]
}

/** The firmware ends by itself only, and well. */
export const judgeEndings: Judge = ({ endings }) =>
  endings
    .filter(({ killed, code }) => !killed && code !== 0)
    .map(({ overdue, code, signal }) => {
      const seen = overdue
        ? 'It did not end after its input had ended.'
        : `It ended with ${signal === null ? `exit code ${code}` : signal}.`
      return { rule: 'stays-up' as const, sale: null, seen, attempts: [] }
    })
