import { withoutControls } from '../../domain/control-characters.ts'
import { invalidRequest } from '../../domain/errors.ts'
import { audit } from '../access/audit-log.ts'
import { type Principal, requireScope } from '../access/principal.ts'
import type { Context } from '../context.ts'
import { slicesOf } from '../in-slices.ts'
import type { Device } from '../ports/model.ts'
import type { DeviceTag } from '../ports/rows/tags-notes-views.ts'
import type { StoreTransaction } from '../ports/store.ts'
import { findDevice } from '../registry/devices.ts'
import { type Keep, keeping } from '../sales/idempotency.ts'

export const TAG_LIMITS = { ofDevice: 10, characters: 30 } as const

/** By device, in order. */
export type Tags = ReadonlyMap<string, readonly string[]>

export type TagChange = { add: string } | { remove: string }

export type TagUseCases = ReturnType<typeof createTags>

/** Words that the office gives devices, own ones and those of gateways; they stay in this database. */
export function createTags({ store, clock }: Context) {
  async function put(
    tx: StoreTransaction,
    principal: Principal,
    { id, companyId, label }: Device,
    tags: readonly string[],
  ) {
    if (tags.length > TAG_LIMITS.ofDevice) throw invalidRequest('tags', 'a device has too many tags', 'tags_too_many')
    await tx.deviceTags.put(principal.tenantId, id, tags)
    await audit(tx, principal, clock.now(), 'device.tagged', {
      id,
      company_id: companyId,
      label,
      tags: tags.join(', '),
    })
  }
  return {
    /** @throws FiskError 404 */
    async of(principal: Principal, deviceId: string): Promise<string[]> {
      requireScope(principal, 'fleet:read')
      const { id, tenantId } = await findDevice(store, principal, deviceId)
      return store.deviceTags.of(tenantId, id)
    },
    /** Replaces the tags of a device. @throws FiskError 404, `insufficient_scope`, 400 (`tags`) */
    async set(principal: Principal, deviceId: string, tags: readonly string[], keep?: Keep<void>): Promise<void> {
      requireScope(principal, 'fleet:write')
      const wanted = [...new Map(tags.map(readTag).map((tag) => [keyOf(tag), tag])).values()]
      await keeping(store, keep, async (tx) => {
        await tx.subjects.hold(`tags ${deviceId}`)
        await put(tx, principal, await findDevice(tx, principal, deviceId), wanted)
      })
    },
    /**
     * Adds or removes a tag. @returns whether that changed anything; only then has `keep` joined the transaction
     * @throws FiskError 404, `insufficient_scope`, 400 (`tags`)
     */
    async change(principal: Principal, deviceId: string, change: TagChange, keep?: Keep<void>): Promise<boolean> {
      requireScope(principal, 'fleet:write')
      const tag = readTag('add' in change ? change.add : change.remove)
      return store.transaction(async (tx) => {
        await tx.subjects.hold(`tags ${deviceId}`)
        const device = await findDevice(tx, principal, deviceId)
        const before = await tx.deviceTags.of(principal.tenantId, device.id)
        const others = before.filter((one) => keyOf(one) !== keyOf(tag))
        if ('add' in change ? others.length < before.length : others.length === before.length) return false
        await put(tx, principal, device, 'add' in change ? [...others, tag] : others)
        await keep?.(tx, undefined)
        return true
      })
    },
  }
}

/** Case does not tell tags apart. */
export const keyOf = (tag: string) => tag.toLocaleLowerCase('hr')

/** @throws FiskError 400 (`tags`) for a text that is no tag */
export function readTag(text: string): string {
  const tag = withoutControls(text).trim().replace(/ +/g, ' ')
  if (tag === '') throw invalidRequest('tags', 'a tag has at least one character', 'tag_missing')
  if ([...tag].length > TAG_LIMITS.characters) throw invalidRequest('tags', 'a tag is too long', 'tag_too_long')
  // Commas stand between tags.
  if (tag.includes(',')) throw invalidRequest('tags', 'a tag has no commas', 'tag_characters')
  return tag
}

/** Rows per query: a sale in between waits for a few milliseconds. */
const SLICE = 1000

export async function readTags({ deviceTags }: Pick<StoreTransaction, 'deviceTags'>, tenantId: string): Promise<Tags> {
  const tags = new Map<string, string[]>()
  for await (const some of slicesOf<DeviceTag>(SLICE, (after) => deviceTags.list(tenantId, { limit: SLICE, after }))) {
    for (const { deviceId, tag } of some) {
      const known = tags.get(deviceId)
      if (known) known.push(tag)
      else tags.set(deviceId, [tag])
    }
  }
  return tags
}
