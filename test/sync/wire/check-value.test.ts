import { Type } from 'typebox'
import { expect, expectTypeOf, test } from 'vitest'
import type { Connection } from '../../../src/sync/gateway/connection.ts'
import { checkOf } from '../../../src/sync/wire/check-value.ts'
import { HelloResponse, type PushResponse } from '../../../src/sync/wire/messages.ts'

test('what an answer is follows from the schema that it is checked with, and cannot be said beside it', () => {
  const asked = (connection: Connection) =>
    connection.ask({ method: 'POST', path: '/hello', check: checkOf(HelloResponse) })
  expectTypeOf(asked).returns.resolves.toEqualTypeOf<HelloResponse>()
  expectTypeOf(asked).returns.resolves.not.toEqualTypeOf<PushResponse>()
  const unchecked = (connection: Connection) =>
    // @ts-expect-error: what is not checked has no type.
    connection.ask({ method: 'POST', path: '/hello' })
  expect(unchecked).toBeInstanceOf(Function)
})

test('what a check lets through has the type of its schema', () => {
  const checked = checkOf(Type.Object({ mark: Type.Integer() }))({ mark: 3 })
  if ('fault' in checked) throw new Error(checked.fault.message)
  expectTypeOf(checked.value).toEqualTypeOf<{ mark: number }>()
  expect(checked.value).toEqual({ mark: 3 })
})
