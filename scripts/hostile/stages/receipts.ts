import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { median } from '../../bench/statistics.ts'
import { createChance } from '../../chaos/chance.ts'
import { type Answer, ask, type Question } from '../../chaos/http.ts'
import { encoded, endless } from '../changes.ts'
import { UNKNOWN_TO_STRANGERS } from '../links.ts'
import { type Stage, times } from '../stage.ts'

type Manner = Omit<Question, 'path'>

/** What a stranger may add to a request, in the hope that something shows. */
const MANNERS: readonly Manner[] = [
  {},
  ...(['HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).map((method) => ({ method })),
  { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{' },
  { method: 'PUT', headers: { 'content-type': 'text/plain' }, body: 'x'.repeat(70_000) },
  ...['en', 'de', '*'].map((language) => ({ headers: { 'accept-language': language } })),
  ...['bytes=0-9', 'bytes=-1'].map((range) => ({ headers: { range } })),
  { headers: { 'x-forwarded-for': '10.0.0.1', 'x-forwarded-host': 'a.example', 'x-forwarded-proto': 'http' } },
  { headers: { 'x-forwarded-prefix': '/x', 'x-real-ip': '::1', 'x-original-url': '/dashboard' } },
  { headers: { forwarded: 'for=10.0.0.1;host=a.example' } },
  ...['a.example', 'localhost', '[::1]:1'].map((host) => ({ headers: { host } })),
  { headers: { 'if-none-match': '*', 'if-modified-since': new Date(0).toUTCString(), cookie: 'a=b' } },
  { headers: { accept: 'application/json', 'accept-encoding': 'gzip', origin: 'https://a.example', expect: 'x' } },
]
const BEHIND = ['', '', '', '?l=en', '?w=1', '?w=48&l=hr', '/pdf', '/', '/x', '.pdf', '%00', ';a', '?', '#']

/** Links that show no receipt, and what a stranger may try with them: all are answered with the same bytes. */
export const receipts: Stage = {
  name: 'links to receipts',
  share: 0,
  counts: 'tokens',
  async run({ world: { links, server }, seed, learned, took, sent, timed }, count) {
    if (server.mortal.pid() === undefined) return
    const { target, shown, refused } = links
    const chance = createChance(seed)
    const kinds = Object.entries(refused) as [string, () => string][] as [[string, () => string]]
    const words = endless(fc.string({ unit: 'binary', maxLength: 60 }), seed)
    const nothing = seen(await ask(target, { path: '/r/x' }))
    const tell = (what: string, { method = 'GET', path }: Question, answer: unknown) => {
      const text = JSON.stringify(answer)?.slice(0, 300)
      learned(`${what}: ${method} ${path.replace(/[\w-]{48}/, '...').slice(0, 60)}: ${text}`)
    }
    if (nothing?.status !== 404) tell('made up', { path: '/r/x' }, nothing)

    const attempt = async (kind: string, question: Question) => {
      const answer = seen(await ask(target, question))
      const wanted = question.method === 'HEAD' ? nothing && { ...nothing, text: '' } : nothing
      if (!isDeepStrictEqual(answer, wanted)) tell(kind, question, answer)
    }
    for (const [kind, make] of kinds) await attempt(kind, { path: make() })
    await times(count, async (n) => {
      // Every second one is as a guesser makes it.
      const [kind, make] = n % 2 === 0 ? (kinds[0] as [string, () => string]) : chance.pick(kinds)
      const path = n % 20 === 0 ? `/r/${encoded(words.next().value)}` : make()
      await attempt(kind, { path: path + chance.pick(BEHIND as [string]), ...chance.pick(MANNERS as [Manner]) })
    })
    sent(count + kinds.length)

    // One after another on one connection, all kinds mixed: what is slow now and then is slow for all of them.
    const others = kinds.filter(([kind]) => kind !== UNKNOWN_TO_STRANGERS)
    const left = others.flatMap(([kind, make]) => Array.from({ length: timed }, () => ({ kind, path: make() })))
    const lasted = new Map(others.map(([kind]) => [kind, [] as number[]]))
    while (left.length > 0) {
      const [{ kind, path }] = left.splice(Math.floor(chance.between(0, left.length)), 1) as [(typeof left)[0]]
      const begunAt = performance.now()
      const answer = await ask(target, { path })
      lasted.get(kind)?.push(performance.now() - begunAt)
      if (!isDeepStrictEqual(seen(answer), nothing)) tell(kind, { path }, seen(answer))
    }
    sent(timed * others.length)
    for (const [kind, all] of timed > 0 ? lasted : []) took(kind, median(all))
    const genuine = await ask(target, { path: shown })
    if (genuine?.status !== 200) tell('the genuine one is not shown', { path: shown }, seen(genuine))
  },
}

function seen(answer: Answer | null) {
  if (answer === null) return null
  const { date: _date, ...headers } = answer.headers
  return { status: answer.status, headers, text: answer.text }
}
