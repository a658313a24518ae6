// Loaded before the daemon under measurement: tells what its main thread allocates and calls. The engine does not optimize
// meanwhile: how soon it would, and what it then does not allocate, depends on how busy the machine is.
import { setFlagsFromString } from 'node:v8'
import { countCalls } from './call-counter.mjs'
import { countHeap } from './heap-counter.mjs'
import { tellCounts } from './tell-counts.mjs'

for (const flag of ['--no-opt', '--no-maglev', '--no-sparkplug', '--no-flush-bytecode']) setFlagsFromString(flag)
const [takeHeap, takeCalls] = [countHeap(), countCalls()]
tellCounts(() => ({ ...takeHeap(), ...takeCalls() }))
