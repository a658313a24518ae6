import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { FiskError, notFound } from '../domain/errors.ts'
import type { EpochMs } from '../domain/instant.ts'
import { type Principal, requireAllCompanies } from '../fiscal/access/principal.ts'
import { csrfTokenOf, principalOf, requireCsrfToken } from '../fiscal/access/sessions.ts'
import type { Company, Language, Role, User } from '../fiscal/ports/model.ts'
import type { Keep } from '../fiscal/sales/idempotency.ts'
import type { AdminUseCases, OfficeUseCases, ReceiptLinkUseCases, UseCases } from '../fiscal/use-cases.ts'
import { sessionTokenOf } from './authenticate.ts'
import { DASHBOARD_BOUNDS } from './bounds.ts'
import { chosenCompany, isNarrowed, switchChoices } from './company-switch.ts'
import { textOfError } from './error-texts.ts'
import { createFormats, type Formats } from './formats.ts'
import { newFormId, ownFields, readSubmission, requireFormId, requireOwnOrigin, type UploadedFile } from './forms.ts'
import type { SessionUseCases } from './session-routes.ts'
import type { texts as common } from './texts.ts'
import type { Shown, Views } from './views.ts'

export interface DashboardDeps {
  v1: UseCases
  admin: AdminUseCases
  office: OfficeUseCases
  sessions: SessionUseCases
  role: 'gateway' | 'server'
  version: string
  now(): EpochMs
  /** Counts an upload of a principal, together with those that come in elsewhere. @throws FiskError `rate_limited` */
  countUpload(principalId: string, reply: FastifyReply): void
}

export interface PageOptions {
  /** The least role that is needed; a viewer when left out. */
  role?: Role
  /** For what concerns all companies: users who are limited to some are refused. */
  allCompanies?: true
  /** How large a file may be that is sent here. */
  fileBytes?: number
}

type PageHandler = (context: PageContext) => Promise<unknown>
/** Registers a page by its address below `/dashboard`: who may open it stands before what it does, as in Fastify. */
type AddPage = (path: string, ...route: [handler: PageHandler] | [options: PageOptions, handler: PageHandler]) => void

export const OPERATOR = { role: 'operator' } as const
export const ADMIN = { role: 'admin' } as const
export const ADMIN_OF_ALL = { role: 'admin', allCompanies: true } as const

/** @throws FiskError 404 where no receipts are shown to customers */
export function requireLinks({ receiptLinks }: OfficeUseCases): ReceiptLinkUseCases {
  if (receiptLinks) return receiptLinks
  throw notFound('id', 'this server shows no receipts to customers')
}

export interface Pages {
  get: AddPage
  /** Session, CSRF token and origin are checked before. */
  post: AddPage
}

export type Notice = keyof (typeof common)['hr']['notices']

/** Where a form leads on to. */
export interface AfterForm<T> {
  to: string | ((result: T) => string)
  notice?: Notice
  /** Shows the form again; without it a refusal is thrown on. */
  refused?: ShowAgain
}

/** Texts by the name of a field: what was sent, or what is wrong with it. */
export type Fields = Record<string, string>

export type ShowAgain = (errors: Fields, error: FiskError) => Promise<unknown>

/** A request of a user who is signed in. */
export interface PageContext {
  request: FastifyRequest
  reply: FastifyReply
  user: User
  /** Of the session; for what keeps this one and ends the others. */
  token: string
  /** Of what the user may see, and of the company chosen in the head alone. */
  principal: Principal
  /** The one that this page is narrowed to; null for none. */
  company: Company | null
  language: Language
  f: Formats
  params: Record<string, string>
  query: Record<string, string>
  /** Of a POST. */
  form: Record<string, string>
  files: Record<string, UploadedFile>
  /** htmx asks for a part of a page. */
  isFragment: boolean
  may(role: Role): boolean
  /**
   * A whole page. @param it with the mode of what it shows, where that is one mode
   * @param status without it 422 where something about a form was wrong
   */
  show(view: string, it: Shown, status?: number): Promise<unknown>
  fragment(view: string, it: Record<string, unknown>): Promise<unknown>
  /** Does the work of a form once, however often it is sent, and leads on. */
  once<T>(work: (keep: Keep<T>) => Promise<T>, then: AfterForm<T>): Promise<unknown>
  go(to: string, notice?: Notice): unknown
  /** Of a refusal, by field; whatever else went wrong is thrown on. */
  errorsOf(error: unknown): Record<string, string>
}

const RANKS: Record<Role, number> = { viewer: 0, operator: 1, admin: 2 }

export const hasRole = (user: User, role: Role) => RANKS[user.role] >= RANKS[role]

export function createPages(app: FastifyInstance, deps: DashboardDeps, views: Views): Pages {
  const formats = createFormats(deps.now)

  const addTo =
    (method: 'GET' | 'POST'): AddPage =>
    (path, ...route) => {
      const [options, handler] = route.length === 1 ? [{}, route[0]] : route
      app.route({
        method,
        url: `/dashboard${path}`,
        // A HEAD request would do all of the work of a GET.
        exposeHeadRoute: false,
        onRequest: async (request) => {
          const announced = Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY)
          if (method === 'POST' && announced > DASHBOARD_BOUNDS.strangersForm.most) await sessionOf(request)
        },
        handler: async (request, reply) =>
          handler(await contextOf(request, reply, { ...options, narrowed: !options.allCompanies && isNarrowed(path) })),
      })
    }

  async function sessionOf(request: FastifyRequest): Promise<{ token: string; user: User }> {
    const token = sessionTokenOf(request)
    if (token === undefined) throw new FiskError('invalid_session', 'nobody is signed in', { param: 'Cookie' })
    return { token, user: (await deps.sessions.findSession(token)).user }
  }

  async function contextOf(
    request: FastifyRequest,
    reply: FastifyReply,
    options: PageOptions & { narrowed: boolean },
  ): Promise<PageContext> {
    const { fields, files } =
      request.method === 'POST'
        ? await readSubmission(request, options.fileBytes ?? DASHBOARD_BOUNDS.strayFile.most)
        : { fields: {}, files: {} }
    request.submitted = fields
    const { token, user } = await sessionOf(request)
    request.signedIn = user
    if (request.method === 'POST') {
      requireOwnOrigin(request)
      requireCsrfToken(token, fields._csrf ?? request.headers['x-csrf-token']?.toString())
    }
    const may = (role: Role) => hasRole(user, role)
    if (!may(options.role ?? 'viewer')) throw new FiskError('insufficient_scope', 'your role does not allow this')
    const query = textsOf(request.query)
    const own = principalOf(user)
    if (options.allCompanies) requireAllCompanies(own)
    const chosen = await chosenCompany(deps.v1, own, request, { ...query, ...fields })
    const company = options.narrowed ? chosen : null
    request.narrowedTo = company
    const principal = company ? { ...own, companyIds: [company.id] } : own
    if (options.fileBytes !== undefined) deps.countUpload(principal.id, reply)
    const isFragment = request.headers['hx-request'] === 'true' && request.headers['hx-boosted'] !== 'true'
    const formId = newFormId()
    const viewer = {
      request,
      user,
      csrfToken: csrfTokenOf(token),
      formId,
      may,
      companies: { chosen, isNarrowed: options.narrowed, choices: () => switchChoices(deps.v1, deps.office, own) },
      modes: () => deps.office.modesOf(principal),
      brand: () => deps.office.branding.find(user.tenantId),
      counts: async () => {
        const { total, stopped, isu, suspended } = await deps.office.machines.counts(principal)
        const { urgent, warning, info } = await deps.office.alerts.counts(principal)
        return { devices: total, notEarning: stopped + isu + suspended, alerts: urgent + warning + info }
      },
    }
    const html = (text: string, status: number) => reply.status(status).type('text/html; charset=utf-8').send(text)
    const go = (to: string, notice?: Notice) => reply.redirect(withNotice(to, notice), 303)
    const errorsOf = (error: unknown) => {
      if (!(error instanceof FiskError) || error.status >= 500 || error.code === 'invalid_session') throw error
      return { [error.param ?? 'form']: textOfError(error, user.language) }
    }
    return {
      request,
      reply,
      user,
      token,
      principal,
      company,
      files,
      isFragment,
      may,
      go,
      errorsOf,
      language: user.language,
      f: formats(user.language),
      params: request.params as Record<string, string>,
      query,
      form: ownFields(fields),
      show: async (view, it, status = statusOf(it.errors ?? {})) => html(await views.page(view, it, viewer), status),
      fragment: async (view, it) => html(await views.fragment(view, it, viewer), 200),
      async once(work, { to, notice, refused }) {
        const response = (result: Parameters<Exclude<typeof to, string>>[0]) => ({
          status: 303,
          body: withNotice(typeof to === 'string' ? to : to(result), notice),
        })
        try {
          const use = {
            scope: user.id,
            mode: null,
            // A list has a form in each row, all of the same page.
            key: `form:${requireFormId(fields)} ${request.url}`,
            requestHash: hashOf(request.url, fields, files),
          }
          const answer = await deps.v1.once(use, async (keep) =>
            response(await work((tx, result) => keep(tx, response(result)))),
          )
          deps.office.machines.forget(principal)
          return reply.redirect(answer.body, 303)
        } catch (error) {
          if (refused === undefined) throw error
          return refused(errorsOf(error), error as FiskError)
        }
      },
    }
  }

  return { get: addTo('GET'), post: addTo('POST') }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is signed in, as soon as it is known. */
    signedIn?: User
    /** The company that was chosen in the head, where the page is narrowed to it. */
    narrowedTo?: Company | null
    /** What a form has sent: a session that has ended must not lose it. */
    submitted?: Record<string, string>
  }
}

/** The status of a page with a form: 422 where something about it was wrong. */
export const statusOf = (errors: object) => (Object.keys(errors).length > 0 ? 422 : 200)

/** Of several values the last counts. */
function textsOf(query: unknown): Record<string, string> {
  const entries = Object.entries(query as Record<string, unknown>)
  return Object.fromEntries(entries.map(([name, value]) => [name, String(Array.isArray(value) ? value.at(-1) : value)]))
}

function withNotice(to: string, notice: Notice | undefined): string {
  if (notice === undefined) return to
  return `${to}${to.includes('?') ? '&' : '?'}notice=${notice}`
}

function hashOf(url: string, fields: Record<string, string>, files: Record<string, UploadedFile>): string {
  const hash = createHash('sha256').update(JSON.stringify([url, Object.entries(fields)]))
  for (const [name, { bytes }] of Object.entries(files)) hash.update(JSON.stringify(name)).update(bytes)
  return hash.digest('hex')
}
