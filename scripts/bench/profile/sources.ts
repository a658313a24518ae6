import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { dirname, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A function in a profile; lines and columns count from zero. */
export interface CallFrame {
  functionName: string
  url: string
  lineNumber: number
  columnNumber: number
}

/** What the inspector writes, as far as it is changed or read here. */
export interface CpuProfile {
  nodes: {
    id: number
    callFrame: CallFrame
    positionTicks?: unknown
  }[]
  samples: number[]
  /** Microseconds before each sample. */
  timeDeltas: number[]
}

/** Names functions by their source files below `root` instead of by the bundle, whose source maps lie beside it. */
export function nameSources(nodes: { callFrame: CallFrame; positionTicks?: unknown }[], root: string): void {
  const maps = new Map<string, SourceMap | undefined>()
  const mapOf = (url: string) => {
    if (!maps.has(url)) maps.set(url, readMap(url))
    return maps.get(url)
  }
  for (const node of nodes) {
    const { callFrame } = node
    // They count lines of the bundle.
    delete node.positionTicks
    if (!callFrame.url.startsWith('file:')) continue
    const file = realpathSync(fileURLToPath(callFrame.url))
    const entry = mapOf(callFrame.url)?.findEntry(callFrame.lineNumber, callFrame.columnNumber)
    if (entry && 'originalSource' in entry) {
      callFrame.url = relative(root, resolve(dirname(file), entry.originalSource))
      callFrame.lineNumber = entry.originalLine
      callFrame.columnNumber = entry.originalColumn
    } else callFrame.url = relative(root, file)
  }
}

/** @returns undefined for what is not in the bundle: packages keep the names of their own files */
function readMap(url: string): SourceMap | undefined {
  const map = `${fileURLToPath(url)}.map`
  const isOurs = existsSync(map) && !map.includes('/node_modules/')
  return isOurs ? new SourceMap(JSON.parse(readFileSync(map, 'utf8'))) : undefined
}

/** Where the time was spent itself, most first: milliseconds by function. */
export function selfTimes({ nodes, samples, timeDeltas }: CpuProfile): { what: string; ms: number }[] {
  const nameOf = new Map(nodes.map(({ id, callFrame }) => [id, nameOfFunction(callFrame)]))
  const times = new Map<string, number>()
  for (const [i, id] of samples.entries()) {
    const what = nameOf.get(id) ?? ''
    times.set(what, (times.get(what) ?? 0) + (timeDeltas[i] ?? 0) / 1000)
  }
  return [...times].map(([what, ms]) => ({ what, ms })).sort((a, b) => b.ms - a.ms)
}

export function nameOfFunction({ functionName, url, lineNumber }: CallFrame): string {
  return `${functionName || '(anonymous)'}${url && ` ${url}:${lineNumber + 1}`}`
}
