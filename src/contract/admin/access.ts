import * as Type from 'typebox'
import { Anything, Mode, Moment, Nullable, Titled } from '../common.ts'
import { ListOf } from '../list.ts'

const key = { id: Type.String(), mode: Mode, scopes: Type.Array(Type.String()) }

/** A key that was just made: the only time that it is shown. */
export const NewKeySchema = Type.Object({ ...key, key: Type.String() }, { title: 'NewKey' })
export type NewKeyView = Type.Static<typeof NewKeySchema>

export const KeySchema = Titled('Key', {
  ...key,
  name: Nullable(Type.String()),
  device_id: Nullable(Type.String()),
  created_at: Moment,
  revoked_at: Nullable(Moment),
})
export type KeyView = Type.Static<typeof KeySchema>

export const KeyList = ListOf(KeySchema, 'KeyList')

export const UserSchema = Titled('User', {
  id: Type.String(),
  name: Type.String(),
  role: Type.String(),
  is_platform_admin: Type.Boolean(),
  company_ids: Nullable(Type.Array(Type.String())),
  email: Nullable(Type.String()),
  language: Type.String(),
  second_factor: Type.Boolean(),
  invited: Type.Boolean(),
  created_at: Moment,
})
export type UserView = Type.Static<typeof UserSchema>

export const UserList = ListOf(UserSchema, 'UserList')

export const TenantSchema = Titled('Tenant', { id: Type.String(), name: Type.String(), created_at: Moment })
export type TenantView = Type.Static<typeof TenantSchema>

export const TenantList = ListOf(TenantSchema, 'TenantList')

export const AuditEntrySchema = Titled('AuditEntry', {
  id: Type.String(),
  at: Moment,
  actor: Type.String(),
  action: Type.String(),
  detail: Anything,
})
export type AuditEntryView = Type.Static<typeof AuditEntrySchema>
