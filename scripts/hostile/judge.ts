import type { Answer, Question } from '../chaos/http.ts'
import { codesOf, SYNC_OPERATIONS } from './sync-answers.ts'

/** What is promised of one operation: the codes of errors by their status. */
interface Operation {
  method: string
  path: RegExp
  name: string
  codes: Map<number, Set<string>>
}

/** Answers before any operation is known: to a path or method that is none, or to HTTP that is none. */
const OF_NOBODY = new Set([400, 401, 404, 405, 408, 413, 414, 415, 429, 431])
/** Of the pages, which no document describes. */
const OF_PAGES = new Set([200, 302, 303, 304, 400, 401, 403, 404, 405, 409, 413, 415, 422, 429, 431])

export interface Judge {
  /** @returns what is wrong with an answer; null when it is one of those that are promised */
  problemOf(question: Question, answer: Answer | null): string | null
}

/** @param document as `/docs/openapi.json` gives it */
export function createJudge(document: object): Judge {
  const operations = [...describedIn(document), ...ofGateways()]
  return {
    problemOf(question, answer) {
      const { method = 'GET', path } = question
      const pathname = path.split('?')[0] ?? ''
      const told = `${method} ${pathname.slice(0, 80)}`
      if (answer === null) return `${told}: no answer to ${shown(question)}`
      const problem = wrongOf(answer, method, pathname)
      return problem === null ? null : `${told}: ${problem}: ${answer.text.slice(0, 200)} to ${shown(question)}`
    },
  }

  function wrongOf({ status, text }: Answer, method: string, pathname: string): string | null {
    if (status >= 500) return `status ${status}`
    if (pathname.startsWith('/dashboard') && pathname !== '/dashboard/session') {
      return OF_PAGES.has(status) ? null : `status ${status} is none of a page's`
    }
    const operation = operations.find((one) => one.method === method && one.path.test(pathname))
    if (operation === undefined)
      return OF_NOBODY.has(status) || status < 300 ? null : `status ${status} without an operation`
    const codes = operation.codes.get(status)
    if (codes === undefined) return `status ${status} is not promised of ${operation.name}`
    if (status < 400) return null
    const code = codeOf(text)
    return code !== undefined && codes.has(code) ? null : `code ${code} is not promised of ${operation.name}`
  }
}

const shown = ({ body = '' }: Question) => (typeof body === 'string' ? body.slice(0, 300) : `${body.length} bytes`)

function describedIn(document: object): Operation[] {
  const { paths } = document as {
    paths: Record<string, Record<string, { responses: Record<string, { description: string }> }>>
  }
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { responses }]) => ({
      method: method.toUpperCase(),
      name: `${method} ${path}`,
      path: patternOf(path),
      codes: new Map(
        Object.entries(responses).map(([status, { description }]) => [
          Number(status),
          new Set([...description.matchAll(/`([a-z_.0-9]+)`/g)].map(([, code]) => String(code))),
        ]),
      ),
    })),
  )
}

function ofGateways(): Operation[] {
  return SYNC_OPERATIONS.map((operation) => {
    const [method, short] = operation
    const path = `/sync/v1${short}`
    return { method, name: `${method} ${path}`, path: patternOf(path), codes: codesOf(operation) }
  })
}

const patternOf = (path: string) => new RegExp(`^${path.replace(/\{[^}]+\}/g, '[^/]+')}$`)

function codeOf(text: string): string | undefined {
  try {
    const { error } = JSON.parse(text)
    const isWhole = ['type', 'message', 'doc_url'].every((member) => typeof error[member] === 'string')
    return isWhole && 'param' in error ? error.code : undefined
  } catch {
    return undefined
  }
}
