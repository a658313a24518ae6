import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { AuditEntrySchema, KeySchema, NewKeySchema, TenantSchema, UserSchema } from '../../contract/admin/access.ts'
import { Closed, Id, IdParams, Mode, Nullable, Text } from '../../contract/common.ts'
import { PAGE } from '../../contract/list.ts'
import { DEFAULT_SCOPES } from '../../fiscal/access/principal.ts'
import { isInvited, MOST_COMPANIES } from '../../fiscal/access/users.ts'
import { readSlice } from '../../fiscal/list-page.ts'
import { type ApiKey, LANGUAGES, ROLES, type User } from '../../fiscal/ports/model.ts'
import type { Tenant } from '../../fiscal/ports/rows/access.ts'
import type { AdminUseCases } from '../../fiscal/use-cases.ts'
import { pageList, view, wholeList } from '../views/view.ts'
import { ADMIN_BOUNDS } from './bounds.ts'

const KeyBody = Closed({
  mode: Mode,
  scopes: Type.Optional(Type.Array(Type.String())),
  device_id: Type.Optional(Nullable(Id('Bind the key to one device'))),
  name: Type.Optional(Nullable(Text(1, ADMIN_BOUNDS.keyName.most, 'For people'))),
})

const Companies = Type.Array(Type.String({ maxLength: 11 }), {
  minItems: 1,
  maxItems: MOST_COMPANIES,
  description: 'OIBs of the only companies that the user may see',
})

const UserBody = Closed({
  name: Text(1, ADMIN_BOUNDS.userName.most, 'What the user signs in with, such as a mail address'),
  password: Type.String({ maxLength: ADMIN_BOUNDS.password.most }),
  role: Type.Optional(Type.Enum(ROLES)),
  is_platform_admin: Type.Optional(Type.Boolean()),
  companies: Type.Optional(Companies),
  email: Type.Optional(Nullable(Text(3, ADMIN_BOUNDS.email.most, 'Where alerts are sent'))),
  language: Type.Optional(Type.Enum(LANGUAGES)),
})

const ResetBody = Closed({
  password: Type.Optional(Type.String({ maxLength: ADMIN_BOUNDS.password.most })),
  second_factor: Type.Optional(Type.Literal(true)),
})

const TenantBody = Closed({
  name: Type.String({ pattern: `^[a-z0-9][a-z0-9-]{0,${ADMIN_BOUNDS.tenantName.most - 1}}$` }),
})

export const accessRoutes: FastifyPluginAsyncTypebox<{ useCases: AdminUseCases }> = async (app, { useCases }) => {
  app.get('/keys', async ({ principal }) => wholeList((await useCases.listApiKeys(principal)).map(keyView)))

  app.post('/keys', { schema: { body: KeyBody } }, async ({ principal, body }, reply) => {
    reply.status(201)
    const created = await useCases.createApiKey(principal, {
      mode: body.mode,
      scopes: body.scopes ?? DEFAULT_SCOPES,
      deviceId: body.device_id?.toLowerCase() ?? null,
      name: body.name ?? null,
    })
    return view(NewKeySchema, created)
  })

  app.post('/keys/:id/revoke', { schema: { params: IdParams } }, async ({ principal, params }) =>
    keyView(await useCases.revokeApiKey(principal, params.id.toLowerCase())),
  )

  app.get('/users', async ({ principal }) => wholeList((await useCases.listUsers(principal)).map(userView)))

  app.post('/users', { schema: { body: UserBody } }, async ({ principal, body }, reply) => {
    const { name, password, role = 'viewer', companies, email = null, language = 'hr' } = body
    const isPlatformAdmin = body.is_platform_admin ?? false
    reply.status(201)
    const companyIds = companies ? await useCases.companiesWithOibs(principal, companies) : null
    const user = { name, password, role, companyIds, isPlatformAdmin, email, language }
    return userView(await useCases.addUser(principal, user))
  })

  app.delete('/users/:id', { schema: { params: IdParams } }, async ({ principal, params }) =>
    userView(await useCases.removeUser(principal, params.id)),
  )

  app.post('/users/:id/reset', {
    schema: { params: IdParams, body: ResetBody },
    handler: async ({ principal, params, body: { password, second_factor: secondFactor } }) =>
      userView(
        await useCases.resetUser(principal, params.id, {
          ...(password !== undefined && { password }),
          ...(secondFactor && { secondFactor }),
        }),
      ),
  })

  app.post('/users/:id/companies', {
    schema: { params: IdParams, body: Closed({ companies: Nullable(Companies) }) },
    handler: async ({ principal, params, body }) =>
      userView(await useCases.limitUser(principal, params.id, body.companies)),
  })

  app.get('/tenants', async () => wholeList((await useCases.listTenants()).map(tenantView)))

  app.post('/tenants', { schema: { body: TenantBody } }, async ({ principal, body }, reply) => {
    reply.status(201)
    return tenantView(await useCases.addTenant(principal, body.name))
  })

  app.get('/audit', { schema: { querystring: Closed(PAGE) } }, async ({ principal, query }) =>
    pageList('audit', await useCases.auditLog(principal, {}, readSlice('audit', query)), (entry) =>
      view(AuditEntrySchema, entry),
    ),
  )
}

const keyView = (key: ApiKey) => view(KeySchema, key)

const userView = (user: User) =>
  view(UserSchema, { ...user, secondFactor: user.sealedTotp !== null, invited: isInvited(user) })

const tenantView = (tenant: Tenant) => view(TenantSchema, tenant)
