// Loaded before the daemon under measurement: tells what its main thread allocates.
import { countHeap } from './heap-counter.mjs'
import { tellCounts } from './tell-counts.mjs'

tellCounts(countHeap())
