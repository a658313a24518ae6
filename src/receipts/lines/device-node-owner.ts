import { readFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { attempt } from '../../domain/attempt.ts'

/** The owner of a device node and the user of this process. An unknown name is given as its number. */
export interface NodeOwner {
  owner: string
  group: string
  /** The permission bits, e.g. 0o660. */
  mode: number
  user: string
}

/** @param stat of the node; names are looked up in the files `passwd` and `group` of `etc` */
export async function nodeOwner(stat: { uid: number; gid: number; mode: number }, etc = '/etc'): Promise<NodeOwner> {
  const [owner, group, user] = await Promise.all([
    nameOf(`${etc}/passwd`, stat.uid),
    nameOf(`${etc}/group`, stat.gid),
    currentUser(),
  ])
  return { owner, group, mode: stat.mode & 0o777, user }
}

async function nameOf(file: string, id: number): Promise<string> {
  const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n')
  const line = lines.map((text) => text.split(':')).find((fields) => fields[2] === String(id))
  return line?.[0] || String(id)
}

/** A service may run under a user id without a name. */
const currentUser = (): string => attempt(() => userInfo().username, String(process.getuid?.() ?? 'the user of fiskd'))
