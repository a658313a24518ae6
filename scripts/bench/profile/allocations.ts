import { type CallFrame, nameOfFunction } from './sources.ts'

/** What the inspector's sampling heap profiler writes, as far as it is read here. */
export interface HeapProfile {
  head: HeapNode
}

interface HeapNode {
  callFrame: CallFrame
  /** Bytes of the samples that were allocated by this function itself. */
  selfSize: number
  children: HeapNode[]
}

export interface Allocation {
  what: string
  bytes: number
}

/** Every node of a profile; its functions may be renamed. */
export function heapNodes({ head }: HeapProfile): HeapNode[] {
  const found: HeapNode[] = []
  const rest = [head]
  for (let node = rest.pop(); node; node = rest.pop()) {
    found.push(node)
    rest.push(...node.children)
  }
  return found
}

/** What functions allocated themselves, most first. */
export function allocations(profile: HeapProfile): Allocation[] {
  const bytes = new Map<string, number>()
  for (const { callFrame, selfSize } of heapNodes(profile)) {
    const what = nameOfFunction(callFrame)
    bytes.set(what, (bytes.get(what) ?? 0) + selfSize)
  }
  return [...bytes].map(([what, bytes]) => ({ what, bytes })).sort((a, b) => b.bytes - a.bytes)
}
