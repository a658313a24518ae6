import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Language, Role } from '../../src/fiscal/ports/model.ts'
import { type Answer, type Call, call } from './call.ts'
import { type Gateway, startGateway, startSharedGateway } from './gateway.ts'

const PASSWORD = 'a long test password'
let users = 0

/** A page, or what came instead of one. */
export interface PageAnswer extends Answer<string> {
  /** What a reader sees, without tags, in one line. */
  words: string
  /** Where it leads; null for a page. */
  to: string | null
  /** The hidden fields of its form (of the one that posts to `action` when there are several). */
  hidden(action?: string): Record<string, string>
}

/** Somebody who is signed in, with a browser that keeps cookies and follows nothing by itself. */
export interface Visitor {
  name: string
  password: string
  get(path: string, headers?: Record<string, string>): Promise<PageAnswer>
  /** Opens the page, fills in its form and sends it. @param action when the page has several */
  submit(page: string, fields: Record<string, string | Blob>, action?: string): Promise<PageAnswer>
  /** Sends exactly this. */
  post(path: string, fields: Record<string, string | Blob>, headers?: Call['headers']): Promise<PageAnswer>
  cookies: Map<string, string>
}

export interface Office extends Gateway {
  as(role: Role, options?: { language?: Language; platformAdmin?: boolean }): Promise<Visitor>
  /** Nobody yet: a browser before its sign-in. */
  browser(): Visitor
}

export async function startDashboard(env: Record<string, string> = {}): Promise<Office> {
  return dashboardOf(await startGateway(env))
}

/** Of a whole file, for its `beforeAll`. */
export async function startSharedDashboard(env: Record<string, string> = {}): Promise<Office> {
  // Its tests sign in more often than a person does.
  return dashboardOf(await startSharedGateway({ RATE_LIMIT_AUTH_PER_15MIN: '1000', ...env }))
}

/** The dashboard of a gateway or server that runs. */
export function dashboardOf(gateway: Gateway): Office {
  const target = () => ({
    base: gateway.url,
    ca: readFileSync(join(gateway.dataDir, 'tls', 'ca.pem'), 'utf8'),
  })
  const browser = (name = '', password = '') => browserOf(target, name, password)
  return Object.assign(gateway, {
    browser: () => browser(),
    async as(
      role: Role,
      { language = 'hr', platformAdmin = false }: { language?: Language; platformAdmin?: boolean } = {},
    ) {
      const name = `${role}-${++users}@example.hr`
      const body = { name, password: PASSWORD, role, language, is_platform_admin: platformAdmin }
      const made = await gateway.admin('/admin/users', { body })
      expect(made.status, made.text).toBe(201)
      const visitor = browser(name, PASSWORD)
      const signedIn = await visitor.post('/dashboard/sign-in', { name, password: PASSWORD })
      expect(signedIn).toMatchObject({ status: 303, to: '/dashboard' })
      return visitor
    },
  })
}

/** A browser that keeps cookies, at any running dashboard; nobody has signed in yet. */
export function browserOf(target: () => { base: string; ca: string }, name = '', password = ''): Visitor {
  const cookies = new Map<string, string>()
  const ask = async (path: string, method: string, body?: unknown, headers: Call['headers'] = {}) => {
    const cookie = [...cookies].map(([key, value]) => `${key}=${value}`).join('; ')
    const answer = await call<string>(target(), {
      path,
      method,
      ...(body !== undefined && { body }),
      headers: { ...(cookie && { cookie }), 'sec-fetch-site': 'same-origin', ...headers },
    })
    for (const line of answer.headers['set-cookie'] ?? []) {
      const [, key = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') cookies.delete(key)
      else cookies.set(key, value)
    }
    return pageOf(answer)
  }
  const visitor: Visitor = {
    ...{ name, password, cookies },
    get: (path, headers) => ask(path, 'GET', undefined, headers),
    post(path, fields, headers) {
      const isUpload = Object.values(fields).some((value) => typeof value !== 'string')
      if (!isUpload) {
        const form = { 'content-type': 'application/x-www-form-urlencoded', ...headers }
        return ask(path, 'POST', new URLSearchParams(fields as Record<string, string>).toString(), form)
      }
      const form = new FormData()
      for (const [key, value] of Object.entries(fields)) {
        if (typeof value === 'string') form.append(key, value)
        else form.append(key, value, value instanceof File ? value.name : 'file')
      }
      return ask(path, 'POST', form, headers)
    },
    async submit(page, fields, action) {
      const opened = await visitor.get(page)
      expect(opened.status, opened.words).toBe(200)
      return visitor.post(action ?? page, { ...opened.hidden(action), ...fields })
    },
  }
  return visitor
}

function pageOf(answer: Answer<string>): PageAnswer {
  return {
    ...answer,
    words: wordsOf(answer.text),
    to: answer.headers.location ?? null,
    hidden: (action) => hiddenOf(answer.text, action),
  }
}

function wordsOf(html: string): string {
  const text = html.replace(/<(script|style|head)[\s\S]*?<\/\1>/g, ' ').replace(/<[^>]+>/g, ' ')
  return unescaped(text).replace(/\s+/g, ' ').trim()
}

function hiddenOf(html: string, action: string | undefined): Record<string, string> {
  const forms = [...html.matchAll(/<form[^>]*>[\s\S]*?<\/form>/g)].map(([form]) => form)
  const wanted = forms.filter((form) => form.includes('name="_form"'))
  const form = action === undefined ? wanted[0] : wanted.find((one) => one.includes(`action="${action}"`))
  if (!form) throw new Error(`there is no form ${action ?? ''} on this page`)
  const inputs = form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)
  return Object.fromEntries([...inputs].map(([, name = '', value = '']) => [name, unescaped(value)]))
}

function unescaped(text: string): string {
  const signs: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&', nbsp: ' ' }
  return text.replace(/&(lt|gt|quot|#39|amp|nbsp);/g, (_all, name: string) => signs[name] ?? '')
}
