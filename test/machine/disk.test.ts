import { execFile } from 'node:child_process'
import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { type Disk, type DiskMoment, startDisk } from '../../scripts/machine/disk.ts'
import { openReplay } from '../../scripts/machine/replay.ts'
import { tempDir } from '../support/temp-dir.ts'
import { skipWithout } from '../support/tools.ts'

const MEGABYTE = 1024 * 1024

/** QEMU's own client of disks: the judge of ours. */
const noJudge = skipWithout('qemu-io', 'qemu-img')

interface Tried {
  dir: string
  disk: Disk
  image: string
  /** Commands of qemu-io in one session. @param cache `writeback`: flushes when told; `writethrough`: each write has FUA */
  io(commands: string[], cache?: 'writeback' | 'writethrough'): Promise<string>
  /** The byte that fills this sector of what is durable. */
  durable(sector: number): number | 'mixed'
}

async function tried(record = false): Promise<Tried> {
  const dir = await tempDir()
  const image = join(dir, 'image')
  writeFileSync(image, '')
  truncateSync(image, MEGABYTE)
  const disk = await startDisk({ image, socket: join(dir, 'nbd'), ...(record && { record: join(dir, 'log') }) })
  onTestFinished(() => disk.close())
  return {
    dir,
    disk,
    image,
    io: (commands, cache = 'writeback') => qemuIo(disk.url, commands, cache),
    durable: (sector) => byteOf(image, sector),
  }
}

async function qemuIo(target: string, commands: string[], cache = 'writeback'): Promise<string> {
  const args = commands.flatMap((command) => ['-c', command])
  const { stdout } = await promisify(execFile)('qemu-io', ['-f', 'raw', '-t', cache, ...args, target])
  if (/fail|error/i.test(stdout)) throw new Error(stdout)
  return stdout
}

function byteOf(image: string, sector: number): number | 'mixed' {
  const bytes = readFileSync(image).subarray(sector * 512, (sector + 1) * 512)
  return bytes.every((byte) => byte === bytes[0]) ? Number(bytes[0]) : 'mixed'
}

/** qemu-io flushes when it ends: the current goes with the last write before that. */
function cutAfter(disk: Disk, moment: DiskMoment, times: number, cut: () => void): void {
  let left = times
  disk.listen((now) => {
    if (now === moment && --left === 0) cut()
  })
}

test.skipIf(noJudge)(
  'a client sees a disk of the size of the image, and reads what it wrote before any flush',
  async () => {
    const { disk, io } = await tried()
    const { stdout } = await promisify(execFile)('qemu-img', ['info', '--output=json', '-f', 'raw', disk.url])
    expect(JSON.parse(stdout)['virtual-size']).toBe(MEGABYTE)
    const said = await io([
      'write -P 1 0 8k',
      'write -P 2 2k 1k',
      'read -P 1 0 2k',
      'read -P 2 2k 1k',
      'read -P 1 3k 5k',
    ])
    expect(said).not.toContain('verification failed')
    expect(await io(['read -P 2 2k 1k', 'read -P 0 8k 4k'])).toContain('read 4096/4096')
  },
)

test.skipIf(noJudge)('a whole image goes there and back unchanged', async () => {
  const { dir, disk } = await tried()
  const source = join(dir, 'source')
  writeFileSync(source, Buffer.from(Array.from({ length: MEGABYTE }, (_, i) => (i * 7919) >> 3)))
  const convert = (...args: string[]) => promisify(execFile)('qemu-img', ['convert', '-f', 'raw', '-O', 'raw', ...args])
  await convert('-n', source, disk.url)
  await convert(disk.url, join(dir, 'back'))
  expect(readFileSync(join(dir, 'back')).equals(readFileSync(source))).toBe(true)
})

test.skipIf(noJudge)('what was flushed outlives the current, what was not is gone', async () => {
  const { disk, io, durable } = await tried()
  let loss = { lost: 0, of: 0 }
  cutAfter(disk, 'write', 2, () => {
    loss = disk.powerOff({ keep: 'none', seed: 1 })
  })
  await expect(io(['write -P 1 0 512', 'flush', 'write -P 2 512 512', 'write -P 3 1k 512'])).rejects.toThrow()
  expect([durable(0), durable(1), durable(2)]).toEqual([1, 0, 0])
  expect(loss).toEqual({ lost: 1, of: 1 })
  expect(disk.powerOff({ keep: 'all', seed: 1 })).toEqual(loss)
  disk.powerOn()
  expect(await io(['read -P 1 0 512', 'read -P 0 512 1k'])).not.toContain('verification failed')
})

test.skipIf(noJudge)('a flush that has not begun when the current goes saves nothing', async () => {
  const { disk, io, durable } = await tried()
  cutAfter(disk, 'before-flush', 1, () => disk.powerOff({ keep: 'none', seed: 1 }))
  await expect(io(['write -P 1 0 512', 'flush'])).rejects.toThrow()
  expect(durable(0)).toBe(0)
})

test.skipIf(noJudge)('a flush is durable before it is answered', async () => {
  const { disk, io, durable } = await tried()
  cutAfter(disk, 'flushed', 1, () => disk.powerOff({ keep: 'none', seed: 1 }))
  await expect(io(['write -P 1 0 512', 'flush'])).rejects.toThrow()
  expect(durable(0)).toBe(1)
})

test.skipIf(noJudge)('a write with FUA is durable at once, and an earlier write never comes over it', async () => {
  const { disk, io, durable } = await tried()
  cutAfter(disk, 'write', 2, () => disk.powerOff({ keep: 'all', seed: 1 }))
  await expect(io(['write -P 1 0 1536', 'write -f -P 2 512 512'])).rejects.toThrow()
  expect([durable(0), durable(1), durable(2)]).toEqual([1, 2, 1])
})

test.skipIf(noJudge)('with a cache that is kept in part, some writes survive, and a seed repeats which', async () => {
  const survived = async (seed: number, torn: boolean) => {
    const { disk, io, durable } = await tried()
    cutAfter(disk, 'write', 32, () => disk.powerOff({ keep: 'some', torn, seed }))
    const writes = Array.from({ length: 32 }, (_, i) => `write -P ${i + 1} ${i * 4096} 4096`)
    await expect(io(writes)).rejects.toThrow()
    return Array.from({ length: 32 * 8 }, (_, sector) => durable(sector))
  }
  const [whole, again, other, torn] = [
    await survived(1, false),
    await survived(1, false),
    await survived(2, false),
    await survived(1, true),
  ]
  expect(again).toEqual(whole)
  expect(other).not.toEqual(whole)
  const kinds = (sectors: (number | 'mixed')[]) =>
    Array.from({ length: 32 }, (_, i) => new Set(sectors.slice(i * 8, i * 8 + 8)).size)
  expect(new Set(whole).has(0)).toBe(true)
  expect(new Set(whole).size).toBeGreaterThan(4)
  expect(new Set(kinds(whole))).toEqual(new Set([1]))
  expect(new Set(kinds(torn))).toEqual(new Set([1, 2]))
  expect(torn).not.toContain('mixed')
})

test.skipIf(noJudge)(
  'a recorded session is replayed to each of its marks, and to torn states between two',
  async () => {
    const { dir, disk, io } = await tried(true)
    await io(['write -P 1 0 4k', 'flush', 'write -P 2 0 4k', 'write -P 3 4k 4k', 'flush', 'write -f -P 4 8k 512'])
    if (!disk.log) throw new Error('nothing was recorded')
    const image = join(dir, 'replayed')
    writeFileSync(image, '')
    truncateSync(image, MEGABYTE)
    const replay = openReplay(image, disk.log)
    const copy = join(dir, 'copy')
    const states: (number | 'mixed')[][] = []
    for (let mark = 0; mark <= 3; mark++) {
      replay.to(mark)
      replay.copy(copy)
      states.push([byteOf(copy, 0), byteOf(copy, 8), byteOf(copy, 16)])
    }
    expect(replay.marks).toBeGreaterThanOrEqual(3)
    expect(states).toEqual([
      [0, 0, 0],
      [1, 0, 0],
      [2, 3, 0],
      [2, 3, 4],
    ])
    expect(() => replay.to(1)).toThrow('cannot be reached')
    const moments = [1, 2, 3].map((mark) => replay.momentOf(mark))
    expect(moments).toEqual([...moments].sort((one, next) => one - next))
    expect(replay.momentOf(99)).toBe(Number.POSITIVE_INFINITY)
    replay.close()
  },
)

test.skipIf(noJudge)('torn states between two marks have what was before, and parts of what was between', async () => {
  const { dir, disk, io } = await tried(true)
  const between = Array.from({ length: 8 }, (_, i) => `write -P ${i + 2} ${(i + 1) * 4096} 4096`)
  await io(['write -P 1 0 4k', 'flush', ...between, 'flush'])
  if (!disk.log) throw new Error('nothing was recorded')
  const image = join(dir, 'replayed')
  writeFileSync(image, '')
  truncateSync(image, MEGABYTE)
  const replay = openReplay(image, disk.log)
  replay.to(1)
  const states = new Set<string>()
  for (let seed = 1; seed <= 5; seed++) {
    const copy = join(dir, 'copy')
    const { lost, of } = replay.copyTorn(copy, { keep: 'some', torn: true, seed })
    expect(of).toBe(8)
    expect(lost).toBeGreaterThan(0)
    expect(byteOf(copy, 0)).toBe(1)
    const sectors = Array.from({ length: 64 }, (_, i) => byteOf(copy, 8 + i))
    for (const [i, byte] of sectors.entries()) expect([0, Math.floor(i / 8) + 2]).toContain(byte)
    states.add(sectors.join())
  }
  expect(states.size).toBe(5)
  replay.close()
})
