import type { Socket } from 'node:net'

/** What a client wants of a disk. */
export interface DiskRequest {
  kind: 'read' | 'write' | 'flush'
  offset: number
  length: number
  /** What is to be written. */
  data: Buffer
  /** Force unit access: this write is durable when it is answered. */
  fua: boolean
}

/** Numbers of errors as the protocol has them. */
export const NBD_ERRORS = { io: 5, invalid: 22, noSpace: 28, readOnly: 1 } as const

/** Answers a request. @returns what was read, an error's number, or null for done */
export type Serve = (request: DiskRequest) => Promise<Buffer | number | null>

const OPTION_MAGIC = Buffer.from('IHAVEOPT')
const NO_ZEROES = 0b10
/** Zeroes after the size, unless the client does without. */
const RESERVED = 124
const GREETING = Buffer.concat([Buffer.from('NBDMAGIC'), OPTION_MAGIC, u16(0b01 | NO_ZEROES)])
const OPTION_REPLY_MAGIC = Buffer.from('0003e889045565a9', 'hex')
const REQUEST_MAGIC = 0x25609513
const REPLY_MAGIC = 0x67446698
const OPTIONS = { exportName: 1, abort: 2, info: 6, go: 7 } as const
const REPLIES = { ack: 1, info: 3, unsupported: 2 ** 31 + 1 } as const
const INFOS = { export: 0, blockSize: 3 } as const
const COMMANDS: Record<number, DiskRequest['kind']> = { 0: 'read', 1: 'write', 3: 'flush' }
const DISCONNECT = 2
const FUA_FLAG = 1

/** Has flags, flushes, and knows FUA. */
const TRANSMISSION = 0b1101
const BLOCK_SIZES = Buffer.concat([u16(INFOS.blockSize), u32(512), u32(4096), u32(32 * 1024 * 1024)])

/**
 * Speaks NBD (fixed newstyle, simple replies) with one client until that goes. Requests are served one after another, in the
 * order in which they came.
 */
export async function speakNbd(socket: Socket, size: number, serve: Serve): Promise<void> {
  const read = reader(socket)
  socket.write(GREETING)
  const wantsZeroes = ((await read(4)).readUInt32BE(0) & NO_ZEROES) === 0
  if (!(await negotiate(socket, read, { size, wantsZeroes }))) return void socket.end()
  for (;;) {
    const header = await read(28)
    if (header.readUInt32BE(0) !== REQUEST_MAGIC) throw new Error('the client does not speak NBD')
    const [type, handle, length] = [header.readUInt16BE(6), header.subarray(8, 16), header.readUInt32BE(24)]
    if (type === DISCONNECT) return void socket.end()
    const kind = COMMANDS[type]
    const request = {
      kind: kind ?? 'flush',
      offset: Number(header.readBigUInt64BE(16)),
      length,
      data: kind === 'write' ? await read(length) : Buffer.alloc(0),
      fua: (header.readUInt16BE(4) & FUA_FLAG) !== 0,
    }
    if (socket.destroyed) return
    const outside = kind !== 'flush' && request.offset + length > size
    const answer = kind === undefined || outside ? NBD_ERRORS.invalid : await serve(request)
    const error = typeof answer === 'number' ? answer : 0
    socket.write(Buffer.concat([u32(REPLY_MAGIC), u32(error), handle, ...(Buffer.isBuffer(answer) ? [answer] : [])]))
  }
}

interface Export {
  size: number
  wantsZeroes: boolean
}

/** @returns whether the client wants to go on with requests */
async function negotiate(socket: Socket, read: Read, { size, wantsZeroes }: Export): Promise<boolean> {
  for (;;) {
    const header = await read(16)
    if (!header.subarray(0, 8).equals(OPTION_MAGIC)) throw new Error('the client does not speak NBD')
    const option = header.readUInt32BE(8)
    await read(header.readUInt32BE(12))
    const reply = (type: number, data = Buffer.alloc(0)) =>
      socket.write(Buffer.concat([OPTION_REPLY_MAGIC, u32(option), u32(type), u32(data.length), data]))
    switch (option) {
      case OPTIONS.exportName:
        socket.write(Buffer.concat([u64(size), u16(TRANSMISSION), Buffer.alloc(wantsZeroes ? RESERVED : 0)]))
        return true
      case OPTIONS.abort:
        reply(REPLIES.ack)
        return false
      case OPTIONS.info:
      case OPTIONS.go:
        reply(REPLIES.info, Buffer.concat([u16(INFOS.export), u64(size), u16(TRANSMISSION)]))
        reply(REPLIES.info, BLOCK_SIZES)
        reply(REPLIES.ack)
        if (option === OPTIONS.go) return true
        break
      default:
        reply(REPLIES.unsupported)
    }
  }
}

type Read = (length: number) => Promise<Buffer>

/** Reads exactly so many bytes at a time; the promise never resolves when the client goes before. */
function reader(socket: Socket): Read {
  const chunks: Buffer[] = []
  let held = 0
  let wanted = -1
  let give: (bytes: Buffer) => void = () => {}
  const look = () => {
    if (wanted < 0 || held < wanted) return
    const all = Buffer.concat(chunks)
    const bytes = all.subarray(0, wanted)
    chunks.splice(0, chunks.length, all.subarray(wanted))
    held -= wanted
    wanted = -1
    give(bytes)
  }
  socket.on('data', (chunk) => {
    chunks.push(chunk)
    held += chunk.length
    look()
  })
  return (length) =>
    new Promise((resolve) => {
      give = resolve
      wanted = length
      look()
    })
}

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt(value))
  return bytes
}
