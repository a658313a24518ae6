// Loaded before a daemon under measurement: writes what processor time each request took, from its headers to its answer, of
// the whole process. A request during which others are served has theirs, too: the middle one has not.
import { subscribe } from 'node:diagnostics_channel'
import { appendFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

if (isMainThread) {
  const begun = new WeakMap()
  let lines = ''
  subscribe('http.server.request.start', ({ request }) => void begun.set(request, process.cpuUsage()))
  subscribe('http.server.response.finish', ({ request }) => {
    const { user, system } = process.cpuUsage(begun.get(request))
    const [, first, , third] = request.url.split(/[/?]/)
    lines += `${first === 'sync' ? third : first} ${(user + system) / 1000}\n`
  })
  setInterval(() => {
    appendFileSync(process.env.BENCH_REQUEST_CPU, lines)
    lines = ''
  }, 500).unref()
}
